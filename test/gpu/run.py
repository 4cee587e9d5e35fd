#!/usr/bin/env python3
"""Builds, checks and times what bundle.py wrote, on a machine with an NVIDIA GPU.

Every kernel is compared with products in double precision, and timed in turns with cuBLAS, where
that is installed, on the same random numbers in the same process. Writes results.json and prints a
table. Exit code 1 if a result is wrong, 2 if nothing could be run.
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
    defines = [f"-DENTRY={case['entry']}", f"-DELEMENT={case['element']}",
               f"-DRESULT={case['result']}", *(["-DTF32"] if case["tf32"] else [])]
    sources = [HERE / case["source"], HERE / "matmul_driver.cu"]
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


def table(results):
    lines = [f"{'kernel':<20} {'shape':<18} {'error/allowed':>13} {'TFLOP/s':>9} {'cuBLAS':>9} {'ratio':>6}"]
    for r in results:
        timed = r.get("milliseconds")
        library = r.get("cublas_milliseconds")
        work = 2e-9 * r["m"] * r["n"] * r["k"]
        lines.append(f"{r['name']:<20} {r['m']}x{r['n']}x{r['k']:<10} {r['error']:13.2e} "
                     + (f"{work / timed:9.2f}" if timed else f"{'-':>9}") + " "
                     + (f"{work / library:9.2f} {library / timed:6.2f}" if timed and library
                        else f"{'-':>9} {'-':>6}"))
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--shape", action="append", metavar="MxNxK",
                        help="default: 4096, 8192 and one that fits no tile")
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
    shapes = options.shape or ["4096x4096x4096", "8192x8192x8192", "1000x2049x515"]
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
        for shape in shapes:
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
