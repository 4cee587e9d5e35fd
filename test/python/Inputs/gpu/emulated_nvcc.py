"""Stands in for nvcc: compiles a CUDA source for the emulator of GPUs, and links it into a shared
library with functions for device memory. GXX and EMULATOR name the compiler and the library."""

import os
import pathlib
import subprocess
import sys

# Compilers for the host know none of these.
FOREIGN = ("-arch=", "--expt-", "-O")

words, output, source = [], None, None
arguments = iter(sys.argv[1:])
for word in arguments:
    if word in ("-o", "-Xlinker"):
        value = next(arguments)
        output = value if word == "-o" else output
    elif word.startswith("-Xcompiler="):
        words.append(word.partition("=")[2])
    elif word.endswith(".cu"):
        source = word
    elif word != "-shared" and not word.startswith(FOREIGN):
        words.append(word)

memory = pathlib.Path(__file__).with_name("memory.cpp")
objects = [output + ".o", output + ".memory.o"]
folders = [word for word in words if word.startswith("-I")]
for command in (
        [*words, "-x", "c++", "-O1", "-g1", "-fsanitize=thread", "-c", source, "-o", objects[0]],
        ["-std=c++20", *folders, "-fPIC", "-c", memory, "-o", objects[1]],
        ["-shared", *objects, os.environ["EMULATOR"], "-o", output]):
    subprocess.run([os.environ["GXX"], *command], check=True)
for name in objects:
    os.remove(name)
