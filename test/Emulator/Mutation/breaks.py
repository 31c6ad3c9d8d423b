"""The ways to break a kernel's PTX: each break changes one line, or one number of a tensor map, alone."""

import collections
import re

# kind: what the table counts by; line: from 1, 0 for a tensor map; text: the line's new text; variables: for the driver.
Break = collections.namedtuple("Break", "kind line text variables")

OTHER_ORDER = {"lt": "le", "le": "lt", "gt": "ge", "ge": "gt"}
SYNCHRONISATION = re.compile(r"wait|arrive|expect_tx|init|copy|phase|fence|bar\.|wgmma\.(commit|fence)|setmaxnreg|barrier")


def synchronisation(kind):
    return bool(SYNCHRONISATION.match(kind))


def replace_constant(line, delta):
    return re.sub(r",\s*(\d+);", lambda found: f", {int(found.group(1)) + delta};", line)


def break_mbarrier(text):
    """The breaks of a line about an mbarrier, as (kind, new text)."""
    if "mbarrier.try_wait" in text:
        yield "wait", re.sub(r"mbarrier\.try_wait\S*\s+([%\w]+),[^;]*;", r"setp.eq.u32 \1, 0, 0;", text)
        label, rest, parity = re.match(r"(\w+:)?\s*(.*),\s*(%?\w+);", text).groups()
        flipped = f".reg .b32 broken; xor.b32 broken, {parity}, 1; {label or ''} {rest}, broken;"
        yield "phase bit", flipped
    elif "mbarrier.arrive.expect_tx" in text:
        yield "expect_tx", ""
        if re.search(r",\s*\d+;", text):
            for delta in (-128, -16, 16, 128):
                yield "expect_tx count", replace_constant(text, delta)
    elif "mbarrier.arrive" in text:
        yield "arrive", ""
        if text.startswith("@"):
            yield "arrive of all lanes", re.sub(r"^@\S+\s+", "", text)
    elif "mbarrier.init" in text:
        yield "init", ""
        for delta in (-1, 1):
            if not re.search(rf",\s*{-delta};", text):
                yield "init count", replace_constant(text, delta)


def break_copy(text):
    yield "copy", ""
    # One further along each axis of the tensor, 128 bytes further in shared memory.
    start, coordinates, end = re.match(r"(.*\{)([^}]*)(\}.*)", text).groups()
    names = [name.strip() for name in coordinates.split(",")]
    for axis, name in enumerate(names):
        step = 8 if axis == 0 else 1
        moved = ", ".join(names[:axis] + ["broken"] + names[axis + 1 :])
        yield "coordinate of a copy", f"{{ .reg .b32 broken; add.s32 broken, {name}, {step}; {start}{moved}{end} }}"
    target = re.search(r"\[(%\w+)\]", text)
    if target:
        moved = text.replace(target.group(0), "[broken]", 1)
        yield "address of a copy", f"{{ .reg .b32 broken; add.s32 broken, {target.group(1)}, 1024; {moved} }}"


def break_synchronisation(text):
    yield re.split(r"[\s;]", text)[0], ""
    left = re.match(r"(wgmma\.wait_group\S*\s+)(\d+);", text)
    if left:
        yield "wgmma.wait_group +1", f"{left.group(1)}{int(left.group(2)) + 1};"
    if re.match(r"bar\.(sync|arrive)\s+\S+,\s*\d+;", text):
        for delta in (-32, 32):
            yield "barrier count", replace_constant(text, delta)


def break_descriptor(text):
    """The operands of wgmma: offsets, and the upper word with swizzle and stride."""
    if re.match(r"add\.u32 l[ab], %\w+, \d+;", text):
        yield "descriptor offset", replace_constant(text, 2)
    layout = re.match(r"(mov\.b64 d[ab], \{l[ab], )0x([0-9a-fA-F]+)\};", text)
    if layout:
        word = int(layout.group(2), 16)
        yield "descriptor swizzle", f"{layout.group(1)}{word ^ 3 << 30:#x}}};"
        yield "descriptor stride", f"{layout.group(1)}{word ^ 0x60:#x}}};"


def break_bound(text):
    """Masks and bounds: compares, selects of minus infinity, clamps, rounding up, guarded stores."""
    compare = re.match(r"setp\.(lt|le|gt|ge|eq|ne)\.([sub]\d+)\s+(%?\w+), (%?\w+), ([^;]+);", text)
    if compare:
        order, kind, result, left, right = compare.groups()
        if order in OTHER_ORDER:
            yield "compare, next value", f"setp.{OTHER_ORDER[order]}.{kind} {result}, {left}, {right};"
        for outcome, made in (("true", "eq"), ("false", "ne")):
            if (order, left) != (made, right):
                yield f"compare, always {outcome}", f"setp.{made}.{kind} {result}, {left}, {left};"
    empty = re.match(r"setp\.eq\.ftz\.f32\s+(%\w+), (%\w+), (0f00000000|0fFF800000);", text)
    if empty:
        yield "compare with zero or -inf", text.replace("setp.eq.", "setp.neu.")
    select = re.match(r"selp\.f32 (%\w+), (%\w+), 0fFF800000, %p\d+;", text)
    if select:
        yield "mask", f"mov.b32 {select.group(1)}, {select.group(2)};"
    clamp = re.match(r"(?:min|max)\.([su])(\d+) (%\w+), (%\w+), ([^;]+);", text)
    if clamp:
        _, bits, result, left, right = clamp.groups()
        yield "clamp", f"mov.b{bits} {result}, {left};"
        if right.startswith("%"):
            yield "clamp", f"mov.b{bits} {result}, {right};"
    if re.match(r"add\.s32 (%\w+), (%\w+), (79|127|191);", text):
        yield "rounding up", re.sub(r", \d+;", ", 0;", text)
    if re.match(r"@%?p\w* st\.global", text):
        yield "guard of a store", re.sub(r"^@\S+\s+", "", text)


def break_maps(maps):
    """Tensor maps: every one's swizzle, extent in rows, row's stride, and box."""
    for index in range(maps):
        for field, values in (("swizzle", "0 1 2"), ("rows", "+1 -1"), ("stride", "+16"), ("box", "+1 -1")):
            for value in values.split():
                yield Break(f"tensor map {field}", 0, f"map {index}: {field} {value}",
                            {"TRIDENT_MUTANT_MAP": f"{index} {maps} {field} {value}"})


def all_breaks(lines, maps):
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if "mbarrier." in text and "cp.async" not in text and not text.startswith("fence"):
            found = break_mbarrier(text)
        elif re.match(r"(@!?\S+\s+)?cp\.async\.bulk\.tensor", text):
            found = break_copy(text)
        elif re.match(r"(fence|bar\.(sync|arrive|warp)|wgmma\.(fence|commit|wait))|setmaxnreg", text):
            found = break_synchronisation(text)
        elif re.match(r"add\.u32 l[ab]|mov\.b64 d[ab]", text):
            found = break_descriptor(text)
        else:
            found = break_bound(text)
        for kind, changed in found:
            yield Break(kind, number, changed,
                        {"TRIDENT_MUTANT_LINE": str(number), "TRIDENT_MUTANT_TEXT": changed})
    yield from break_maps(maps)
