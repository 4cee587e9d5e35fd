#!/usr/bin/env python3
"""Builds, checks and times what bundle.py wrote, on a machine with an NVIDIA GPU.

Every kernel is compared with the same formula in double precision. Matrix products are timed in turns
with cuBLAS, where that is installed, on the same random numbers in the same process; other kernels in
turns with a copy on the device of as many bytes as they must move. Writes results.json and prints a
table for each kind. Exit code 1 if a result is wrong, 2 if nothing could be run.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def gpu():
    """Name and compute capability of the first GPU, or None."""
    if not shutil.which("nvidia-smi"):
        return None
    asked = subprocess.run(["nvidia-smi", "--query-gpu=name,compute_cap", "--format=csv,noheader"],
                           text=True, capture_output=True, check=False)
    lines = asked.stdout.splitlines()
    if asked.returncode or not lines or "," not in lines[0]:
        return None
    name, capability = lines[0].rsplit(",", 1)
    return name.strip(), capability.strip().replace(".", "")


def has_cublas(nvcc):
    toolkit = pathlib.Path(shutil.which(nvcc) or nvcc).resolve().parents[1]
    return any((toolkit / folder / "cublas_v2.h").exists()
               for folder in ("include", "targets/x86_64-linux/include"))


def run(command):
    done = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    return done.returncode, done.stdout


def build(case, options, capability):
    program = HERE / case["name"]
    defines = [f"-DENTRY={case['entry']}", f"-DELEMENT={case['element']}"]
    example = case["example"]
    if example == "matmul":
        defines += [f"-DRESULT={case['result']}", *(["-DTF32"] if case["tf32"] else [])]
        sources = [HERE / case["source"], HERE / "matmul_driver.cu"]
    else:
        defines += [f"-DKERNEL_{example}", f'-DKERNEL_HEADER="{example}/{example}.h"']
        sources = [HERE / case["source"], HERE / "kernel_driver.cu"]
    if options.emulator:
        objects = []
        for source in sources:
            objects.append(program.with_name(f"{program.name}-{source.stem}.o"))
            code, text = run([options.compiler, "-x", "c++", "-std=c++20", "-O1", "-g1",
                              "-fsanitize=thread", "-w", *defines, "-I", HERE / "include", "-c", source,
                              "-o", objects[-1]])
            if code:
                return None, text
        code, text = run([options.compiler, *objects, options.emulator, "-o", program])
    else:
        cublas = ["-DWITH_CUBLAS", "-lcublas"] if has_cublas(options.nvcc) else []
        code, text = run([options.nvcc, "-std=c++20", "-O3", "--expt-relaxed-constexpr",
                          f"-arch=sm_{capability}", *defines, "-I", HERE / "include", *sources,
                          *cublas, "-o", program])
    return (None if code else program), text


def row(result, work, peer):
    """A line of a table: `work` of a kernel per second, and of what it is compared with."""
    timed, other = result.get("milliseconds"), result.get(peer)
    shape = f"{result['m']}x{result['n']}x{result['k']}"
    return (f"{result['name']:<22} {shape:<18} {result['error']:13.2e} "
            + (f"{work / timed:9.2f}" if timed else f"{'-':>9}") + " "
            + (f"{work / other:9.2f} {other / timed:6.2f}" if timed and other
               else f"{'-':>9} {'-':>6}"))


def table(results):
    """Products with what they compute per second, other kernels with what they move."""
    lines = []
    products = [r for r in results if "bytes" not in r]
    others = [r for r in results if "bytes" in r]
    head = f"{'kernel':<22} {'shape':<18} {'error/allowed':>13}"
    if products:
        lines.append(f"{head} {'TFLOP/s':>9} {'cuBLAS':>9} {'ratio':>6}")
        lines += [row(r, 2e-9 * r["m"] * r["n"] * r["k"], "cublas_milliseconds") for r in products]
    if others:
        lines.append(f"{head} {'GB/s':>9} {'copy':>9} {'ratio':>6}")
        lines += [row(r, 1e-6 * r["bytes"], "copy_milliseconds") for r in others]
    return "\n".join(lines)


# Of examples that are no matrix products: MxNxK, as kernel_driver.cu takes them.
SHAPES = {"conv2d": ["56x56x64", "13x29x17"], "attention": ["4096x4096x64", "1000x515x50"]}
ROWS = ["8192x8192x1", "1000x2049x1"]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--shape", action="append", metavar="MxNxK",
                        help="default: large ones, and one that fits no tile")
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--emulator", metavar="LIBRARY", help="check in the emulator; nothing is timed")
    parser.add_argument("--compiler", default="g++", help="for the emulator")
    parser.add_argument("--build-only", metavar="CAPABILITY", help="80, 90, ...: build, run nothing")
    options = parser.parse_args()
    found = ("emulator", "80") if options.emulator else gpu()
    if options.build_only:
        found = ("not run", options.build_only)
    if found is None:
        print("no NVIDIA GPU here: nothing was built or run")
        return 2
    device, capability = found
    squares = ["4096x4096x4096", "8192x8192x8192", "1000x2049x515"]
    results, failed = [], False
    for case in json.loads((HERE / "cases.json").read_text()):
        program, text = build(case, options, capability)
        if program is None:
            print(f"{case['name']} does not build:\n{text}")
            failed = True
            continue
        if options.build_only:
            print(f"{case['name']} builds")
            continue
        default = squares if case["example"] == "matmul" else SHAPES.get(case["example"], ROWS)
        for shape in options.shape or default:
            timed = "0" if options.emulator else str(options.repeats)
            code, text = run([program, *shape.split("x"), timed])
            if code:
                print(f"{case['name']} {shape}: {text}")
                failed = True
            if text.strip().startswith("{"):
                results.append({"name": case["name"], **json.loads(text)})
    if not options.build_only:
        (HERE / "results.json").write_text(json.dumps({"device": device, "results": results}, indent=2)
                                           + os.linesep)
        print(f"on {device}" + (": no times" if options.emulator else ""))
        print(table(results))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
