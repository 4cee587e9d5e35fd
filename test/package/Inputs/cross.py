"""The adopter with CMake, and a kernel library, for 64-bit ARM.

    cross.py BUILD SOURCE CXX CROSS-CXX SCRATCH

SepTran is installed twice: for the machine that builds, and, without programs, as it would be for the
other. The program and the library are made from the second by the tool of the first."""

import pathlib
import shutil
import sys

sys.dont_write_bytecode = True
from command import run  # noqa: E402

AARCH64 = 183  # EM_AARCH64 of the ELF header

TOOLCHAIN = """set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER {gcc})
set(CMAKE_CXX_COMPILER {gxx})
set(CMAKE_FIND_ROOT_PATH {target})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
"""

KERNEL = """
enable_language(C)
septran_add_kernel(fast_blur STATIC C_ABI MAPPING ../blur/blur.yaml SOURCES ../blur/blur.cpp)
septran_add_kernel(shared_blur C_ABI MAPPING ../blur/blur.yaml SOURCES ../blur/blur.cpp)
add_executable(describe describe.c)
target_link_libraries(describe PRIVATE fast_blur)
add_custom_target(say ALL COMMAND SepTran::rewrite --version > version.txt)
"""

DESCRIBE = """#include "fast_blur.h"
#include <stdio.h>
int main(void) { puts(fast_blur_describe()); }
"""


def machine(path):
    """e_machine of an ELF file; of an archive, that of its member."""
    data = path.read_bytes()
    at = data.index(b"\x7fELF")
    return int.from_bytes(data[at + 18:at + 20], "little")


def main(build, source, gxx, cross, scratch):
    source, scratch = pathlib.Path(source), pathlib.Path(scratch)
    host, target, out = scratch / "host", scratch / "target", scratch / "out"
    run("cmake", "--install", build, "--prefix", host, "--strip")
    shutil.copytree(host, target)
    shutil.rmtree(target / "bin")
    for folder in ("blur", "cmake"):
        shutil.copytree(source / "examples" / "adopt" / folder, scratch / folder)
    project = scratch / "cmake"
    with (project / "CMakeLists.txt").open("a") as file:
        file.write(KERNEL)
    (project / "describe.c").write_text(DESCRIBE)
    toolchain = scratch / "aarch64.cmake"
    toolchain.write_text(TOOLCHAIN.format(gxx=cross, gcc=cross.removesuffix("g++") + "gcc",
                                          target=target))
    run("cmake", "-G", "Ninja", "-S", project, "-B", out, f"-DCMAKE_TOOLCHAIN_FILE={toolchain}",
        f"-DCMAKE_PREFIX_PATH={target}", f"-DSepTran_REWRITE={host / 'bin' / 'septran-rewrite'}")
    run("cmake", "--build", out)
    for name in ("blur", "describe", "libfast_blur.a", "libshared_blur.so"):
        if machine(out / name) != AARCH64:
            sys.exit(f"{name} is for machine {machine(out / name)}")
    rules = (out / "build.ninja").read_text()
    if "--target=aarch64-linux-gnu" not in rules:
        sys.exit("septran-rewrite is not told the target")
    if "septran-rewrite" not in (out / "version.txt").read_text():
        sys.exit("SepTran::rewrite does not run")
    if "no work to do" in run("cmake", "--build", out, "--target", "blur", "describe"):
        print("ok: built for aarch64, and a second build does nothing")
    else:
        sys.exit("a second build did something")
    qemu = shutil.which("qemu-aarch64") or shutil.which("qemu-aarch64-static")
    if not qemu:
        print("not run: there is no qemu-aarch64; scripts/setup cross installs it")
        return
    plain = scratch / "plain"
    run(gxx, "-std=c++20", "-O1", "-I", host / "include", scratch / "blur" / "main.cpp",
        scratch / "blur" / "blur.cpp", "-o", plain)
    emulated = [qemu, "-L", "/usr/aarch64-linux-gnu"]
    said, wanted = run(*emulated, out / "blur", 60, 80), run(plain, 60, 80)
    if said.splitlines() != wanted.splitlines()[-1:]:
        sys.exit(f"the program said {said}, expected {wanted}")
    if '"name":"fast_blur"' not in run(*emulated, out / "describe"):
        sys.exit("the library does not describe itself")
    print("ok: run by qemu")


main(*sys.argv[1:])
