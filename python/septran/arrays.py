"""What a kernel has to know of an array: where it is, and its layout.

Two arrays with equal keys differ in their address only. `layout` is what the key stands for: dtype,
shape, strides in elements, and the device as DLPack names it. Parameters are in the memory of the host
or of a device; `wanted` is "cpu", "cuda" or "hip", both of which torch calls cuda. Outputs are made of the kind that the first input has."""

import ctypes
import sys

from . import dlpack
from .errors import ArgumentError, DeviceError, DtypeError, StrideError


# Asking numpy for an address costs more than all else that a call does. numpy's arrays begin with it,
# behind what every object of CPython begins with; where that turns out otherwise numpy is asked.
_HEAD = object.__basicsize__
_pointer_at = ctypes.c_void_p.from_address


def _first_member(array):
    return _pointer_at(id(array) + _HEAD).value or 0


def _address_is_first_member(numpy):
    if sys.implementation.name != "cpython" or numpy.ndarray.__basicsize__ < _HEAD + 8:
        return False
    probes = [numpy.arange(3), numpy.ones((2, 2), "u1")[1:], numpy.arange(9.0)[2::3],
              numpy.zeros(()), numpy.arange(8).reshape(2, 4).T[1:]]
    return all(_first_member(a) == a.__array_interface__["data"][0] for a in probes)


class Numpy:
    """numpy.ndarray"""

    def __init__(self, numpy):
        self.numpy = numpy
        if _address_is_first_member(numpy):
            self.address = _first_member

    def key(self, array):
        return array.dtype, array.shape, array.strides

    def layout(self, name, array, wanted):
        if wanted != "cpu":
            raise DeviceError(f"{name} is in memory of the host; expected an array on "
                              + dlpack.DEVICE_NAMES[wanted])
        dtype = array.dtype
        short = dlpack.NAMES.get(dtype.name)
        if short is None or not dtype.isnative:
            raise DtypeError(f"{name} has elements of type {dtype}; expected numbers that kernels "
                             "compute with, in the order of bytes of this machine")
        size = dtype.itemsize
        if array.size and any(s % size for s, n in zip(array.strides, array.shape) if n > 1):
            raise StrideError(f"{name} has strides of {array.strides} bytes; expected multiples of "
                              f"its elements' {size}")
        return short, array.shape, tuple(s // size for s in array.strides), (dlpack.CPU, 0)

    @staticmethod
    def address(array):
        return array.__array_interface__["data"][0]

    @staticmethod
    def is_writable(array):
        return array.flags.writeable

    def empty(self, dtype, shape, _device):
        return self.numpy.empty(shape, dtype)

    def dtype(self, short):
        name = dlpack.ARRAY_NAMES[short]
        try:
            return self.numpy.dtype(name)
        except TypeError:
            pass
        try:
            import ml_dtypes
            return self.numpy.dtype(getattr(ml_dtypes, name))
        except (ImportError, AttributeError):
            raise DtypeError(f"numpy has no type {name}; expected the output as an argument, or "
                             "the package ml_dtypes") from None


class Masked(Numpy):
    """numpy.ma.MaskedArray, of which kernels would see what is masked."""

    def key(self, _):
        raise TypeError

    def layout(self, name, _array, _wanted):
        raise ArgumentError(f"{name} is a masked array; expected one without a mask")


class Torch:
    """torch.Tensor"""

    def __init__(self, torch):
        self.torch = torch

    def key(self, tensor):
        # What has no plain memory says so here, or has a device of its own.
        if not (tensor.is_cpu or tensor.is_cuda) or tensor.requires_grad or tensor.is_neg() or \
                tensor.is_sparse:
            return id(tensor), None  # not a layout that is known
        return tensor.dtype, tensor.shape, tensor.stride(), tensor.device

    def layout(self, name, tensor, wanted):
        if not (tensor.is_cpu if wanted == "cpu" else tensor.is_cuda):
            raise DeviceError(f"{name} is on {tensor.device}; expected {dlpack.DEVICE_NAMES[wanted]}")
        if tensor.layout != self.torch.strided or tensor.is_sparse:
            raise ArgumentError(f"{name} has the layout {tensor.layout}; expected a strided tensor")
        if tensor.requires_grad:
            raise ArgumentError(f"{name} requires a gradient, which kernels do not give; expected "
                                f"{name}.detach()")
        if tensor.is_neg():
            raise ArgumentError(f"{name} is the negation of other memory; expected "
                                f"{name}.resolve_neg()")
        short = dlpack.NAMES.get(str(tensor.dtype).rpartition(".")[2])
        if short is None:
            raise DtypeError(f"{name} has elements of type {tensor.dtype}; expected numbers that "
                             "kernels compute with")
        device = (dlpack.CPU, 0) if tensor.is_cpu else (dlpack.DEVICES[wanted][0], tensor.device.index)
        return short, tuple(tensor.shape), tuple(tensor.stride()), device

    @staticmethod
    def address(tensor):
        return tensor.data_ptr()

    @staticmethod
    def is_writable(_):
        return True

    def empty(self, dtype, shape, device):
        return self.torch.empty(shape, dtype=dtype, device=device)

    def stream(self, device):
        """The handle of the stream that torch works on there; 0 is the default stream."""
        return self.torch.cuda.current_stream(device).cuda_stream

    def dtype(self, short):
        found = getattr(self.torch, dlpack.ARRAY_NAMES[short], None)
        if found is None:
            raise DtypeError(f"torch has no type {dlpack.ARRAY_NAMES[short]}; expected the output "
                             "as an argument")
        return found


class Other:
    """Any other object with DLPack's two methods. Its capsule has to live as long as the call."""

    def capsule(self, name, array, wanted, stream):
        """On a device the array is ready for work that is put on `stream`."""
        try:
            device, number = array.__dlpack_device__()
            accepted = dlpack.DEVICES[wanted]
            if int(device) not in accepted:
                raise DeviceError(f"{name} is on a device of type {int(device)}, number {number}; "
                                  f"expected {dlpack.DEVICE_NAMES[wanted]}, type {accepted[0]}")
            if wanted == "cpu":
                capsule = array.__dlpack__()
            else:  # the protocol calls CUDA's default stream 1, and ROCm's 0
                capsule = array.__dlpack__(stream=stream or (1 if wanted == "cuda" else 0))
            return capsule, dlpack.tensor_in(capsule)
        except ArgumentError:
            raise
        except Exception as problem:
            raise ArgumentError(f"{name} gives no DLPack tensor: {problem}") from problem


_kinds = {}  # type of array -> Numpy, Torch, Other or None


def kind_of(array):
    """What handles arrays like this one; None if it is no array."""
    array_type = type(array)
    try:
        return _kinds[array_type]
    except KeyError:
        pass
    numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
    kind = None
    if numpy is not None and isinstance(array, numpy.ndarray):
        kind = _shared(Masked if isinstance(array, numpy.ma.MaskedArray) else Numpy, numpy)
    elif torch is not None and isinstance(array, torch.Tensor):
        kind = _shared(Torch, torch)
    elif hasattr(array_type, "__dlpack__") and hasattr(array_type, "__dlpack_device__"):
        kind = _shared(Other)
    _kinds[array_type] = kind
    return kind


_handlers = {}


def _shared(handler, *arguments):
    if handler not in _handlers:
        _handlers[handler] = handler(*arguments)
    return _handlers[handler]


def maker_for(kinds):
    """What makes outputs for calls with these inputs: the first that can, else numpy."""
    for kind in kinds:
        if isinstance(kind, (Numpy, Torch)):
            return kind
    try:
        import numpy
    except ImportError:
        raise ArgumentError("outputs cannot be made without numpy; expected them as "
                            "arguments") from None
    return _shared(Numpy, numpy)


def torch_device(values):
    """Where the first of torch's tensors on a CUDA device is, and torch's handler; or None, None."""
    for value in values:
        kind = kind_of(value)
        if isinstance(kind, Torch) and value.is_cuda:
            return value.device, kind
    return None, None
