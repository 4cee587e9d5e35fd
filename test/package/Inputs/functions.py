"""What septran_target_sources and septran_add_kernel say to calls that are wrong.

    functions.py BUILD SOURCE SCRATCH

Each call stands in a project of its own that is configured and must fail with that message."""

import pathlib
import re
import subprocess
import sys

CALLS = [
    ("septran_target_sources(blur MAPING blur.yaml SOURCES blur.cpp)",
     r"septran_target_sources\(blur\): unknown arguments: MAPING;blur.yaml; expected MAPPING, SOURCES,"),
    ("septran_target_sources(blur SOURCES blur.cpp)",
     r"septran_target_sources\(blur\): MAPPING is missing; or MACHINE, to derive one for"),
    ("septran_target_sources(blur MACHINE cpu/generic TUNE a=1 SOURCES blur.cpp)",
     r"septran_target_sources\(blur\): TUNE has no meaning without MAPPING"),
    ("septran_target_sources(blur MAPPING blur.yaml ENTRY blur SOURCES blur.cpp)",
     r"septran_target_sources\(blur\): ENTRY has no meaning with MAPPING"),
    ("septran_target_sources(blur MAPPING blur.yaml SHAPES N=4 SOURCES blur.cpp)",
     r"septran_target_sources\(blur\): SHAPES has no meaning with MAPPING"),
    ("septran_target_sources(blur MAPPING blur.yaml)",
     r"septran_target_sources\(blur\): SOURCES is missing"),
    ("septran_target_sources(blur MAPPING SOURCES blur.cpp)",
     r"septran_target_sources\(blur\): no value after MAPPING"),
    ("septran_target_sources(blurr MAPPING blur.yaml SOURCES blur.cpp)",
     r"septran_target_sources\(blurr\): there is no such target"),
    ("septran_target_sources(blur MAPPING blur.yaml SOURCES blurr.cpp)",
     r"septran_target_sources\(blur\): there is no file /.*/blurr.cpp"),
    ("septran_target_sources(blur MAPPING blurr.yaml SOURCES blur.cpp)",
     r"septran-rewrite ended with 1 .*/blurr.yaml.* \[septran-"),
    ("septran_target_sources(blur MAPPING blur.yaml MACHINE cpu/pdp11 SOURCES blur.cpp)",
     r"septran-rewrite ended with 1 .*pdp11.* \[septran-"),
    ("septran_target_sources(blur MAPPING blur.yaml MACHINE nvidia/simt SOURCES blur.cpp)",
     r"the mapping writes CUDA, which is none of the project's languages: .*CXX"),
    ("septran_target_sources(blur MAPPING blur.yaml SOURCES blur.cpp blur.cpp)",
     r"septran_target_sources\(blur\): blur.cpp is mapped already, by .*/blur.yaml"),
    ("add_subdirectory(inner)",
     r"septran_target_sources\(blur\): expected in .*, where the target was made"),
    ("septran_target_plugin(blur MAPPING blur.yaml SOURCES blur.cpp)",
     r"septran_target_plugin\(blur\): the plugin is for clang 19, and the compiler is GNU .*; "
     r"septran_target_sources works with any"),
    ("septran_add_kernel(kernel SHARED MAPPING blur.yaml SOURCE blur.cpp)",
     r"septran_target_sources\(kernel\): unknown arguments: SOURCE;blur.cpp"),
    ("septran_add_kernel(kernel C_ABI MAPPING blur.yaml SOURCES blur.cpp blur.cpp)",
     r"septran_add_kernel\(kernel\): C_ABI takes one source, found 2"),
    ("septran_add_kernel(kernel C_ABI MAPPING blur.yaml MACHINE nvidia/simt SOURCES blur.cpp)",
     r"the mapping writes CUDA, which is none of the project's languages: .*CXX"),
    ("septran_add_kernel(my-kernel C_ABI MAPPING blur.yaml SOURCES blur.cpp)",
     r"septran_add_kernel\(my-kernel\): C_ABI needs a target whose name can begin C functions"),
]


def main(build, source, scratch):
    scratch = pathlib.Path(scratch)
    prefix = scratch / "prefix"
    subprocess.run(["cmake", "--install", build, "--prefix", prefix, "--strip"], check=True,
                   stdout=subprocess.DEVNULL)
    project = scratch / "project"
    (project / "inner").mkdir(parents=True, exist_ok=True)
    for name in ["blur.cpp", "blur.yaml"]:
        text = (pathlib.Path(source) / "examples" / "adopt" / "blur" / name).read_text()
        (project / name).write_text(text)
    (project / "inner" / "CMakeLists.txt").write_text(
        "septran_target_sources(blur MAPPING ../blur.yaml SOURCES ../blur.cpp)\n")
    for call, message in CALLS:
        (project / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(Wrong LANGUAGES CXX)\n"
            "find_package(SepTran REQUIRED)\nadd_executable(blur blur.cpp)\n" + call + "\n")
        result = subprocess.run(["cmake", "-S", project, "-B", scratch / "out",
                                 f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_CXX_COMPILER=g++"],
                                text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        words = " ".join(result.stdout.split()) # CMake breaks lines
        if result.returncode == 0 or not re.search(message, words):
            sys.exit(f"{call}\nended with {result.returncode}, expected {message}:\n{words}")
        print("ok:", call)


main(*sys.argv[1:])
