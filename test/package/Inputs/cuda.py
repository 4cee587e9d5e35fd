"""Kernels in CUDA by septran_add_kernel: cuda.py BUILD SOURCE NVCC SCRATCH."""

import pathlib
import sys

sys.dont_write_bytecode = True
from command import run  # noqa: E402


def main(build, source, nvcc, scratch):
    source, scratch = pathlib.Path(source), pathlib.Path(scratch)
    prefix, project = scratch / "prefix", scratch / "project"
    project.mkdir(parents=True, exist_ok=True)
    (project / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(Kernels LANGUAGES CXX CUDA)\n"
        "find_package(SepTran REQUIRED)\n"
        f'septran_add_kernel(saxpy OBJECT MAPPING "{source}/mappings/kernels/saxpy/simt.yaml"\n'
        f'                   SOURCES "{source}/examples/saxpy/saxpy.cpp")\n'
        f'target_include_directories(saxpy PRIVATE "{source}/examples")\n'
        f'septran_add_kernel(gpu_saxpy C_ABI MAPPING "{source}/mappings/kernels/saxpy/simt.yaml"\n'
        f'                   SOURCES "{source}/examples/saxpy/saxpy.cpp")\n'
        f'target_include_directories(gpu_saxpy PRIVATE "{source}/examples")\n')
    run("cmake", "--install", build, "--prefix", prefix, "--strip")
    run("cmake", "-G", "Ninja", "-S", project, "-B", scratch / "out", f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DCMAKE_CUDA_COMPILER={nvcc}", "-DCMAKE_CUDA_ARCHITECTURES=80")
    run("cmake", "--build", scratch / "out")
    objects = list((scratch / "out").rglob("saxpy.cu.o"))
    symbols = run("nm", "-C", *objects)
    if " saxpy(" not in symbols:
        sys.exit(f"{objects} does not define saxpy:\n{symbols}")
    exported = run("nm", "-D", "--defined-only", scratch / "out" / "libgpu_saxpy.so")
    names = sorted(line.split()[-1] for line in exported.splitlines())
    if names != ["gpu_saxpy" + part for part in ("", "_describe", "_infer_shapes", "_last_error")]:
        sys.exit(f"the library exports {names}")


main(*sys.argv[1:])
