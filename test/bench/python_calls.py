#!/usr/bin/env python3
"""What a call from Python costs beside the kernel.

    python_calls.py [ARRAY-SIZE]

Prints, for an addition of two small vectors, the time of a call that makes its output, of one that is
given it, of the library's own function, and of an empty function through ctypes; and the ratio of the
first two to the last. Each is the least of many short batches, so that a busy machine matters little.
PYTHONPATH has to name the package, $SEPTRAN_REWRITE the compiler of mappings."""

import ctypes
import os
import pathlib
import sys
import tempfile
import time

os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np  # noqa: E402

import septran  # noqa: E402

LOGIC = """
#include <septran/septran.h>
using vector = septran::tensor<float, 1>;
using input = septran::tensor<const float, 1>;
[[septran::leaf]] void add_leaf([[septran::write]] vector z, input x, input y) {
  for (int i = 0; i < z.extent(0); ++i)
    z(i) = x(i) + y(i);
}
[[septran::task]] void sum_of([[septran::write]] vector z, input x, input y) { add_leaf(z, x, y); }
"""
MAPPING = "machine: cpu/generic\nentrypoint: sum_of\ntask_mappings: {sum_of: {}}\n"


def microseconds(call, *arguments, batches=500, length=100):
    best = float("inf")
    for _ in range(batches):
        start = time.perf_counter()
        for _ in range(length):
            call(*arguments)
        best = min(best, (time.perf_counter() - start) / length)
    return best * 1e6


def main(size=16):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "add.cpp").write_text(LOGIC)
        (folder / "add.yaml").write_text(MAPPING)
        add = septran.compile(folder / "add.cpp", folder / "add.yaml", cache=False)
    x, y, z = (np.ones(size, np.float32) for _ in range(3))
    empty = ctypes.CDLL(None).getppid
    frame = add._prepare([z, x, y], [], None)
    for struct, index, address in frame.places:
        struct.data = address([z, x, y][index])
    times = {"output made": microseconds(add, x, y), "output given": microseconds(add, z, x, y),
             "the C function": microseconds(add._function, *frame.arguments),
             "an empty function": microseconds(empty)}
    for what, time_of in times.items():
        print(f"{what:<18} {time_of:6.2f} us  {time_of / times['an empty function']:5.1f} x")


main(*map(int, sys.argv[1:]))
