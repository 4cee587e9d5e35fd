"""Two static kernel libraries of one logic file: static.py BUILD SOURCE SCRATCH."""

import pathlib
import re
import sys

sys.dont_write_bytecode = True
from command import run  # noqa: E402

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(Kernels LANGUAGES C CXX)
find_package(SepTran REQUIRED)
septran_add_kernel(mapped STATIC C_ABI MAPPING "{source}/mappings/kernels/saxpy/generic.yaml"
                   SOURCES "{source}/examples/saxpy/saxpy.cpp")
septran_add_kernel(derived STATIC C_ABI MACHINE cpu/generic ENTRY saxpy SHAPES y[0]=4096,65536
                   SOURCES "{source}/examples/saxpy/saxpy.cpp")
foreach(kernel mapped derived)
  target_include_directories(${{kernel}} PRIVATE "{source}/examples")
endforeach()
add_executable(both both.c)
target_link_libraries(both PRIVATE mapped derived)
"""

BOTH = """#include "derived.h"
#include "mapped.h"
#include <stdio.h>

int main(void) {
  float x[5] = {1, 2, 3, 4, 5}, y[5] = {0};
  int64_t shape[1] = {5};
  septran_dlpack_tensor in = {x, {1, 0}, 1, {2, 32, 1}, shape, 0, 0};
  septran_dlpack_tensor out = {y, {1, 0}, 1, {2, 32, 1}, shape, 0, 0};
  if (mapped(&out, 2, &in) || derived(&out, 3, &in))
    return 1;
  printf("%g %g\\n", y[0], y[4]);
  puts(mapped_describe());
  puts(derived_describe());
  return mapped(&out, 2, 0) == 0 || mapped_last_error()[0] == 0 || derived_last_error()[0] != 0;
}
"""


def main(build, source, scratch):
    scratch = pathlib.Path(scratch)
    prefix, project, out = scratch / "prefix", scratch / "project", scratch / "out"
    project.mkdir()
    (project / "CMakeLists.txt").write_text(PROJECT.format(source=source))
    (project / "both.c").write_text(BOTH)
    run("cmake", "--install", build, "--prefix", prefix, "--strip")
    run("cmake", "-G", "Ninja", "-S", project, "-B", out, f"-DCMAKE_PREFIX_PATH={prefix}",
        "-DCMAKE_CXX_COMPILER=g++", "-DCMAKE_C_COMPILER=gcc")
    run("cmake", "--build", out)
    for name in ("mapped", "derived"):
        symbols = run("nm", "-g", "--defined-only", out / f"lib{name}.a")
        found = sorted(re.findall(r" [A-Za-z] (\w+)$", symbols, re.M))
        wanted = [name + part for part in ("", "_describe", "_infer_shapes", "_last_error")]
        if found != wanted:
            sys.exit(f"lib{name}.a has the symbols {found}; wanted {wanted}")
    said = run(out / "both").splitlines()
    hashes = re.findall(r'"mapping_sha256":"(\w+)"', "".join(said[1:]))
    if said[0] != "5 25" or len(set(hashes)) != 2:
        sys.exit(f"the program said {said}")
    mapping = (out / "septran" / "derived" / "derived.cpp.yaml").read_text()
    if not mapping.startswith("# Derived by") or "\n# For y[0]=4096,65536\n" not in mapping:
        sys.exit("the derived mapping is not beside what was made by it, or for other shapes")
    again = run("cmake", "--build", out)
    if "no work to do" not in again:
        sys.exit(f"a second build did something:\n{again}")


main(*sys.argv[1:])
