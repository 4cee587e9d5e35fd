"""Kernels in HIP by septran_add_kernel: hip.py BUILD SOURCE CLANG SCRATCH."""

import pathlib
import sys

sys.dont_write_bytecode = True
from command import run  # noqa: E402

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(Kernels LANGUAGES CXX HIP)
find_package(SepTran REQUIRED)
foreach(kernel plain fast)
  set(c_abi)
  if(kernel STREQUAL "fast")
    set(c_abi C_ABI)
  endif()
  septran_add_kernel(${{kernel}} OBJECT ${{c_abi}} MACHINE amd/rdna2
                     MAPPING "{source}/mappings/kernels/saxpy/simt.yaml"
                     SOURCES "{source}/examples/saxpy/saxpy.cpp")
  target_include_directories(${{kernel}} PRIVATE "{source}/examples")
endforeach()
"""

# What CMake looks for in ROCm.
CONFIG = """add_library(hip-lang::device INTERFACE IMPORTED)
set(_CMAKE_HIP_DEVICE_RUNTIME_TARGET hip-lang::device)
"""


def main(build, source, clang, scratch):
    source, scratch = pathlib.Path(source), pathlib.Path(scratch)
    prefix, project, out, rocm = (scratch / name for name in ("prefix", "project", "out", "rocm"))
    (rocm / "lib" / "cmake" / "hip-lang").mkdir(parents=True)
    (rocm / "lib" / "cmake" / "hip-lang" / "hip-lang-config.cmake").write_text(CONFIG)
    project.mkdir()
    (project / "CMakeLists.txt").write_text(PROJECT.format(source=source))
    flags = f"-nogpulib -nogpuinc -fms-extensions --cuda-host-only -I{source}/test/Runtime/Inputs/hip"
    run("cmake", "--install", build, "--prefix", prefix, "--strip")
    run("cmake", "-G", "Ninja", "-S", project, "-B", out, f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DCMAKE_HIP_COMPILER={clang}", "-DCMAKE_HIP_COMPILER_FORCED=ON",
        f"-DCMAKE_HIP_COMPILER_ROCM_ROOT={rocm}", "-DCMAKE_HIP_ARCHITECTURES=gfx1030",
        f"-DCMAKE_HIP_FLAGS={flags}")
    said = run("cmake", "--build", out, "--verbose")
    if "--offload-arch=gfx1030" not in said:
        sys.exit(f"the project's architecture is not that of the source:\n{said}")
    for name, wanted in [("saxpy.hip.o", " T saxpy("), ("fast.hip.o", " T fast_describe")]:
        objects = list(out.rglob(name))
        symbols = run("nm", "-C", *objects) if objects else "no object"
        if wanted not in symbols:
            sys.exit(f"{name} does not define{wanted}:\n{symbols}")


main(*sys.argv[1:])
