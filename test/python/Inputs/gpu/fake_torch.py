"""As much of torch as the package looks at, with tensors in the memory of an emulated device."""

import ctypes
import types

import numpy as np

strided = "torch.strided"


class Type:
    def __init__(self, name):
        self.name = name

    def __str__(self):
        return "torch." + self.name


float32, float64 = Type("float32"), Type("float64")


class Device:
    def __init__(self, index):
        self.index = index

    def __eq__(self, other):
        return self.index == other.index

    def __hash__(self):
        return hash(self.index)

    def __str__(self):
        return f"cuda:{self.index}"


class Emulated:
    """The device, which is in the library of a kernel."""
    image = None

    @classmethod
    def use(cls, library):
        cls.image = library
        library.device_allocate.restype = ctypes.c_void_p
        library.device_allocate.argtypes = [ctypes.c_size_t]
        library.device_release.argtypes = library.device_wait.argtypes = [ctypes.c_void_p]
        for copy in (library.device_upload, library.device_download):
            copy.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]


class Tensor:
    requires_grad = is_sparse = False
    layout = strided

    def __init__(self, shape, dtype, device):
        self.shape, self.dtype, self.device = tuple(shape), dtype, device
        self.is_cuda, self.is_cpu = device != "cpu", device == "cpu"
        self.host = np.zeros(shape, dtype.name)
        self.memory = Emulated.image.device_allocate(self.host.nbytes) if self.is_cuda else None

    def __del__(self):
        if self.memory:
            Emulated.image.device_release(self.memory)

    def is_neg(self):
        return False

    def stride(self):
        return tuple(s // self.host.itemsize for s in self.host.strides)

    def data_ptr(self):
        return self.memory if self.is_cuda else self.host.ctypes.data

    def cpu(self):
        """As numpy, after what was put on the default stream."""
        if self.is_cuda:
            Emulated.image.device_download(self.host.ctypes.data, self.memory, self.host.nbytes)
        return self.host.copy()


def tensor(values, dtype=float32, device=None):
    made = Tensor(np.shape(values), dtype, device or Device(0))
    made.host[...] = values
    if made.is_cuda:
        Emulated.image.device_upload(made.memory, made.host.ctypes.data, made.host.nbytes)
    return made


def empty(shape, dtype, device):
    return Tensor(shape, dtype, device)


class Stream:
    def __init__(self, handle):
        self.cuda_stream = handle


cuda = types.SimpleNamespace(chosen=0, current_stream=lambda device: Stream(cuda.chosen))
