#!/usr/bin/env python3
"""Builds, checks and times what bundle.py wrote, on a machine with an NVIDIA GPU.

Programs check themselves at many shapes, their tensors on the host, against direct computations in
double precision. So does every kernel that is timed. Matrix products are timed in turns
with cuBLAS, where that is installed, on the same random numbers in the same process; other kernels in
turns with a copy on the device of as many bytes as they must move. Writes results.json and prints a
table for each kind. Exit code 1 if a result is wrong, 2 if nothing could be run.
"""

import argparse
import concurrent.futures
import datetime
import json
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def gpu():
    """Name, driver and compute capability of the first GPU, or None."""
    if not shutil.which("nvidia-smi"):
        return None
    asked = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version,compute_cap",
                            "--format=csv,noheader"], text=True, capture_output=True, check=False)
    lines = asked.stdout.splitlines()
    if asked.returncode or not lines or lines[0].count(",") < 2:
        return None
    name, driver, capability = (word.strip() for word in lines[0].rsplit(",", 2))
    return name, driver, capability.replace(".", "")


def toolkit_version(nvcc):
    """As nvcc tells it: 13.0, say."""
    if not shutil.which(nvcc):
        return "none"
    told = run([nvcc, "--version"])[1]
    return told.split("release ")[1].split(",")[0] if "release " in told else "unknown"


def has_cublas(nvcc):
    toolkit = pathlib.Path(shutil.which(nvcc) or nvcc).resolve().parents[1]
    return any((toolkit / folder / "cublas_v2.h").exists()
               for folder in ("include", "targets/x86_64-linux/include"))


def run(command):
    done = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    return done.returncode, done.stdout


def compile_sources(program, sources, defines, options, capability, libraries=()):
    """The program, or None and what the compiler said."""
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
        code, text = run([options.nvcc, "-std=c++20", "-O3", "--expt-relaxed-constexpr",
                          f"-arch=sm_{capability}", *defines, "-I", HERE / "include", *sources,
                          *libraries, "-o", program])
    return (None if code else program), text


def build_program(case, options, capability):
    folder = HERE / "programs" / case["name"]
    return compile_sources(folder / "program", [folder / f"{case['name']}.cu", folder / "driver.cpp"],
                           [], options, capability)


def build_kernel(case, options, capability):
    defines = [f"-DENTRY={case['entry']}", f"-DELEMENT={case['element']}"]
    example = case["example"]
    if example == "matmul":
        defines += ["-DTF32"] if case["tf32"] else []
        sources = [HERE / f"{case['name']}.cu", HERE / "matmul_driver.cu"]
    else:
        defines += [f"-DKERNEL_{example}", f'-DKERNEL_HEADER="{example}/{example}.h"']
        sources = [HERE / f"{case['name']}.cu", HERE / "kernel_driver.cu"]
    cublas = ["-DWITH_CUBLAS", "-lcublas"] if has_cublas(options.nvcc) else []
    return compile_sources(HERE / case["name"], sources, defines, options, capability, cublas)


def row(result, work, peer=None):
    """A line of a table: `work` of a kernel per second, and of what it is compared with."""
    timed, other = result.get("milliseconds"), result.get(peer)
    shape = f"{result['m']}x{result['n']}x{result['k']}"
    return (f"{result['name']:<26} {shape:<18} {result['error']:13.2e} "
            + (f"{work / timed:9.2f}" if timed else f"{'-':>9}")
            + ("" if peer is None else f" {work / other:9.2f} {other / timed:6.2f}" if timed and other
               else f" {'-':>9} {'-':>6}"))


def table(results):
    """Products with what they compute per second, other kernels with what they move."""
    head = f"{'kernel':<26} {'shape':<18} {'error/allowed':>13}"
    products = [row(r, 2e-9 * r["m"] * r["n"] * r["k"], "cublas_milliseconds")
                for r in results if "bytes" not in r]
    moved = [row(r, 1e-6 * r["bytes"], "copy_milliseconds")
             for r in results if "bytes" in r and "operations" not in r]
    computed = [row(r, 1e-9 * r["operations"]) for r in results if "operations" in r]
    lines = []
    if products:
        lines += [f"{head} {'TFLOP/s':>9} {'cuBLAS':>9} {'ratio':>6}", *products]
    if computed:
        lines += [f"{head} {'TFLOP/s':>9}", *computed]
    if moved:
        lines += [f"{head} {'GB/s':>9} {'copy':>9} {'ratio':>6}", *moved]
    return "\n".join(lines)


def report(told):
    """What results.json says, for people."""
    on = told["device"]
    lines = [f"on {on}" + (": no times" if on == "emulator" else f", {told['date']}")]
    if programs := told["programs"]:
        calls, wrong = (sum(program[what] for program in programs) for what in ("calls", "wrong"))
        lines.append(f"{len(programs)} programs, {calls} calls: {calls - wrong} right, {wrong} wrong")
    lines.append(table(told["results"]))
    if sanitized := told.get("sanitized"):
        found = [line[tool] for line in sanitized for tool in SANITIZERS]
        lines.append(f"compute-sanitizer: {found.count('nothing')} of {len(found)} runs found nothing")
    return "\n".join(lines)


# MxNxK as the drivers take them: large ones, which are timed, one that fits no tile, and a small one
# of that kind for the sanitizer, under which a kernel takes a thousand times as long.
SQUARES = ["4096x4096x4096", "8192x8192x8192", "1000x2049x515", "261x389x131"]
ROWS = ["8192x8192x1", "1000x2049x1", "37x2049x1"]
SHAPES = {"matmul": SQUARES, "conv2d": ["112x112x128", "13x29x17", "13x29x17"],
          "attention": ["4096x4096x64", "4096x4096x128", "1000x515x50", "200x131x50"]}
SANITIZERS = ["memcheck", "racecheck", "initcheck", "synccheck"]


def shapes_of(case, options):
    """Those that are run, and the one that the sanitizer sees."""
    if options.shape:
        return options.shape, options.shape[-1]
    *shapes, small = SHAPES.get(case["example"], ROWS)
    return shapes, small


def measure(case, program, options):
    """Lines of results.json for a case, and whether all of them are right."""
    results, right = [], True
    for shape in shapes_of(case, options)[0]:
        timed = "0" if options.emulator else str(options.repeats)
        code, text = run([program, *shape.split("x"), timed])
        if code:
            print(f"{case['name']} {shape}: {text}")
            right = False
        if text.strip().startswith("{"):
            results.append({"name": case["name"], **json.loads(text)})
    return results, right


def sanitize(case, program, options):
    """What each tool of compute-sanitizer finds: a line of results.json."""
    found = {}
    shape = shapes_of(case, options)[1]
    for tool in SANITIZERS:
        code, text = run(["compute-sanitizer", "--tool", tool, "--error-exitcode", "9", program,
                          *shape.split("x"), "0"])
        found[tool] = "nothing" if code == 0 else "errors"
        if code:
            print(f"{case['name']} {shape}: {tool}\n{text}")
    return {"name": case["name"], "shape": shape, **found}


def check_program(case, program, options):
    """The cases in which the program's own check fails."""
    wrong = []
    for arguments in case["cases"]:
        code, text = run([program, *arguments, "--strided", "--check"])
        if code:
            wrong.append(f"{case['name']} {' '.join(arguments)}: {text}")
    return wrong


def build_all(build, cases, options, capability):
    """Programs that there are, with their cases; whether that is all of them."""
    built, complete = [], True
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for case, (program, text) in zip(cases, pool.map(lambda case: build(case, options, capability),
                                                         cases)):
            if program is None:
                print(f"{case['name']} does not build:\n{text}")
                complete = False
            else:
                built.append((case, program))
                if options.build_only:
                    print(f"{case['name']} builds")
    return built, complete


def check_programs(cases, options, capability):
    """How many calls of each program there were and were wrong; whether all could be built."""
    built, complete = build_all(build_program, cases, options, capability)
    if options.build_only:
        return [], complete
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        found = list(pool.map(lambda made: check_program(*made, options), built))
    for text in sum(found, []):
        print(text)
    return [{"name": case["name"], "calls": len(case["cases"]), "wrong": len(wrong)}
            for (case, _), wrong in zip(built, found)], complete


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--shape", action="append", metavar="MxNxK",
                        help="default: large ones, and one that fits no tile")
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="builds at a time")
    parser.add_argument("--sanitize", action="store_true",
                        help="run each kernel under the tools of compute-sanitizer, too")
    parser.add_argument("--emulator", metavar="LIBRARY", help="check in the emulator; nothing is timed")
    parser.add_argument("--compiler", default="g++", help="for the emulator")
    parser.add_argument("--show", metavar="RESULTS", type=pathlib.Path,
                        help="print the tables of a results.json; build and run nothing")
    parser.add_argument("--build-only", metavar="CAPABILITY", help="80, 90, ...: build, run nothing")
    options = parser.parse_args()
    if options.show:
        print(report(json.loads(options.show.read_text())))
        return 0
    found = ("emulator", "none", "80") if options.emulator else gpu()
    if options.build_only:
        found = ("not run", "none", options.build_only)
    if found is None:
        print("no NVIDIA GPU here: nothing was built or run")
        return 2
    device, driver, capability = found
    cases = json.loads((HERE / "cases.json").read_text())
    programs, complete = check_programs(cases["programs"], options, capability)
    kernels, all_built = build_all(build_kernel, cases["kernels"], options, capability)
    failed = any(program["wrong"] for program in programs) or not complete or not all_built
    if options.build_only:
        return int(failed)
    results = []
    for case, program in kernels:
        print(case["name"], file=sys.stderr, flush=True)
        lines, right = measure(case, program, options)
        results += lines
        failed |= not right
    sanitized = []
    if options.sanitize:
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            sanitized = list(pool.map(lambda made: sanitize(*made, options), kernels))
        failed |= any(word == "errors" for line in sanitized for word in line.values())
    told = {"device": device, "driver": driver, "toolkit": toolkit_version(options.nvcc),
            "date": datetime.date.today().isoformat(),
            "programs": programs, "results": results,
            **({"sanitized": sanitized} if options.sanitize else {})}
    (HERE / "results.json").write_text(json.dumps(told, indent=2) + os.linesep)
    print(report(told))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
