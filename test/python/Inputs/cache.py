"""Compiled kernels on disk: when one is used again, who may write there, and what names may be."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import septran
from common import HERE, Case

SCRATCH = pathlib.Path(sys.argv.pop(1))


class Cached(Case):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=SCRATCH))
        self.cache = self.folder / "cache"
        for name in ("kernels.cpp", "scale.h", "affine.yaml"):
            shutil.copy(HERE / name, self.folder)

    def compile(self, folder=None, logic="kernels.cpp", mapping="affine.yaml", **options):
        folder = folder or self.folder
        return septran.compile(folder / logic, folder / mapping, flags=["-O0"],
                               cache=options.pop("cache", self.cache), **options)

    def made(self):
        return sorted(path.name for path in (self.cache / "kernels").iterdir())

    def runs(self, kernel, bias=1):
        out = kernel(np.zeros((2, 3), np.float32), np.zeros(3, np.float32), 1, 0, False)
        self.assertEqual(out.tolist(), [[bias] * 3] * 2)

    def edit(self, name, old, new):
        path = self.folder / name
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new))

    def test_made_once_for_what_it_is_made_of(self):
        self.runs(self.compile())
        first = self.made()
        self.assertEqual(len(first), 1)
        for name in ("kernels.cpp", "affine.yaml"):
            os.utime(self.folder / name)  # the same text at another time
        self.runs(self.compile())
        self.assertEqual(self.made(), first)
        self.edit("scale.h", "1.0F", "2.0F")
        self.runs(self.compile(), 2)
        self.assertEqual(len(self.made()), 2)
        self.edit("scale.h", "2.0F", "1.0F")
        self.runs(self.compile())
        self.assertEqual(len(self.made()), 2)
        self.edit("affine.yaml", "tile: 4", "tile: 6")
        kernel = self.compile()
        self.assertIn("tile: 6", kernel.mapping)
        self.assertEqual(len(self.made()), 3)

    def test_only_the_user_may_write(self):
        self.compile()
        for path in [self.cache, *self.cache.iterdir(), *(self.cache / "kernels").iterdir()]:
            self.assertEqual(path.stat().st_mode & 0o777, 0o700, path)
        self.assertEqual([p.name for p in self.cache.iterdir() if p.name not in ("inputs", "kernels")],
                         [])
        self.cache.chmod(0o770)
        self.refused(septran.CacheError, "is open to others; expected mode 0700", self.compile)
        self.cache.chmod(0o700)
        other = self.folder / "other"
        other.symlink_to(self.cache)
        self.refused(septran.CacheError, "is no folder", self.compile, cache=other)
        self.refused(septran.CacheError, "cannot make the cache folder", self.compile,
                     cache=self.folder / "affine.yaml" / "cache")
        if os.geteuid() == 0:
            os.chown(self.cache, 1, 1)
            self.refused(septran.CacheError, "belongs to another user", self.compile)
            os.chown(self.cache, 0, 0)

    def test_what_was_changed_is_made_anew(self):
        self.runs(self.compile())
        kernel = self.cache / "kernels" / self.made()[0]
        names = sorted(path.name for path in kernel.iterdir())
        self.assertEqual(names, sorted(["explanation.txt", "kernel.so", "manifest.json",
                                        "mapping.yaml", "septran_kernels.cpp",
                                        "septran_kernels.h"]))
        library = (kernel / "kernel.so").read_bytes()
        middle = len(library) // 2
        other = library[:middle] + bytes([library[middle] ^ 1]) + library[middle + 1:]
        for name, bad in [("kernel.so", other), ("mapping.yaml", None), ("manifest.json", b"[]"),
                          ("manifest.json", b'{"../x": 0}')]:
            # Another file, as the loaded one must not change under a running program.
            (kernel / name).unlink()
            if bad is not None:
                (kernel / name).write_bytes(bad)
            self.runs(self.compile())
            self.assertEqual(sorted(path.name for path in kernel.iterdir()), names)
            self.assertNotEqual((kernel / name).read_bytes(), bad)
        inputs, = (self.cache / "inputs").iterdir()
        inputs.write_text('{"files": 3}')
        self.runs(self.compile())
        self.assertIn("files", json.loads(inputs.read_text()))

    def test_processes_at_the_same_time(self):
        program = ("import sys, numpy as np, septran\n"
                   "k = septran.compile(sys.argv[1] + '/kernels.cpp', sys.argv[1] + '/affine.yaml', "
                   "flags=['-O0'], cache=sys.argv[2])\n"
                   "o = k(np.zeros((2, 3), 'f4'), np.zeros(3, 'f4'), 1, 0, False)\n"
                   "assert o.tolist() == [[1.0] * 3] * 2\n")
        running = [subprocess.Popen([sys.executable, "-c", program, self.folder, self.cache])
                   for _ in range(4)]
        self.assertEqual([process.wait() for process in running], [0] * 4)
        self.assertEqual(len(self.made()), 1)
        self.assertEqual(sorted(p.name for p in self.cache.iterdir()), ["inputs", "kernels"])

    def test_hostile_names(self):
        folder = self.folder / "; touch 'hurt' $(touch hurt) `touch hurt` \" # -x, ü"
        folder.mkdir()
        logic, mapping = "-o $(touch hurt);'\" ä.cpp", "--check; \"touch\" hurt'.yaml"
        shutil.copy(HERE / "kernels.cpp", folder / logic)
        shutil.copy(HERE / "affine.yaml", folder / mapping)
        shutil.copy(HERE / "scale.h", folder)
        here = os.getcwd()
        os.chdir(folder)
        try:
            # Relative names that begin like options, and a cache in a folder of such a name.
            kernel = septran.compile(logic, mapping, flags=["-O0"], cache="-c, $(touch hurt)")
            self.runs(kernel)
            self.runs(septran.compile(logic, mapping, flags=["-O0"], cache="-c, $(touch hurt)"))
            self.assertEqual(len(list((folder / "-c, $(touch hurt)" / "kernels").iterdir())), 1)
            self.runs(septran.compile(logic, mapping, entry="affine", flags=["-O0"], cache=False))
        finally:
            os.chdir(here)
        self.assertEqual([str(path) for path in SCRATCH.rglob("hurt")], [])
        for name in ("a\nb.cpp", "a\x1b[31m.cpp"):
            shutil.copy(HERE / "kernels.cpp", self.folder / name)
            self.refused(septran.CompileError, "has a control character in its name", self.compile,
                         logic=name)
        for entry in ("affine: {}\nx", "a b", "$(touch hurt)", "", "-x"):
            self.refused(septran.CompileError, "expected the name of an instance", self.compile,
                         entry=entry)
        self.refused(septran.CompileError, "[septran-unknown-tune-point]", self.compile,
                     tune={"affine.tunables.tile; touch hurt": "$(touch hurt)"})
        self.assertEqual([str(path) for path in SCRATCH.rglob("hurt")], [])

    def test_compilations_that_fail(self):
        refused = self.refused
        refused(septran.CompileError, "logic_file: there is no file", self.compile, logic="none.cpp")
        refused(septran.CompileError, "mapping_file is a int; expected a path", septran.compile,
                self.folder / "kernels.cpp", 3)
        refused(septran.CompileError, "neither a mapping_file nor a machine to derive one for",
                septran.compile, self.folder / "kernels.cpp")
        refused(septran.CompileError, "tune has no meaning without a mapping_file", septran.compile,
                self.folder / "kernels.cpp", machine="cpu/generic", tune={"a": 1})
        refused(septran.CompileError, "shapes has no meaning with a mapping_file", self.compile, shapes={"a": 1})
        refused(septran.CompileError, "shapes has 'x'; expected a number, or several", septran.compile,
                self.folder / "kernels.cpp", machine="cpu/generic", shapes={"a": "x"})
        refused(septran.CompileError, "[septran-derive-entry]", septran.compile,
                self.folder / "kernels.cpp", machine="cpu/generic", flags=["-O0"], cache=self.cache)
        refused(septran.CompileError, "the machine takes c; expected one that takes c++ or cuda or hip",
                self.compile, machine=HERE / "board.yaml")
        refused(septran.CompileError, "flags is one text; expected a list", septran.compile,
                self.folder / "kernels.cpp", self.folder / "affine.yaml", flags="-O2 -g")
        refused(septran.CompileError, "there is no program no-such-compiler", self.compile,
                compiler="no-such-compiler")
        refused(septran.CompileError, "there is no program no-such-tool", self.compile,
                tool="no-such-tool")
        refused(septran.CompileError, "[septran-unknown-machine]", self.compile, machine="cpu/none")
        self.edit("affine.yaml", "tile", "tyle")
        with self.assertRaises(septran.CompileError) as raised:
            self.compile()
        self.assertIn("did you mean 'tile'?", raised.exception.output)
        self.edit("affine.yaml", "tyle", "tile")
        self.edit("scale.h", "1.0F", "one")
        refused(septran.CompileError, "scale.h:3", self.compile)
        self.assertEqual(self.made(), [])
        self.assertEqual(sorted(p.name for p in self.cache.iterdir()), ["inputs", "kernels"])

    def test_default_folder(self):
        from septran.cache import default_folder
        kept = dict(os.environ)
        try:
            os.environ.pop("SEPTRAN_CACHE_DIR", None)
            os.environ["HOME"] = "/home/nobody"
            os.environ["XDG_CACHE_HOME"] = "relative"
            self.assertEqual(default_folder(), pathlib.Path("/home/nobody/.cache/septran"))
            os.environ["XDG_CACHE_HOME"] = "/caches"
            self.assertEqual(default_folder(), pathlib.Path("/caches/septran"))
            os.environ["SEPTRAN_CACHE_DIR"] = "/mine"
            self.assertEqual(default_folder(), pathlib.Path("/mine"))
        finally:
            os.environ.clear()
            os.environ.update(kept)


unittest.main()
