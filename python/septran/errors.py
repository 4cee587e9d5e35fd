"""What can go wrong, as exceptions whose text says what was found and what would be accepted."""


class SeptranError(Exception):
    """All of the following."""


class CompileError(SeptranError):
    """The logic, the mapping or the generated source was refused; `output` is what was said."""

    def __init__(self, text, output=""):
        super().__init__(text)
        self.output = output


class CacheError(SeptranError):
    """The cache folder is not one that can be trusted, or cannot be written."""


class ArgumentError(SeptranError, ValueError):
    """A call with arguments that the kernel does not accept. The kernel did not run."""


class DtypeError(ArgumentError, TypeError):
    """Elements of another type, or something that is no array or no number."""


class ShapeError(ArgumentError):
    """Another number of dimensions, or extents that do not belong together."""


class DeviceError(ArgumentError):
    """Memory that the kernel cannot reach."""


class StrideError(ArgumentError):
    """A negative stride, or elements of an output that share memory."""


class OverlapError(ArgumentError):
    """An array that is written shares memory with another one."""


class KernelError(SeptranError, RuntimeError):
    """The kernel ran and failed."""


class CheckError(KernelError):
    """A kernel that was compiled with -DSEPTRAN_CHECKED did what the logic does not allow."""


# By `enum septran_status` of the generated headers.
BY_STATUS = {1: ArgumentError, 2: ShapeError, 3: DtypeError, 4: DeviceError, 5: ShapeError,
             6: StrideError, 7: ArgumentError, 8: ArgumentError, 9: OverlapError, 10: KernelError,
             11: KernelError, 12: KernelError, 13: CheckError}
