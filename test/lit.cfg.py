"""lit configuration of every test under test/.

Substitutions (beside lit's own %s, %S, %t):

  %septran-rewrite, %septran-verify   the tools that were built
  %plugin            the plugin for clang++ 19
  %clangxx, %gxx     clang++ 19 and g++; %nvcc where there is one (REQUIRES: nvcc), and
                     %aarch64_gxx, a cross compiler (REQUIRES: aarch64; scripts/setup cross)
  %septran_include   runtime/include: -I %septran_include makes <septran/septran.h> known
  %openmp_flags      what clang++ and g++ need to compile and link OpenMP
  %emulator_flags    what they need to compile a CUDA source for the emulator of GPUs; the
                     object is linked, without these, with %emulator_library
  %nvcc_flags        what %nvcc needs to compile the same source for sm_80 and sm_90
  %mappings, %examples, %scripts, %src, %build    folders
  %python            a Python that has the jsonschema and yaml modules
  %golden            %golden EXPECTED NEW compares two files; under scripts/update-checks
                     it replaces EXPECTED by NEW

FileCheck, not, count and split-file are found on the PATH.

Features, for REQUIRES: clang, gcc, openmp, nvcc, aarch64; onednn: its headers (scripts/setup bench); and
zen5, avx512-bf16, avx512-vnni, avx512, avx2, generic: the machine files cpu/zen5, cpu/x86-avx512-bf16
and so on that fit this processor; long: with `--param long=1`, for tests that take more than half
a minute, and for the second compiler where the first shows most
"""

import os
import sys

sys.path[:0] = [os.path.join(config.source_root, folder) for folder in ("scripts", "test")]
import processor
import timed_test

config.name = "SepTran"
config.test_format = timed_test.TimedShTest(execute_external=False)
config.suffixes = [".cpp", ".test", ".yaml"]
config.excludes = ["Inputs", "unit", "bench", "faults", "fuzz"]
config.test_source_root = os.path.join(config.source_root, "test")
config.test_exec_root = lit_config.params.get("exec_root", os.path.join(config.build_root, "test"))

# A test that hangs fails; compiling and running an example under every mapping takes seconds.
if lit_config.maxIndividualTestTimeIsSupported[0] and not lit_config.maxIndividualTestTime:
    lit_config.maxIndividualTestTime = 300

config.environment["PATH"] = os.pathsep.join([config.llvm_tools_dir, os.environ["PATH"]])
# Tests run side by side: threads that wait must not spin. Three threads divide few extents
# evenly, so uneven shares are tested everywhere.
config.environment["OMP_NUM_THREADS"] = "3"
config.environment["OMP_WAIT_POLICY"] = "passive"


def source(*parts):
    return os.path.join(config.source_root, *parts)


def copy_command():
    return f"{config.python} -c 'import shutil, sys; shutil.copyfile(sys.argv[2], sys.argv[1])'"


update_goldens = lit_config.params.get("update_goldens")
config.substitutions += [
    ("%septran-rewrite", os.path.join(config.build_root, "tool", "septran-rewrite")),
    ("%septran-verify", os.path.join(config.build_root, "tool", "septran-verify")),
    ("%plugin", os.path.join(config.build_root, "plugin", "libseptran.so")),
    ("%septran_include", source("runtime", "include")),
    ("%openmp_flags", "-fopenmp"),
    ("%emulator_flags", "-x c++ -std=c++20 -O1 -g1 -fsanitize=thread -Wall -Wextra "
                        f"-Wno-unknown-pragmas -I {source('runtime', 'include')} -c"),
    ("%emulator_library", os.path.join(config.build_root, "runtime", "emulator",
                                       "libseptran_emulator.a")),
    # For sm_80 and sm_90. The host's code is not run, and -O is of it alone.
    ("%nvcc_flags", "-std=c++20 --expt-relaxed-constexpr -O0 -Xptxas -v "
                    "-gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 "
                    f"-Werror all-warnings -I {source('runtime', 'include')} -c"),
    ("%mappings", source("mappings")),
    ("%examples", source("examples")),
    ("%scripts", source("scripts")),
    ("%src", config.source_root),
    ("%build", config.build_root),
    ("%python", config.python),
    ("%golden", copy_command() if update_goldens else "diff -u"),
]


def add_compiler(feature, substitution, path):
    if path:
        config.available_features.add(feature)
        config.substitutions.append((substitution, path))


add_compiler("clang", "%clangxx", config.clangxx)
add_compiler("gcc", "%gxx", config.gxx)
add_compiler("nvcc", "%nvcc", config.nvcc)
add_compiler("aarch64", "%aarch64_gxx", config.aarch64_gxx)
# Both bring their own OpenMP; clang's is a package that scripts/setup installs with it.
if config.clangxx or config.gxx:
    config.available_features.add("openmp")

if lit_config.params.get("long"):
    config.available_features.add("long")
if os.path.exists("/usr/include/dnnl.hpp"):
    config.available_features.add("onednn")

for name in processor.machines() + processor.machines(processor.SPECIAL):
    config.available_features.add(name.removeprefix("x86-"))
