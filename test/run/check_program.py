#!/usr/bin/env python3
"""Compiles programs of Inputs/ under their mapping and compares them with their plain runs.

Nobody had these programs in mind when the compiler was written. Each has a logic file, a driver and
a mapping, which any CPU machine fits unless the mapping is for primitives of one machine. `gpu` is
a mapping for threads of a GPU, which the emulator runs.
"""

import argparse
import sys

sys.dont_write_bytecode = True
import programs  # noqa: E402

INPUTS = programs.ROOT / "test" / "run" / "Inputs"

# The element type that is saved, how many terms the longest sum has, and the drivers' options.
CASES = {
    "banded": ("f32", 50, ["50x20", "1x1 --band 0", "12x7 --band 3", "13x8 --band 1",
                           "37x9 --band 0", "41x17 --band 40", "25x1 --band 19"]),
    "residual": ("f32", 40, ["40x30x20", "1x1x1", "11x23x8", "12x24x17", "13x25x1", "25x49x40"]),
    "outer": ("f64", 1, ["3x40x30", "1x1x1", "2x5x12", "4x6x13", "7x4x11", "0x3x3"]),
    "conv1d": ("f32", 40, ["40x3x20", "1x1x1", "6x2x8 --dilation 2", "7x5x9 --taps 5",
                           "5x1x7 --taps 1", "13x4x16 --taps 4 --dilation 3",
                           "2x2x2 --taps 6 --dilation 2"]),
    "layernorm": ("f16", 40, ["20x30", "1x1", "5x16", "6x17", "4x3", "11x40"]),
    "columns": ("f32", 100, ["100x30", "1x1", "12x4", "13x5", "11x3", "61x17", "0x5"]),
    "rotary": ("f32", 1, ["40x32", "1x2", "7x10", "8x34", "6x7", "29x18"]),
    "masked": ("f32", 1, ["40x30", "1x1", "6x9", "7x10", "5x8", "17x37 --limit 18", "9x20 --limit 0"]),
    "bytes": ("i32", 1, ["40x70x150", "1x1x1", "5x15x3", "6x16x4", "7x17x5", "13x97x19", "11x31x20",
                         "12x96x21", "23x47x61"]),
    "filters": ("i32", 1, ["9x11x10x37", "1x1x1x1", "2x3x4x31", "5x4x7x32", "6x5x3x33", "3x7x8x65"]),
    "halves": ("f32", 150, ["40x70x150", "1x1x1", "4x15x1", "5x32x24", "6x33x25", "11x17x23",
                            "10x64x48", "13x61x2"]),
    "rank1": ("f32", 1, ["40x70", "1x1", "4x15", "5x16", "6x17", "7x41", "11x31", "10x80"]),
    "rmsnorm": ("f32", 100, ["100x30", "1x1", "12x8", "13x9", "61x130", "0x5"]),
    "layers": ("f32", 70, ["2x40x50x70", "1x1x1x1", "1x31x47x15", "2x32x48x64", "1x33x49x65",
                           "3x5x97x7", "1x65x3x130"]),
    "gradients": ("f32", 40, ["40x50x70", "1x1x1", "15x31x33", "16x32x32", "17x33x5", "7x65x3"]),
    "nearest": ("i32", 1, ["50x3", "1x1", "7x2", "12x2", "13x1", "25x4", "84x2"]),
}


def check(options, name, mapping):
    program = programs.open_program(options, INPUTS / name, name)
    output = options.scratch / f"{name}-{mapping}"
    dtype, length, cases = CASES[name]
    if mapping == "gpu":
        programs.build_emulated(options.tool, program, INPUTS / name / "gpu.yaml", options.cxx,
                                options.emulator, output)
        for case in cases[::options.every]:
            programs.check_emulated(program, output, ["--shape", *case.split()], dtype, length,
                                    options.scratch)
        return
    programs.build_mapped(options.tool, program, INPUTS / name / f"{mapping}.yaml", options.cxx,
                          options.machine, output, options.flag)
    if options.only_build:
        return
    for case in cases[::options.every]:
        programs.check_runs(program, output, ["--shape", *case.split()], dtype, length,
                            options.scratch)


def results(options):
    for program in options.program:
        name, _, mapping = program.partition(":")
        try:
            check(options, name, mapping or "mapped")
            yield program, None
        except programs.Failed as problem:
            yield program, problem


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", nargs="+", metavar="PROGRAM[:MAPPING]",
                        help=f"of {', '.join(sorted(CASES))}, each with mapped.yaml by default")
    parser.add_argument("--machine", help="in mappings/machines, without .yaml; by default that of "
                                          "the mapping")
    parser.add_argument("--only-build", action="store_true", help="this processor cannot run it")
    programs.add_options(parser)
    return programs.report(results(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
