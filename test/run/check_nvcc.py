#!/usr/bin/env python3
"""Compiles the kernels of generated CUDA for sm_80 and sm_90; nothing is run.

Fails if a kernel spills registers or has a stack frame: both mean that what the mapping placed in
registers is not there. Fails too if a kernel takes other shared memory than was planned: up to 48 KB
it is declared, and ptxas reports it; more is asked for at the launch, and ptxas knows of none.
"""

import argparse
import pathlib
import re
import sys

sys.dont_write_bytecode = True
import programs  # noqa: E402

ARCHITECTURES = [part for arch in ("80", "90")
                 for part in ("-gencode", f"arch=compute_{arch},code=sm_{arch}")]

# Kernels alone: what calls them is read all the same, and most of the time is what the host's compiler
# takes. With --host that compiles it, too; it is not run, and -O is of it alone.
DEVICE, HOST = ["-fatbin"], ["-O0", "-c"]

STATIC_BYTES = 48 * 1024


def planned_bytes(source):
    """Kernel -> bytes of shared memory that it declares, and that its launch asks for."""
    declared = {}
    for name, body in re.findall(r"^__global__ void __launch_bounds__\(\d+, 1\)\s+(\w+)\((.*?)^\}",
                                 source, re.S | re.M):
        found = re.search(r"shared_bytes = (\d+);", body)
        declared[name] = int(found.group(1)) if found else 0
    asked = {}
    for call, size in re.findall(r"cuda::launch\((.*?)\.shared_bytes = (\d+)", source, re.S):
        for name in declared:
            if re.search(rf"\b{name}\b", call):
                asked[name] = int(size)
    return declared, asked


def check_shared_memory(source, text):
    declared, asked = planned_bytes(source.read_text())
    used = {}
    for mangled, rest in re.findall(r"Compiling entry function '(\w+)'.*?Used \d+ registers([^\n]*)", text,
                                    re.S):
        for name in declared:
            if f"{len(name)}{name}" in mangled:
                found = re.search(r"(\d+) bytes smem", rest)
                used.setdefault(name, set()).add(int(found.group(1)) if found else 0)
    for name, size in declared.items():
        if used.get(name) != {size}:
            raise programs.Failed(f"{source}: {name} declares {size} bytes of shared memory, ptxas "
                                  f"reports {used.get(name)}\n{text}")
        if asked[name] and not size and asked[name] <= STATIC_BYTES - 256:
            raise programs.Failed(f"{source}: {name} asks for {asked[name]} bytes that it could declare")
        if asked[name] and size:
            raise programs.Failed(f"{source}: {name} both declares and asks for shared memory")


def check(options, name):
    if name.endswith(".yaml"):
        logic, mapping = pathlib.Path(options.example), pathlib.Path(name)
        source = options.scratch / f"{logic.stem}-{mapping.stem}.cu"
    else:
        source = options.scratch / f"{options.example}-{name}.cu"
        logic = programs.ROOT / "examples" / options.example / f"{options.example}.cpp"
        mapping = programs.ROOT / "mappings" / "kernels" / options.example / f"{name}.yaml"
    programs.call([options.tool, logic, "--mapping", mapping, "-o", source, "--", "-std=c++20",
                   *programs.INCLUDES])
    text = programs.call([options.nvcc, "-std=c++20", "--expt-relaxed-constexpr", *ARCHITECTURES,
                          "-Xptxas", "-v", *programs.INCLUDES, *(HOST if options.host else DEVICE),
                          source, "-o", source.with_suffix(".o")])
    kernels = re.findall(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads",
                         text)
    if not kernels:
        raise programs.Failed(f"{source} has no kernel\n{text}")
    if any(number != "0" for kernel in kernels for number in kernel):
        raise programs.Failed(f"{source} spills or has a stack frame\n{text}")
    check_shared_memory(source, text)
    if "warning" in text:
        raise programs.Failed(f"{source} does not compile without warnings\n{text}")


def results(options):
    for name in options.mapping:
        try:
            check(options, name)
            yield name, None
        except programs.Failed as problem:
            yield name, problem


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("example", help="or a logic file, for mappings that are files")
    parser.add_argument("mapping", nargs="+",
                        help="in mappings/kernels/EXAMPLE, without .yaml; or a file")
    parser.add_argument("--tool", required=True, help="septran-rewrite")
    parser.add_argument("--nvcc", required=True)
    parser.add_argument("--host", action="store_true", help="compile the host's code, too")
    parser.add_argument("--scratch", type=pathlib.Path, required=True, metavar="FOLDER")
    options = parser.parse_args()
    options.scratch.mkdir(parents=True, exist_ok=True)
    return programs.report(results(options))


if __name__ == "__main__":
    sys.exit(main())
