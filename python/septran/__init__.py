"""Calls kernels that SepTran compiles from plain C++ tasks and a mapping.

    import septran
    gemm = septran.compile(logic_file="gemm.cpp", mapping_file="gemm.yaml")
    c = gemm(a, b)

Arrays are those of numpy and torch, and everything else in the memory of the host that speaks
DLPack. The package is plain Python: it runs septran-rewrite and a C++ compiler, and calls the result
through ctypes.
"""

from .build import compile
from .errors import (ArgumentError, CacheError, CheckError, CompileError, DeviceError, DtypeError, KernelError,
                     OverlapError, SeptranError, ShapeError, StrideError)
from .kernel import Kernel

__all__ = ["compile", "Kernel", "SeptranError", "CompileError", "CacheError", "ArgumentError",
           "DtypeError", "ShapeError", "DeviceError", "StrideError", "OverlapError", "KernelError", "CheckError"]
