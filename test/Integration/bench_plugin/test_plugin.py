#!/usr/bin/env python3
"""The structs of trident_plugin.py are those of the generated header: a refusal quotes what was put into them.

usage: test_plugin.py LIBRARY    (TRIDENT_LIBCUDA names the driver, as for every generated launcher)
"""

import sys

import trident_plugin


class FakeTensor:
    """What describe() takes of a torch tensor; the address is never read, since every call here is refused."""

    def __init__(self, *shape, strides=None, address=0x7F0000000000):
        self.address = address
        self.shape = shape
        self.strides = strides or [64 * shape[1] * shape[2], 64 * shape[2], 64, 1]

    def data_ptr(self):
        return self.address

    def stride(self):
        return self.strides


class FakePointer:
    def __init__(self, address):
        self.address = address

    def data_ptr(self):
        return self.address


def refusal(kernels, q, k, v, o, **options):
    try:
        kernels.prepare_call(q, k, v, o, **options)(0)
    except RuntimeError as problem:
        return str(problem)
    sys.exit("failed: the call was accepted")


def main(library):
    kernels = trident_plugin.Kernels(library)
    good, other = FakeTensor(2, 5, 8, 64), FakeTensor(2, 5, 8, 64, address=0x7F1000000000)
    cases = {
        "k.shape[2] (kv_heads) = 3": (good, FakeTensor(2, 7, 3, 64), FakeTensor(2, 7, 3, 64), good, {}),
        "o.shape[1] (seq_q) = 4": (good, good, good, FakeTensor(2, 4, 8, 64), {}),
        "v.strides[3] = 2": (good, good, FakeTensor(2, 5, 8, 64, strides=[12800, 2560, 160, 2]), good, {}),
        "scale = inf": (good, good, good, good, {"scale": float("inf")}),
        "causal = 7": (good, good, good, good, {"causal": 7}),
        "workspace = 0x7f0000000004": (good, good, good, other, {"workspace": FakePointer(0x7F0000000004)}),
        "f64": (good, good, good, good, {"element_type": 0x240}),
    }
    for part, (q, k, v, o, options) in cases.items():
        message = refusal(kernels, q, k, v, o, **options)
        if part not in message:
            sys.exit(f"failed: '{message}' does not say '{part}'")
        print(f"ok: {message}")


if __name__ == "__main__":
    main(sys.argv[1])
