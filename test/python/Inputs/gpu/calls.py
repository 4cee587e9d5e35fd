"""Calls of kernels for GPUs, in the emulator: where tensors are, which stream work goes to, outputs."""

import ctypes
import pathlib
import sys
import unittest

import numpy as np

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
LOGIC = HERE.parents[2] / "run" / "Inputs" / "library" / "gpu"
sys.path += [str(HERE), str(HERE.parent)]
import fake_torch as torch  # noqa: E402

sys.modules["torch"] = torch
import septran  # noqa: E402
from common import Case  # noqa: E402

ROWS, COLUMNS = 7, 5


def kernel(mapping):
    made = septran.compile(LOGIC / "blend.cpp", LOGIC / (mapping + ".yaml"),
                           compiler=[sys.executable, HERE / "emulated_nvcc.py"])
    torch.Emulated.use(made._library)
    return made


def wanted(share):
    x = np.arange(ROWS * COLUMNS, dtype=np.float32).reshape(ROWS, COLUMNS)
    return (share * x + (1 - share) * 100 * np.arange(COLUMNS)).astype(np.float32)


class Speaker:
    """An array on the device that speaks DLPack and nothing else."""

    def __init__(self, tensor):
        self.tensor, self.streams = tensor, []
        self.shape = (ctypes.c_int64 * len(tensor.shape))(*tensor.shape)
        self.struct = septran.dlpack.Tensor(
            data=tensor.data_ptr(), device_type=2, device_id=0, ndim=len(tensor.shape), code=2,
            bits=32, lanes=1, shape=ctypes.cast(self.shape, ctypes.POINTER(ctypes.c_int64)))

    def __dlpack_device__(self):
        return (2, 0)

    def __dlpack__(self, *, stream):
        self.streams.append(stream)
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self.struct), b"dltensor", None)


class OnTheDevice(Case):
    @classmethod
    def setUpClass(cls):
        cls.blend = staticmethod(kernel("device"))
        cls.device = torch.Emulated.image

    def setUp(self):
        torch.Emulated.use(self.device)
        torch.cuda.chosen = 0
        self.x = torch.tensor(np.arange(ROWS * COLUMNS).reshape(ROWS, COLUMNS))
        self.base = torch.tensor(100 * np.arange(COLUMNS))
        self.device.device_launches()

    def test_outputs_are_made_there(self):
        for share in (0.25, 0.5):
            out = self.blend(self.x, self.base, share)
            self.assertEqual((type(out), out.device, out.shape),
                             (torch.Tensor, torch.Device(0), (ROWS, COLUMNS)))
            np.testing.assert_allclose(out.cpu(), wanted(share), rtol=1e-6)

    def test_goes_to_the_stream_of_torch_and_waits_for_nothing(self):
        handle = ctypes.addressof(ctypes.c_int(0))
        torch.cuda.chosen = handle
        out = self.blend(self.x, self.base, 0.25)
        self.assertEqual(self.device.device_launches(), 0)
        self.device.device_wait(handle)
        self.assertEqual(self.device.device_launches(), 1)
        np.testing.assert_allclose(out.cpu(), wanted(0.25), rtol=1e-6)

    def test_goes_to_a_stream_that_is_named(self):
        handle = ctypes.addressof(ctypes.c_int(0))
        for stream in (handle, torch.Stream(handle)):
            out = self.blend.on(stream)(self.x, self.base, share=0.5)
            self.assertEqual(self.device.device_launches(), 0)
            self.device.device_wait(handle)
            np.testing.assert_allclose(out.cpu(), wanted(0.5), rtol=1e-6)
            self.device.device_launches()
        self.refused(septran.ArgumentError, "stream is of type str; expected a stream", self.blend.on, "0")

    def test_other_arrays_are_told_the_stream(self):
        speaker, out = Speaker(self.x), torch.tensor(np.zeros((ROWS, COLUMNS)))
        mine = Speaker(out)
        self.blend(mine, speaker, Speaker(self.base), 0.5)
        np.testing.assert_allclose(out.cpu(), wanted(0.5), rtol=1e-6)
        self.assertEqual(speaker.streams, [1])  # what DLPack calls the default stream
        handle = ctypes.addressof(ctypes.c_int(0))
        torch.cuda.chosen = handle
        out = self.blend(speaker, self.base, 0.5)
        self.device.device_wait(handle)
        np.testing.assert_allclose(out.cpu(), wanted(0.5), rtol=1e-6)
        self.assertEqual(speaker.streams, [1, handle])
        self.refused(septran.ArgumentError, "out cannot be made on a device without a tensor of torch's",
                     self.blend, speaker, Speaker(self.base), 0.5)

    def test_wrong_arguments(self):
        x, base = self.x, self.base
        for error, text, arguments in [
                (septran.DeviceError, "stream is in memory of the host; expected an array on a CUDA",
                 (np.zeros((ROWS, COLUMNS), np.float32), base)),
                (septran.DeviceError, "stream is on cpu; expected a CUDA device",
                 (torch.tensor(np.zeros((ROWS, COLUMNS)), device="cpu"), base)),
                (septran.DtypeError, "stream has elements of type float64",
                 (torch.tensor(np.zeros((ROWS, COLUMNS)), torch.float64), base)),
                (septran.ShapeError, "base[0] is 4, and stream[1] is 5",
                 (x, torch.tensor(np.zeros(COLUMNS - 1))))]:
            self.refused(error, text, self.blend, *arguments, 0.5)
        self.refused(septran.OverlapError, "out shares memory with stream", self.blend, x, x, base, 0.5)
        far = torch.tensor(np.zeros((ROWS, COLUMNS)))
        far.device = torch.Device(1)
        self.refused(septran.DeviceError, "stream is on device 1", self.blend,
                     torch.tensor(np.zeros((ROWS, COLUMNS))), far, base, 0.5)
        self.assertEqual(self.device.device_launches(), 0)

    def test_what_a_kernel_says(self):
        self.assertTrue(self.blend.describe()["stream"])
        self.assertIn("__global__", self.blend.source)
        self.assertIn("nvidia/simt", self.blend.mapping)


class OnTheHost(Case):
    def test_transfers_by_itself(self):
        blend = kernel("host")
        x, base = wanted(1), 100 * np.arange(COLUMNS, dtype=np.float32)
        np.testing.assert_allclose(blend(x, base, 0.25), wanted(0.25), rtol=1e-6)
        handle = ctypes.addressof(ctypes.c_int(0))
        np.testing.assert_allclose(blend.on(handle)(x, base, 0.25), wanted(0.25), rtol=1e-6)
        self.refused(septran.DeviceError, "stream is on cuda:0; expected memory of the host", blend,
                     torch.tensor(x), base, 0.5)


class OnBoth(Case):
    def test_each_where_the_mapping_says(self):
        blend = kernel("mixed")
        base = 100 * np.arange(COLUMNS, dtype=np.float32)
        out = blend(torch.tensor(wanted(1)), base, 0.75)
        self.assertEqual(out.device, torch.Device(0))
        np.testing.assert_allclose(out.cpu(), wanted(0.75), rtol=1e-6)


unittest.main()
