"""A compiled kernel that is called with arrays.

Everything that the arguments of a call have in common with those of an earlier one, which is all but
addresses and scalars, is kept as a frame: the structures that the library reads, filled in. A call
takes a frame for itself, so that calls from several threads do not share one."""

import ctypes
import json
import operator

from . import arrays, dlpack
from .arrays import kind_of
from .errors import BY_STATUS, ArgumentError, DtypeError, KernelError

_SCALARS = {"bool": ctypes.c_bool, "i8": ctypes.c_int8, "i16": ctypes.c_int16,
            "i32": ctypes.c_int32, "i64": ctypes.c_int64, "u8": ctypes.c_uint8,
            "u16": ctypes.c_uint16, "u32": ctypes.c_uint32, "u64": ctypes.c_uint64,
            "f64": ctypes.c_double}  # smaller floats are passed as float
_MOST_FRAMES = 256


class _Frame:
    """Arguments of calls with equal layouts."""
    __slots__ = ("structs", "memory", "arguments", "made", "places")

    def __init__(self, parameters, takes_stream):
        self.structs = [None] * len(parameters)
        self.memory = []  # what the structures point to
        # Of the C function, scalars left out.
        self.arguments = [None] * (len(parameters) + takes_stream)
        self.made = ()    # outputs: (index, handler, dtype, shape, device)
        self.places = ()  # arrays that are passed: (structure, index, address of)

    def describe(self, index, short, shape, strides, device=(dlpack.CPU, 0)):
        struct = dlpack.Tensor()
        struct.device_type, struct.device_id = device
        struct.ndim = len(shape)
        struct.code, struct.bits = dlpack.CODES[short]
        struct.lanes = 1
        numbers = (ctypes.c_int64 * (2 * len(shape) + 1))(*shape, *(strides or ()))
        size = ctypes.sizeof(ctypes.c_int64)
        pointer = ctypes.POINTER(ctypes.c_int64)
        struct.shape = ctypes.cast(numbers, pointer)
        if strides is not None:
            struct.strides = ctypes.cast(ctypes.addressof(numbers) + size * len(shape), pointer)
        self.memory.append(numbers)
        self.use(index, struct)

    def use(self, index, struct):
        self.structs[index] = struct
        self.arguments[index] = ctypes.addressof(struct)


class Kernel:
    """A compiled mapping of a task, called like a function.

    Arguments are given in the order of the task's parameters. Those that it only writes may be left
    out: they are made, and returned; several are a tuple. By name they may be given, too.

    Work on a CUDA device goes to the stream that torch works on, if there is a tensor of torch's, and
    else to the default stream, or to where `on` says; it is not waited for."""

    def __init__(self, library, name, source, mapping, explanation, header):
        self._library = library
        self._function = getattr(library, name)
        self._infer = getattr(library, name + "_infer_shapes")
        self._last_error = getattr(library, name + "_last_error")
        self._last_error.restype = ctypes.c_char_p
        self._last_error.argtypes = []
        describe = getattr(library, name + "_describe")
        describe.restype = ctypes.c_char_p
        describe.argtypes = []
        self._description = describe().decode()
        description = json.loads(self._description)
        if description["interface"] != 1:
            raise KernelError(f"the library has interface {description['interface']}; expected 1")
        #: The generated C++ source, the C header, and the effective mapping.
        self.source, self.header, self.mapping = source, header, mapping
        self._explanation = explanation
        #: The task, with the namespaces around it.
        self.name = description["entry"]
        self.__name__ = self.name
        self._symbol = name

        parameters = self._parameters = description["arguments"]
        count = len(parameters)
        types = [ctypes.c_void_p if p["kind"] == "tensor"
                 else _SCALARS.get(p["dtype"], ctypes.c_float) for p in parameters]
        self._takes_stream = description["stream"]
        for function in (self._function, self._infer):
            function.restype = ctypes.c_int
            function.argtypes = types
        if self._takes_stream:
            self._function.argtypes = [*types, ctypes.c_void_p]
        self._names = {p["name"]: i for i, p in enumerate(parameters)}
        self._tensors = [i for i in range(count) if parameters[i]["kind"] == "tensor"]
        self._scalars = [(i, _converter(parameters[i]), parameters[i]["name"]) for i in range(count)
                         if parameters[i]["kind"] == "scalar"]
        self._written = [i for i in self._tensors if parameters[i]["privilege"] != "read"]
        self._outputs = [i for i in self._tensors if parameters[i]["privilege"] == "write"]
        self._inputs = [i for i in range(count) if i not in self._outputs]
        self._frames = {}

    def describe(self):
        """Names, types, privileges, relations between extents, machine: a dictionary."""
        return json.loads(self._description)

    def explain(self):
        """What the mapping made of the tasks: instances, copies, buffers, and why."""
        return self._explanation

    def __repr__(self):
        names = [p["name"] for p in self._parameters]
        outputs = ", ".join(names[i] for i in self._outputs)
        inputs = ", ".join(names[i] for i in self._inputs)
        return f"<septran kernel {self.name}({inputs})" + (f" -> {outputs}>" if outputs else ">")

    def on(self, stream):
        """The kernel on a stream: a cudaStream_t or hipStream_t as a number, or an object that has one as
        `cuda_stream`, as torch's, or as `ptr`, as cupy's."""
        if not self._takes_stream:
            raise ArgumentError(f"{self.name} runs on the host, which has no streams")
        for name in ("cuda_stream", "ptr"):
            stream = getattr(stream, name, stream)
        handle = _as_handle(stream)
        return lambda *arguments, **named: self._call(arguments, named, handle)

    def __call__(self, *arguments, **named):
        return self._call(arguments, named, None)

    def _call(self, arguments, named, stream):
        given = [None] * len(self._parameters)
        if not named and len(arguments) == len(self._inputs):
            for index, value in zip(self._inputs, arguments):
                given[index] = value
        else:
            self._order(given, arguments, named)
        key = []
        for index in self._tensors:
            value = given[index]
            if value is None:
                key.append(None)
                continue
            try:
                key.append(kind_of(value).key(value))
            except Exception:  # no array, or not one whose layout can be known beforehand
                key = None
                break
        numbers = []
        for index, convert, name in self._scalars:
            numbers.append(convert(name, given[index]))
        if self._takes_stream and stream is None:
            device, torch = arrays.torch_device(given[i] for i in self._tensors)
            stream = torch.stream(device) if torch else 0
        frames = None
        if key is not None:
            key = (*key, *numbers) if None in key else tuple(key)
            try:
                frames = self._frames.get(key)
            except TypeError:
                key = None
        try:
            frame = frames.pop() if frames else self._prepare(given, numbers, stream)
        except IndexError:  # another thread took the last one
            frame = self._prepare(given, numbers, stream)
        for struct, index, address in frame.places:
            struct.data = address(given[index])
        for index, maker, dtype, shape, device in frame.made:
            output = given[index] = maker.empty(dtype, shape, device)
            frame.structs[index].data = maker.address(output)
        for index in self._written:
            value = given[index]
            kind = kind_of(value)
            if isinstance(kind, arrays.Numpy) and not kind.is_writable(value):
                raise ArgumentError(f"{self.name}: {self._parameters[index]['name']} is read-only; "
                                    "expected an array that can be written")
        values = frame.arguments
        for (index, _, _), number in zip(self._scalars, numbers):
            values[index] = number
        if self._takes_stream:
            values[-1] = stream
        status = self._function(*values)
        if status:
            self._fail(status)
        if key is not None:
            if frames is None:
                if len(self._frames) >= _MOST_FRAMES:
                    self._frames.clear()
                frames = self._frames.setdefault(key, [])
            frames.append(frame)
        outputs = self._outputs
        if len(outputs) == 1:
            return given[outputs[0]]
        return tuple(given[i] for i in outputs) or None

    def _order(self, given, arguments, named):
        """Puts the arguments of a call where they belong."""
        names = [p["name"] for p in self._parameters]
        order = range(len(names)) if len(arguments) == len(names) else self._inputs
        if len(arguments) > len(order):
            raise DtypeError(f"{self.name} takes {len(self._inputs)} arguments, or {len(names)} "
                             f"with its outputs; got {len(arguments)}")
        for index, value in zip(order, arguments):
            given[index] = value
        placed = set(order[:len(arguments)])
        for name, value in named.items():
            index = self._names.get(name)
            if index is None:
                raise DtypeError(f"{self.name} has no parameter '{name}'; its parameters are "
                                 + ", ".join(names))
            if index in placed:
                raise DtypeError(f"{self.name}: {name} is given twice")
            placed.add(index)
            given[index] = value
        missing = [names[i] for i in self._inputs if i not in placed]
        if missing:
            raise DtypeError(f"{self.name}: {', '.join(missing)} "
                             f"{'is' if len(missing) == 1 else 'are'} missing; it takes "
                             + ", ".join(names[i] for i in self._inputs))

    def _prepare(self, given, numbers, stream):
        """The frame of a call. Raises what is wrong with its arguments."""
        frame = _Frame(self._parameters, self._takes_stream)
        places, kinds, unknown = [], [], []
        for index in self._tensors:
            parameter, value = self._parameters[index], given[index]
            name, expected = f"{self.name}: {parameter['name']}", parameter["dtype"]
            wanted = parameter["device"]
            if value is None and index in self._outputs:
                frame.describe(index, expected, (-1,) * parameter["rank"], None)
                unknown.append(index)
                continue
            kind = kind_of(value)
            if kind is None:
                raise DtypeError(f"{name} is of type {type(value).__name__}; expected an array "
                                 f"of {dlpack.ARRAY_NAMES[expected]}")
            kinds.append(kind)
            if isinstance(kind, arrays.Other):
                capsule, struct = kind.capsule(name, value, wanted, stream)
                frame.memory.append(capsule)
                frame.use(index, struct)
                continue
            short, shape, strides, device = kind.layout(name, value, wanted)
            if short != expected:
                raise DtypeError(f"{name} has elements of type {dlpack.ARRAY_NAMES[short]}; "
                                 f"expected {dlpack.ARRAY_NAMES[expected]}")
            frame.describe(index, short, shape, strides, device)
            places.append((frame.structs[index], index, kind.address))
        frame.places = tuple(places)
        if unknown:
            self._make_outputs(frame, unknown, kinds, given, numbers)
        return frame

    def _make_outputs(self, frame, unknown, kinds, given, numbers):
        values = frame.arguments[:len(self._parameters)]
        for (index, _, _), number in zip(self._scalars, numbers):
            values[index] = number
        status = self._infer(*values)
        if status:
            self._fail(status)
        made = []
        for index in unknown:
            parameter, struct = self._parameters[index], frame.structs[index]
            if parameter["device"] == "cpu":
                device, maker = "cpu", arrays.maker_for(kinds)
            else:
                device, maker = arrays.torch_device(given[i] for i in self._tensors)
                if maker is None:
                    raise ArgumentError(f"{self.name}: {parameter['name']} cannot be made on a device "
                                        "without a tensor of torch's there; expected it as an argument")
                struct.device_type, struct.device_id = dlpack.DEVICES[parameter["device"]][0], device.index
            made.append((index, maker, maker.dtype(parameter["dtype"]),
                         tuple(struct.shape[:parameter["rank"]]), device))
        frame.made = tuple(made)

    def _fail(self, status):
        text = self._last_error().decode(errors="replace")
        raise BY_STATUS.get(status, KernelError)(
            self.name + text[len(self._symbol):] if text.startswith(self._symbol) else text)


def _as_handle(stream):
    try:
        return operator.index(stream)
    except TypeError:
        raise ArgumentError(f"stream is of type {type(stream).__name__}; expected a stream of torch's "
                            "or cupy's, or its handle as a number") from None


def _converter(parameter):
    """What makes a C number of an argument, or raises what is wrong with it."""
    short = parameter["dtype"]
    if short == "bool":
        return _as_bool
    if short in ("f8e4m3", "f8e5m2", "bf16", "f16", "f32", "f64"):
        return _as_float
    bits = dlpack.CODES[short][1]
    least = -(1 << (bits - 1)) if short[0] == "i" else 0
    most = (1 << (bits - 1 if short[0] == "i" else bits)) - 1

    def as_integer(name, value):
        try:
            number = operator.index(value)
        except TypeError:
            raise DtypeError(f"{name} is of type {type(value).__name__}; expected an integer") from None
        if not least <= number <= most:
            raise ArgumentError(f"{name} is {number}; expected {least} to {most}")
        return number

    return as_integer


def _as_bool(name, value):
    if value is True or value is False:
        return value
    if type(value).__name__ in ("bool_", "bool") and getattr(value, "shape", None) == ():
        return bool(value)
    raise DtypeError(f"{name} is of type {type(value).__name__}; expected True or False")


def _as_float(name, value):
    if type(value) is float:
        return value
    try:
        if not isinstance(value, (str, bytes, bytearray)):
            return float(value)
    except (TypeError, ValueError, OverflowError, RuntimeError):
        pass
    raise DtypeError(f"{name} is of type {type(value).__name__}; expected a number")
