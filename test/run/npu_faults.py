#!/usr/bin/env python3
"""Breaks generated code on purpose, and expects the simulator, or the comparison with a direct
computation, to notice each time.

    npu_faults.py LIST --tool SEPTRAN_REWRITE --cxx COMPILER --scratch FOLDER

All faults of a program are compiled in, each behind a number that the environment selects, so every
program is compiled once. LIST says per program which example and mapping it is, how it is run, and its
faults:

    name
    statement or expression   a regular expression for what is replaced
    which                     the match that is meant, from 0 (default); -1 is the last; a list: all these
    by                        what stands there instead; for a statement, nothing drops it
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
SELECTED = ("#include <cstdlib>\nstatic int selected_fault() {\n"
            "  static const char *number = std::getenv(\"SELECTED_FAULT\");\n"
            "  static const int fault = number ? std::atoi(number) : 0;\n  return fault;\n}\n")


def replacements(text, faults):
    """(begin, end, new text) for every fault."""
    for number, fault in enumerate(faults, 1):
        is_statement = "statement" in fault
        found = list(re.finditer(fault["statement" if is_statement else "expression"], text))
        which = fault.get("which", 0)
        for one in which if isinstance(which, list) else [which]:
            try:
                match = found[one]
            except IndexError:
                sys.exit(f"{fault['name']}: {len(found)} matches in the generated code")
            by = match.expand(fault.get("by", ""))
            yield match.start(), match.end(), by, f"selected_fault() == {number}", is_statement


def with_faults(text, faults):
    """The source with all faults. Several may replace the same place."""
    places = {}
    for begin, end, by, chosen, is_statement in replacements(text, faults):
        places.setdefault((begin, end), []).append((by, chosen, is_statement))
    last = len(text)
    for (begin, end), choices in sorted(places.items(), reverse=True):
        if end > last:
            sys.exit(f"faults overlap: {text[begin:end]}")
        last = begin
        new = text[begin:end]
        for by, chosen, is_statement in choices:
            new = (f"if ({chosen}) {{ {by} }} else {{ {new} }}" if is_statement
                   else f"({chosen} ? ({by}) : ({new}))")
        text = text[:begin] + new + text[end:]
    return SELECTED + text


def check(program, options):
    logic = ROOT / "examples" / program["example"] / f"{program['example']}.cpp"
    mapping = ROOT / "mappings" / "kernels" / program["example"] / f"{program['mapping']}.yaml"
    folder = options.scratch / program["mapping"]
    folder.mkdir(parents=True, exist_ok=True)
    source, output = folder / "faulty.cpp", folder / "faulty"
    include = [f"-I{ROOT}/runtime/include", f"-I{ROOT}/examples"]
    made = subprocess.run([options.tool, logic, "--mapping", mapping, "--", "-std=c++20", *include],
                          capture_output=True, text=True)
    if made.returncode:
        sys.exit(made.stderr)
    source.write_text(with_faults(made.stdout, program["faults"]))
    subprocess.run([options.cxx, "-std=c++20", "-O1", "-Wno-attributes", *include, source,
                    logic.parent / "driver.cpp", "-o", output], check=True)

    def run(number):
        try:
            done = subprocess.run([output, *program["arguments"], "--check"], text=True, timeout=120,
                                  env={**os.environ, "SELECTED_FAULT": str(number)},
                                  capture_output=True)
            return done.returncode, (done.stderr or done.stdout).strip().splitlines()
        except subprocess.TimeoutExpired:
            return -1, ["runs for ever"]

    code, said = run(0)
    if code:
        sys.exit(f"{program['mapping']} fails without a fault: {said}")
    missed = 0
    for number, fault in enumerate(program["faults"], 1):
        code, said = run(number)
        missed += code == 0
        print(f"{program['mapping']}: {fault['name']}: {'MISSED' if code == 0 else said[0]}")
    return len(program["faults"]), missed


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("list", type=pathlib.Path)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--cxx", required=True)
    parser.add_argument("--scratch", required=True, type=pathlib.Path)
    options = parser.parse_args()
    counts = [check(program, options) for program in yaml.safe_load(options.list.read_text())]
    total, missed = (sum(column) for column in zip(*counts))
    print(f"{total} faults, {missed} missed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
