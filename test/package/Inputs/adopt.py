"""The adopters of examples/adopt in builds of their own.

    adopt.py cmake GENERATOR | plugin GENERATOR | make   BUILD SOURCE CXX SCRATCH

SepTran is installed from BUILD, moved, and found where it lies then; every folder has a space and a
letter beyond ASCII in its name. The program is built as it is and with what the mapping makes of
it, and both print the same. Nothing runs in a second build; a change of a header, the mapping or a
machine file runs what depends on it.
"""

import pathlib
import re
import shutil
import sys

sys.dont_write_bytecode = True
from command import run  # noqa: E402


def install(build, scratch, folder):
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    run("cmake", "--install", build, "--prefix", scratch / "first", "--strip")
    return (scratch / "first").rename(scratch / folder)


def expect(condition, what, text):
    if not condition:
        sys.exit(f"{what}:\n{text}")


class Build:
    """What all builds have to do; `mapped` tells that blur.cpp was mapped by a run of `command`."""

    def __init__(self, folder, command, mapped, env=None):
        self.folder, self.command, self.mapped, self.env = folder, command, mapped, env
        self.sources = folder.parent / "blur"

    def __call__(self, fails=False):
        return run(*self.command, cwd=self.folder, env=self.env, fails=fails)

    def check(self, program, plain, machine):
        text = self()
        expect(re.search(self.mapped, text), "blur.cpp was not mapped", text)
        expect(run(program) == plain, "other output than the plain program's", plain)
        text = self()
        expect(not re.search(self.mapped + r"|Building|Linking|-c |-o ", text),
               "the second build ran something", text)
        for path in [self.sources / "image.h", self.sources / "blur.yaml", machine]:
            path.touch()
            text = self()
            expect(re.search(self.mapped, text), f"{path} changed and nothing was mapped", text)
            text = self()
            expect(not re.search(self.mapped, text), f"{path}: mapped for ever", text)
        blur = self.sources / "blur.cpp"
        good = blur.read_text()
        blur.write_text(good.replace("sum / 9;", "sum / 9"))
        text = self(fails=True)
        expect("blur.cpp:12:" in text, "the mistake was not located", text)
        blur.write_text(good)
        self()


def main(kind, *rest):
    *generator, build, source, cxx, scratch = rest
    source, scratch = pathlib.Path(source), pathlib.Path(scratch)
    # pkg-config puts a backslash before each byte of an ö.
    septran = install(build, scratch, "sep tran" if kind == "make" else "sep tran ö")
    machine = septran / "share" / "septran" / "machines" / "cpu" / "common.yaml"
    shutil.copytree(source / "examples" / "adopt", scratch / "ad opt é")
    folder = scratch / "ad opt é" / kind
    run(cxx, "-std=c++20", "-w", "-I", septran / "include", "../blur/main.cpp", "../blur/blur.cpp",
        "-o", scratch / "plain", cwd=folder)
    plain = run(scratch / "plain")
    if kind != "make":
        run("cmake", "-G", *generator, "-S", folder, "-B", folder / "out",
            f"-DCMAKE_CXX_COMPILER={cxx}", f"-DCMAKE_PREFIX_PATH={septran}")
        mapped = r"Mapping ../blur/blur.cpp|Mapping blur.cpp" if kind == "cmake" else r"blur\.cpp\.o"
        Build(folder, ["cmake", "--build", "out"], mapped).check(
            folder / "out" / "blur", plain, machine)
        symbols = run("nm", "-C", folder / "out" / "blur")
        expect(re.search(r"blur.*omp", symbols), "no threads in the mapped program", symbols)
    else:
        packages = {"PKG_CONFIG_PATH": str(next(septran.glob("lib*/**/pkgconfig")))}
        Build(folder, ["make", f"CXX={cxx}"], "septran-rewrite", packages).check(
            folder / "blur", plain, machine)


main(*sys.argv[1:])
