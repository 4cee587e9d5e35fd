"""Calls of kernels: arrays of numpy, torch and others; outputs; everything that is refused."""

import json
import os
import sys
import threading
import unittest

import numpy as np

import septran
from common import HERE, Case, kernel

try:
    import torch
except ImportError:
    torch = None


class Wrapped:
    """An array that speaks DLPack and nothing else."""

    def __init__(self, array, device=(1, 0)):
        self.array, self.device = array, device

    def __dlpack__(self, **_):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.device


class Calls(Case):
    @classmethod
    def setUpClass(cls):
        cls.affine, cls.split = kernel(), kernel("split")
        cls.x = np.arange(15, dtype=np.float32).reshape(5, 3)
        cls.v = np.array([10, 20, 30, 40], np.float32)

    def wanted(self, x, factor=2.0, shift=1):
        return factor * np.asarray(x) + self.v[shift:shift + 3] + 1

    def call(self, x, factor=2.0, shift=1, negate=False):
        return self.affine(x, self.v, factor, shift, negate)

    def test_makes_the_output(self):
        out = self.call(self.x)
        self.assertEqual((type(out), out.dtype, out.shape), (np.ndarray, np.float32, (5, 3)))
        np.testing.assert_array_equal(out, self.wanted(self.x))
        np.testing.assert_array_equal(self.call(self.x, negate=np.bool_(True)),
                                      self.wanted(self.x, -2))

    def test_shapes_may_change_from_call_to_call(self):
        for rows in (0, 1, 7, 5, 300, 5, 0):
            x = np.ones((rows, 3), np.float32)
            np.testing.assert_array_equal(self.call(x), self.wanted(x))
        for shift in (0, 1, 0):
            np.testing.assert_array_equal(self.call(self.x, shift=shift),
                                          self.wanted(self.x, shift=shift))

    def test_takes_the_output(self):
        for out in (np.empty((5, 3), np.float32), np.empty((3, 5), np.float32).T,
                    np.empty((5, 6), np.float32)[:, ::2]):
            self.assertIs(self.affine(out, self.x, self.v, 2, 1, False), out)
            np.testing.assert_array_equal(out, self.wanted(self.x))
            out[:] = 0
            self.assertIs(self.affine(self.x, self.v, 2, 1, False, out=out), out)
            np.testing.assert_array_equal(out, self.wanted(self.x))

    def test_names_are_those_of_the_task(self):
        out = self.affine(self.x, factor=2, negate=False, shift=1, restrict_=self.v)
        np.testing.assert_array_equal(out, self.wanted(self.x))

    def test_layouts(self):
        for x in (np.asfortranarray(self.x), np.repeat(self.x, 2, 1)[:, ::2],
                  np.broadcast_to(self.x[:1], (5, 3)), self.x[1:, :], self.x[:0]):
            np.testing.assert_array_equal(self.call(x), self.wanted(x))
        frozen = self.x.copy()
        frozen.flags.writeable = False
        np.testing.assert_array_equal(self.call(frozen), self.wanted(frozen))

    def test_several_outputs_and_arguments_in_place(self):
        count = np.zeros(4, np.int32)
        low, high = self.split(np.arange(8, dtype=np.int32), count)
        self.assertEqual((low.tolist(), high.tolist(), count.tolist()),
                         ([0, 1, 2, 3], [4, 5, 6, 7], [1] * 4))
        mine = np.zeros(4, np.int32)
        low, high = self.split(np.arange(8, dtype=np.int32), count, **{"lambda": mine})
        self.assertIs(high, mine)
        self.assertEqual(count.tolist(), [2] * 4)
        self.refused(septran.ArgumentError, "split: self is read-only", self.split,
                     np.arange(8, dtype=np.int32), np.broadcast_to(count[:1], 4))

    def test_small_floats(self):
        y = kernel("negate_half")(np.array([1, -2.5], np.float16))
        self.assertEqual((y.dtype, y.tolist()), (np.float16, [-1, 2.5]))

    def test_other_arrays(self):
        out = self.affine(Wrapped(self.x), Wrapped(self.v), 2, 1, False)
        np.testing.assert_array_equal(out, self.wanted(self.x))
        mine = np.empty((5, 3), np.float32)
        self.affine(Wrapped(self.x), self.v, 2, 1, False, out=Wrapped(mine))
        np.testing.assert_array_equal(mine, self.wanted(self.x))
        self.refused(septran.DeviceError, "affine: in is on a device of type 2, number 1",
                     self.call, Wrapped(self.x, (2, 1)))
        self.refused(septran.DtypeError, "affine: in has elements of type f64; expected f32",
                     self.call, Wrapped(self.x.astype(np.float64)))
        self.refused(septran.ShapeError, "affine: in has 1 dimension; expected 2", self.call,
                     Wrapped(self.v))
        self.refused(septran.ArgumentError, "affine: in gives no DLPack tensor", self.call,
                     Wrapped(3))

    def test_truth_values(self):
        choose = kernel("choose")
        self.assertEqual(choose(np.array([True, False])).tolist(), [1, 0])
        # Producers that are older than DLPack's code for them call them bytes.
        self.assertEqual(choose(Wrapped(np.array([1, 0], np.uint8))).tolist(), [1, 0])

    def test_wrong_arrays(self):
        x = self.x
        for error, text, wrong in [
                (septran.DtypeError, "in has elements of type float64; expected float32",
                 x.astype(np.float64)),
                (septran.DtypeError, "in has elements of type >f4", x.astype(">f4")),
                (septran.DtypeError, "in has elements of type object", x.astype(object)),
                (septran.DtypeError, "in has elements of type <U", x.astype(str)),
                (septran.DtypeError, "in is of type list; expected an array of float32", [[1.0]]),
                (septran.DtypeError, "in is of type NoneType", None),
                (septran.DtypeError, "in is of type float", 2.0),
                (septran.ShapeError, "in has 1 dimension; expected 2", x[0]),
                (septran.ShapeError, "in has 3 dimensions; expected 2", x[None]),
                (septran.ShapeError, "restrict_[0] is 4; expected at least 5, which is", x[:, [0] * 4]),
                (septran.StrideError, "stride 0 of in is -3", x[::-1]),
                (septran.ArgumentError, "in is a masked array", np.ma.array(x)),
                (septran.ArgumentError, "expected a multiple of 4",
                 np.frombuffer(bytes(61), np.uint8)[1:].view(np.float32).reshape(5, 3))]:
            self.refused(error, text, self.call, wrong)
            self.refused(error, text, self.call, wrong)
        fields = np.zeros((5, 3), [("a", "f4"), ("b", "u1")])["a"]
        self.refused(septran.StrideError, "expected multiples of its elements' 4", self.call, fields)

    def test_arrays_that_decide_an_output_differently(self):
        self.refused(septran.ShapeError, "y[0] is 4, and x[0] is 3; expected the same, for z[0]",
                     kernel("added"), np.zeros(3), np.zeros(4))

    def test_wrong_outputs(self):
        def into(out):
            self.affine(out, self.x, self.v, 2, 1, False)

        self.refused(septran.ShapeError, "in[0] is 5; expected 4, which is out[0]", into,
                     np.empty((4, 3), np.float32))
        self.refused(septran.OverlapError, "out shares memory with in", into, self.x)
        self.refused(septran.OverlapError, "out shares memory with in", into,
                     np.ndarray((5, 3), np.float32, self.x))
        whole = np.empty((5, 4), np.float32)
        self.refused(septran.StrideError, "elements of out share memory", into,
                     np.lib.stride_tricks.as_strided(whole, (5, 3), (4, 4)))
        frozen = np.empty((5, 3), np.float32)
        frozen.flags.writeable = False
        self.refused(septran.ArgumentError, "out is read-only", into, frozen)

    def test_wrong_scalars(self):
        for error, text, named in [
                (septran.ArgumentError, "shift is 128; expected -128 to 127", {"shift": 128}),
                (septran.ArgumentError, "shift is 1180591620717411303424", {"shift": 1 << 70}),
                (septran.DtypeError, "shift is of type float; expected an integer", {"shift": 1.0}),
                (septran.DtypeError, "factor is of type str; expected a number", {"factor": "2"}),
                (septran.DtypeError, "factor is of type complex", {"factor": 2j}),
                (septran.DtypeError, "factor is of type ndarray", {"factor": self.v}),
                (septran.DtypeError, "factor is of type NoneType", {"factor": None}),
                (septran.DtypeError, "negate is of type int; expected True or False", {"negate": 2}),
                (septran.ShapeError, "shift is -1; expected at least 0", {"shift": -1})]:
            self.refused(error, text, self.call, self.x, **named)

    def test_wrong_calls(self):
        for text, arguments, named in [
                ("factor, shift, negate are missing; it takes in, restrict_, factor", (self.x, self.v), {}),
                ("affine takes 5 arguments, or 6 with its outputs; got 7", (1,) * 7, {}),
                ("affine has no parameter 'axis'; its parameters are out, in", (1,) * 5, {"axis": 1}),
                ("in is given twice", (self.x,), {"in": self.x})]:
            self.refused(septran.DtypeError, text, self.affine, *arguments, **named)

    def test_derived_mapping(self):
        added = septran.compile(HERE / "kernels.cpp", machine="cpu/generic", entry="added", flags=["-O0"])
        x = np.arange(5.0)
        np.testing.assert_array_equal(added(x, x), 2 * x)
        self.assertIn("# Derived", added.mapping)
        short = septran.compile(HERE / "kernels.cpp", machine="cpu/generic", entry="added", flags=["-O0"],
                                shapes={"z[0]": [5, 6]})
        np.testing.assert_array_equal(short(x, x), 2 * x)
        self.assertIn("# For z[0]=5,6\n", short.mapping)

    def test_checked_accesses(self):
        pick = kernel("pick", flags=["-DSEPTRAN_CHECKED"])
        table, good = np.arange(4, dtype=np.float32), np.array([3, 0], np.int32)
        for _ in range(2):
            self.assertEqual(pick(table, good).tolist(), [3, 0])
            for wrong in (-1, 4):
                self.refused(septran.CheckError, f"'pick_leaf' reads element ({wrong}) of 'table', outside",
                             pick, table, np.array([wrong], np.int32))

    def test_hosts_have_no_streams(self):
        self.refused(septran.ArgumentError, "affine runs on the host, which has no streams",
                     self.affine.on, 0)

    def test_exceptions_of_the_kernel(self):
        thrower = kernel("thrower")
        self.assertIsNone(thrower(np.zeros(2, np.float32)))
        self.refused(septran.KernelError, "thrower: an exception of unknown type", thrower,
                     np.zeros(13, np.float32))

    def test_what_a_kernel_says(self):
        described = self.affine.describe()
        self.assertEqual([a["name"] for a in described["arguments"]],
                         ["out", "in", "restrict_", "factor", "shift", "negate"])
        self.assertEqual(described, json.loads(json.dumps(described)))
        self.assertIn("extern", self.affine.header)
        self.assertIn("pragma omp parallel for", self.affine.source)
        self.assertIn("tile: 4", self.affine.mapping)
        self.assertIn("affine_leaf on CORE", self.affine.explain())
        self.assertEqual(repr(self.split), "<septran kernel split(both, self) -> low, lambda>")

    def test_threads(self):
        problems = []

        def work(seed):
            random = np.random.default_rng(seed)
            for _ in range(200):
                x = random.random((int(random.integers(1, 9)), 3), np.float32)
                if not np.array_equal(self.call(x), self.wanted(x).astype(np.float32)):
                    problems.append(x)
                try:
                    self.call(x[:, :1], shift=4)
                    problems.append("no error")
                except septran.ShapeError as problem:
                    if "restrict_[0] is 4; expected at least 5" not in str(problem):
                        problems.append(str(problem))

        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(problems, [])

    def test_calls_leak_nothing(self):
        def resident():
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

        def calls(count):
            wrapped, out = Wrapped(self.x), np.empty((5, 3), np.float32)
            for i in range(count):
                self.call(self.x)
                if i % 10 == 0:
                    self.affine(out, wrapped, self.v, 2, 1, False)
                    # More layouts than are kept, and refusals.
                    self.call(np.empty((i % 3000, 3), np.float32))
                    for wrong in (self.x[::-1], self.x[0], None):
                        try:
                            self.call(wrong)
                        except septran.SeptranError:
                            pass

        calls(30000)
        references = sys.getrefcount(self.x)
        before = resident()
        calls(100000)
        # Less than 32 bytes a call, which is less than any object has.
        self.assertLess(resident() - before, 100000 * 32)
        self.assertEqual(sys.getrefcount(self.x), references)


@unittest.skipIf(torch is None, "there is no torch")
class TorchCalls(Case):
    @classmethod
    def setUpClass(cls):
        cls.affine = kernel()
        cls.x = torch.arange(15, dtype=torch.float32).reshape(5, 3)
        cls.v = torch.tensor([10, 20, 30], dtype=torch.float32)

    def call(self, x):
        return self.affine(x, self.v, 2.0, 0, False)

    def test_makes_and_takes_outputs(self):
        out = self.call(self.x)
        self.assertIs(type(out), torch.Tensor)
        self.assertTrue(torch.equal(out, 2 * self.x + self.v + 1))
        self.assertTrue(torch.equal(self.call(self.x.T.contiguous().T), out))
        mine = torch.empty(5, 3)
        self.assertIs(self.affine(mine, self.x, self.v, 2, 0, False), mine)
        self.assertTrue(torch.equal(mine, out))
        mixed = self.affine(self.x, self.v.numpy(), 2, 0, False)
        self.assertTrue(torch.equal(mixed, out))

    def test_bfloat16(self):
        y = kernel("negate_bf16")(torch.tensor([1, -2.5], dtype=torch.bfloat16))
        self.assertEqual((y.dtype, y.tolist()), (torch.bfloat16, [-1, 2.5]))

    def test_wrong_tensors(self):
        for error, text, wrong in [
                (septran.DtypeError, "in has elements of type float64", self.x.double()),
                (septran.DtypeError, "in has elements of type torch.complex64",
                 self.x.to(torch.complex64)),
                (septran.ArgumentError, "in requires a gradient", self.x.clone().requires_grad_()),
                (septran.ArgumentError, "in is the negation of other memory",
                 torch.complex(self.x, self.x).conj().imag),
                (septran.ArgumentError, "in has the layout torch.sparse_coo", self.x.to_sparse()),
                (septran.ArgumentError, "in has the layout torch.sparse_csr", self.x.to_sparse_csr()),
                (septran.DeviceError, "in is on meta", self.x.to("meta")),
                (septran.ShapeError, "in has 1 dimension", self.x[0])]:
            self.refused(error, text, self.call, wrong)
        self.refused(septran.OverlapError, "out shares memory with in", self.affine, self.x, self.x,
                     self.v, 2, 0, False)
        self.refused(septran.StrideError, "elements of out share memory", self.affine,
                     torch.empty(1, 3).expand(5, 3), self.x, self.v, 2, 0, False)


unittest.main()
