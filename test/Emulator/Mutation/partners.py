"""Which lines of a kernel belong together: what one ring of slots has of barriers, copies and readers.

Names of things are found by constants: the address of an mbarrier or a slot is the block's shared memory plus a
constant, perhaps plus a stage; the constant is found by going back over the additions that made the register.
"""

import bisect
import re

SHARED_START = 1024  # where dynamic shared memory lies in the block's window


class Partners:
    def __init__(self, lines):
        self.lines = [line.strip() for line in lines]
        self.definitions = {}
        for number, text in enumerate(self.lines, 1):
            made = re.match(r"\w[\w.:]*\s+(%?\w+),", text)
            if made:
                self.definitions.setdefault(made.group(1), []).append(number)
        self.group_barriers()
        self.link_copies()

    def constant(self, register, near, depth=0):
        """The largest constant added on the way to `register`, as it is at line `near`."""
        if depth > 9 or register not in self.definitions:
            return 0
        made = self.definitions[register]
        text = self.lines[made[max(bisect.bisect_left(made, near) - 1, 0)] - 1]
        if not re.match(r"(add|sub|bfe|or|mov|cvt|shr|and)\.", text):
            return 0
        operands = [operand.strip() for operand in text.rstrip(";").split(",")[1:]]
        numbers = [int(operand) for operand in operands if operand.isdigit()] if text.startswith("add") else []
        here = made[0] if len(made) == 1 else near - 1
        others = [self.constant(operand, here, depth + 1) for operand in operands if operand != register]
        return max([0, *numbers, *others])

    def group_barriers(self):
        """Consecutive mbarriers with one count are the stages of one ring's full or empty barriers."""
        self.group_of, count, group = {}, None, -1
        for number, text in enumerate(self.lines, 1):
            made = re.match(r"mbarrier\.init\S*\s+\[(%\w+)\],\s*(\d+);", text)
            if made:
                group += made.group(2) != count
                count = made.group(2)
                self.group_of[self.constant(made.group(1), number)] = group

    def barrier_group(self, number):
        """The group of the mbarrier that a line uses, or none."""
        text = self.lines[number - 1]
        used = re.findall(r"\[(%\w+)\]", text)
        if "mbarrier" not in text or not used:
            return None
        return self.group_of.get(self.constant(used[-1], number))

    def link_copies(self):
        """A copy fills a slot and completes on its full barrier, after a wait for its empty one."""
        self.rings, self.slots, waited = {}, {}, None
        for number, text in enumerate(self.lines, 1):
            if "mbarrier.try_wait" in text:
                waited = self.barrier_group(number)
            if re.match(r"(@\S+ )?cp\.async\.bulk\.tensor", text):
                full = self.barrier_group(number)
                self.rings.update({group: full for group in (full, waited) if group is not None})
                slot = self.constant(re.search(r"\[(%\w+)\]", text).group(1), number)
                self.slots.setdefault(slot, full)

    def ring(self, number):
        """The ring of a line: of its mbarrier, or of the slot that a wgmma reads."""
        text = self.lines[number - 1]
        if "wgmma.mma_async" in text:
            for before in range(number - 1, number - 7, -1):
                base = re.match(r"add\.u32 lb, (%\w+)", self.lines[before - 1])
                if base:
                    constant = self.constant(base.group(1), before)
                    starts = sorted(start for start in self.slots if start <= constant)
                    return self.slots[starts[-1]] if starts else None
            return None
        group = self.barrier_group(number)
        return self.rings.get(group, group)

    def named(self, broken, report):
        """A report of the break of line `broken` names that line, another of its ring, or, for barriers of warps
        and for fences, commits and waits of wgmma, the barrier, initialization or wgmma that it kept in order."""
        said = {int(number) for number in re.findall(r"\bline (\d+)", report)}
        if broken in said:
            return True
        ring = self.ring(broken)
        if ring is not None:
            offsets = {int(at, 16) - SHARED_START for at in re.findall(r"mbarrier at (0x[0-9a-f]+)", report)}
            rings = {self.rings.get(self.group_of.get(offset), self.group_of.get(offset)) for offset in offsets}
            return ring in rings | {self.ring(number) for number in said}
        families = {"wgmma": r"wgmma", "bar.": r"bar\.|mbarrier\.init"}
        text = self.lines[broken - 1]
        family = next((family for start, family in families.items() if text.startswith(start)), r"mbarrier|cp\.async")
        return any(re.search(family, self.lines[number - 1]) for number in said)
