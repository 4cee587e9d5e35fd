#!/usr/bin/env python3
"""What --explain says of bank conflicts, against the emulator's count of them.

The program of an example is run under its mapping with other layouts of what passes through shared
memory. Every load of fragments is one request of a warp; the conflicts that --explain names are what
such a request costs on average beyond the wavefronts that its words need.
"""

import argparse
import pathlib
import re
import sys

sys.dont_write_bytecode = True
import programs  # noqa: E402

LAYOUTS = {
    "derived": "",
    "row": "{A: row, B: row}",
    "swizzled": "{A: swizzle(32), B: swizzle(64)}",
    "padded": "{A: pad(8), B: pad(8)}",
}


def explained(options, program, mapping):
    """The conflicts of one load, per instruction."""
    text = programs.call([options.tool, program.logic, "--mapping", mapping, "--explain", "--check",
                          "--", "-std=c++20", *programs.INCLUDES])
    found = re.findall(r"of fragments +(\w+) +(\d+) bank conflict", text)
    if len(found) != 2:
        raise programs.Failed(f"two loads of fragments expected in\n{text}")
    return {name.removesuffix("_pair").replace("_pair_", "_"): int(count) for name, count in found}


def counted(options, program, mapping, name):
    """The emulator's counts, per function that loads."""
    output = options.scratch / f"banks-{name}"
    programs.build_emulated(options.tool, program, mapping, options.cxx, options.emulator, output)
    text = programs.call([output, "--shape", "128x128x64", "--dtype", "f16"], {"SEPTRAN_EMULATOR": "banks"})
    source = output.with_suffix(".cu").read_text(encoding="utf-8").splitlines()
    result = {}
    for line, requests, wavefronts, ideal in re.findall(
            r"\.cu:(\d+): (\d+) shared-memory requests, (\d+) wavefronts, (\d+) without", text):
        call = re.search(r"cuda::(ldmatrix\w+)\(", " ".join(source[int(line) - 1:int(line) + 1]))
        if call:
            result[call.group(1)] = (int(wavefronts) - int(ideal)) / int(requests)
    return result


def check(options, program, name, layouts):
    mapping = options.scratch / f"banks-{name}.yaml"
    shipped = programs.ROOT / "mappings" / "kernels" / "matmul" / "f16-sm80.yaml"
    text = f"extends: {shipped}\ntask_mappings:\n"
    text += f"  steps: {{layouts: {layouts}}}\n" if layouts else ""
    text += "  entry: {mems: {A: HOST, B: HOST, C: HOST}}\n"
    mapping.write_text(text, encoding="utf-8")
    said = sorted(explained(options, program, mapping).values())
    found = sorted(counted(options, program, mapping, name).values())
    if found != said:
        raise programs.Failed(f"--explain says {said}, the emulator {found}")
    return f"{name} {said}"


def results(options):
    folder = programs.ROOT / "examples" / "matmul"
    program = programs.open_program(options, folder, "matmul")
    for name, layouts in LAYOUTS.items():
        try:
            print(check(options, program, name, layouts))
            yield name, None
        except programs.Failed as problem:
            yield name, problem


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    programs.add_options(parser)
    return programs.report(results(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
