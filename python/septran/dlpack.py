"""DLPack's structures for ctypes, and the types that they name.

The layout is that of dlpack.h on 64-bit platforms, which the generated libraries assert."""

import ctypes


class Tensor(ctypes.Structure):
    """DLTensor"""
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32),
                ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8),
                ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


assert ctypes.sizeof(Tensor) == 48 and Tensor.byte_offset.offset == 40

CPU = 1
# What a library calls memory: the device types that it takes, the first of which is its own.
DEVICES = {"cpu": (1, 3, 11),  # kDLCPU, kDLCUDAHost, kDLROCMHost
           "cuda": (2, 13),    # kDLCUDA, kDLCUDAManaged
           "hip": (10,)}       # kDLROCM
DEVICE_NAMES = {"cpu": "memory of the host", "cuda": "a CUDA device", "hip": "a ROCm device"}

# SepTran's names of element types: DLPack's code, and bits.
CODES = {"bool": (6, 8), "i8": (0, 8), "i16": (0, 16), "i32": (0, 32), "i64": (0, 64),
         "u8": (1, 8), "u16": (1, 16), "u32": (1, 32), "u64": (1, 64), "f8e4m3": (10, 8),
         "f8e5m2": (12, 8), "bf16": (4, 16), "f16": (2, 16), "f32": (2, 32), "f64": (2, 64)}

# What numpy (with ml_dtypes) and torch call them.
NAMES = {"bool": "bool", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64",
         "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64",
         "float8_e4m3fn": "f8e4m3", "float8_e5m2": "f8e5m2", "bfloat16": "bf16", "float16": "f16",
         "float32": "f32", "float64": "f64"}
ARRAY_NAMES = {short: name for name, short in NAMES.items()}

_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype = ctypes.c_void_p
_pointer_of.argtypes = [ctypes.py_object, ctypes.c_char_p]


def tensor_in(capsule):
    """The DLTensor that a capsule holds, which stays valid as long as the capsule. Raises ValueError
    if it holds none."""
    return Tensor.from_address(_pointer_of(capsule, b"dltensor"))
