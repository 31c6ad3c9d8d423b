"""The generated attention function as a peer named `ours` of a benchmark of attention in PyTorch.

    TRIDENT_KERNELS=build/dev/lib/libtrident_kernels.so python3 bench_peers.py --plugin trident_plugin.py --peers cudnn,ours

The benchmark calls register(PEERS, H) and then, for each cell, fwd(cell, t) or decode(cell, t): `t` holds torch tensors q,
k, v of shape (batch, length, heads, head_dim), v perhaps with another last extent; what is returned launches one call and
returns its output. TRIDENT_KERNELS names the library that the build makes of the generated source; by default it is looked
for beside this file.
"""

import ctypes
import math
import os
import pathlib

LIBRARY = os.environ.get("TRIDENT_KERNELS", str(pathlib.Path(__file__).resolve().parent / "libtrident_kernels.so"))
MAX_RANK = 6
BF16, F16, F32 = 0x410, 0x210, 0x220  # DLPack's type code * 256 + bits
NONE, TOP_LEFT, BOTTOM_RIGHT = range(3)


class Tensor(ctypes.Structure):
    """struct trident_tensor of trident/launch.h."""

    _fields_ = [("data", ctypes.c_void_p), ("shape", ctypes.c_int64 * MAX_RANK), ("strides", ctypes.c_int64 * MAX_RANK),
                ("rank", ctypes.c_int32), ("type", ctypes.c_int32), ("device", ctypes.c_int32),
                ("reserved", ctypes.c_int32)]


class Arguments(ctypes.Structure):
    """struct attention_fwd_arguments of attention_fwd.h. Where no variant takes a workspace, it ends before that."""

    _fields_ = [(name, Tensor) for name in ("q", "k", "v", "o", "lse")] + [("scale", ctypes.c_float),
                                                                          ("causal", ctypes.c_int32),
                                                                          ("workspace", ctypes.c_void_p)]


def describe(tensor, element_type):
    """The struct for a torch tensor, with the tensor's own strides."""
    result = Tensor(data=tensor.data_ptr(), rank=len(tensor.shape), type=element_type, device=-1)
    for axis, (extent, stride) in enumerate(zip(tensor.shape, tensor.stride())):
        result.shape[axis], result.strides[axis] = extent, stride
    return result


class Kernels:
    """The C function of the library."""

    def __init__(self, path=LIBRARY):
        self.launch = ctypes.CDLL(path).attention_fwd_launch
        self.launch.argtypes = [ctypes.POINTER(Arguments), ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
        self.launch.restype = ctypes.c_int
        self.message = ctypes.create_string_buffer(1024)

    def prepare_call(self, q, k, v, o, lse=None, scale=None, causal=NONE, element_type=BF16,
                     workspace=None):
        """Returns a function of a stream (an integer) that launches the call, or raises what the launcher refused.
        `workspace` is a tensor of 8 zeroed bytes that no other call uses at the same time."""
        arguments = Arguments(q=describe(q, element_type), k=describe(k, element_type), v=describe(v, element_type),
                              o=describe(o, element_type),
                              scale=1 / math.sqrt(q.shape[-1]) if scale is None else scale, causal=causal,
                              workspace=None if workspace is None else workspace.data_ptr())
        if lse is not None:
            arguments.lse = describe(lse, F32)
        reference = ctypes.byref(arguments)

        def call(stream):
            if self.launch(reference, stream, self.message, len(self.message)) != 0:
                raise RuntimeError(self.message.value.decode())

        call.keep = (arguments, q, k, v, o, lse, workspace)
        return call


class Ours:
    def __init__(self):
        self.kernels = Kernels()
        self.workspace = None

    def fwd(self, cell, t):
        import torch

        if cell.dtype != "bf16" or cell.variant or cell.D not in (64, 128, 256):
            return None
        q, k, v = t["q"], t["k"], t["v"]
        o = q.new_empty(*q.shape[:-1], v.shape[-1])
        if self.workspace is None:
            self.workspace = torch.zeros(8, dtype=torch.uint8, device="cuda")
        launch = self.kernels.prepare_call(q, k, v, o, causal=BOTTOM_RIGHT if cell.causal else NONE,
                                           workspace=self.workspace)

        def call():
            launch(torch.cuda.current_stream().cuda_stream)
            return o

        return call

    decode = fwd


def register(PEERS, H):
    PEERS["ours"] = Ours
