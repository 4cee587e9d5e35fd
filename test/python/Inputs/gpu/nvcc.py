"""A kernel that nvcc compiles, with tensors of the host. Without a GPU a call says so."""

import pathlib
import sys

import numpy as np

import septran

HERE = pathlib.Path(__file__).resolve().parent
LOGIC = HERE.parents[2] / "run" / "Inputs" / "library" / "gpu"
# Newer toolkits have dropped the oldest architecture that the machine file is for.
blend = septran.compile(LOGIC / "blend.cpp", LOGIC / "host.yaml", compiler=[sys.argv[1], "-arch=sm_80"])
x = np.ones((2, 3), np.float32)
try:
    out = blend(x, np.zeros(3, np.float32), 0.5)
    np.testing.assert_array_equal(out, x / 2)
    print("ran on a GPU")
except septran.KernelError as problem:
    assert "[cuda" in str(problem), problem
    print("compiled; no GPU:", problem)
