"""What the tests of the package share."""

import pathlib
import unittest

import septran

HERE = pathlib.Path(__file__).resolve().parent


def kernel(entry=None, **options):
    """A task of kernels.cpp, compiled without optimisation: tests wait for the compiler."""
    mapping = HERE / ("kernels.yaml" if entry else "affine.yaml")
    return septran.compile(HERE / "kernels.cpp", mapping, entry=entry,
                           flags=["-O0", *options.pop("flags", [])], **options)


class Case(unittest.TestCase):
    def refused(self, error, text, call, *arguments, **named):
        """The call raises exactly this kind of exception with this text in it."""
        with self.assertRaises(error) as raised:
            call(*arguments, **named)
        self.assertIs(type(raised.exception), error)
        self.assertIn(text, str(raised.exception))
