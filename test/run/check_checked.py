#!/usr/bin/env python3
"""Runs examples as --emit=checked writes them: a correct program breaks no rule.

A failed check aborts the run; the driver compares the results as always.
"""

import argparse
import pathlib
import sys

sys.dont_write_bytecode = True
import programs  # noqa: E402

# Shapes that no tile divides, for the drivers.
RUNS = {
    "matmul": [["--shape", "33x17x21"], ["--shape", "9x5x7", "--dtype", "f16"],
               ["--shape", "9x5x7", "--dtype", "i8"]],
    "attention": [["--shape", "1x2x19x16"], ["--shape", "1x1x9x16", "--causal"]],
    "softmax": [["--shape", "7x33"], ["--shape", "5x9", "--dtype", "bf16"]],
    "stencil": [["--shape", "21x34", "--steps", "3", "--points", "5"],
                ["--shape", "9x8", "--steps", "2", "--points", "9"]],
    "conv2d": [["--shape", "1x9x11x3x5", "--entry", "3x3"],
               ["--shape", "2x9x6x3x5", "--entry", "winograd"],
               ["--shape", "1x9x8x2x3", "--entry", "general"]],
    "saxpy": [["--shape", "5000"]],
    "dot": [["--shape", "5000"]],
    "digits": [["--shape", "7x40", "--neighbours", "3"]],
}


def check(name, arguments):
    folder = arguments.scratch / name
    folder.mkdir(parents=True, exist_ok=True)
    example = programs.ROOT / "examples" / name
    source, binary = folder / f"{name}.cpp", folder / "checked"
    programs.call([arguments.tool, example / f"{name}.cpp", "--emit=checked", "-o", source, "--",
                   "-std=c++20", *programs.INCLUDES])
    programs.call([arguments.cxx, "-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror",
                   "-Wno-unknown-attributes", "-DSEPTRAN_CHECKED", *programs.INCLUDES, source,
                   example / "driver.cpp", "-o", binary])
    if "task_scope septran_scope" not in source.read_text(encoding="utf-8"):
        raise programs.Failed(f"{source} declares no task")
    for options in RUNS[name]:
        programs.call([binary, *options, "--check"])
        print(name, *options, "is clean")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("examples", nargs="+", choices=RUNS)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--cxx", required=True)
    parser.add_argument("--scratch", required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    try:
        for name in arguments.examples:
            check(name, arguments)
    except programs.Failed as failure:
        sys.exit(str(failure))


if __name__ == "__main__":
    main()
