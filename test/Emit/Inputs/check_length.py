#!/usr/bin/env python3
"""Fails if a generated file is longer than a person would read.

    check_length.py --tool SEPTRAN_REWRITE --root ROOT --include DIR --limit LINES EXAMPLE...

Every shipped mapping of the examples for a CPU is rewritten. The file has the logic, too.
"""

import argparse
import pathlib
import subprocess
import sys


def lines(options, example, mapping):
    """None if the mapping is not for a CPU."""
    logic = options.root / "examples" / example / f"{example}.cpp"
    command = [options.tool, logic, "--mapping", mapping, "--", "-std=c++20", "-I", options.include,
               "-I", options.root / "examples"]
    done = subprocess.run([str(part) for part in command], text=True, capture_output=True)
    if done.returncode:
        sys.exit(f"{mapping}:\n{done.stderr}")
    text = done.stdout.splitlines()
    return len(text) if any(line.startswith("//   machine  cpu/") for line in text[:10]) else None


def main():
    parser = argparse.ArgumentParser()
    for name in ("tool", "root", "include"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--limit", type=int, required=True)
    parser.add_argument("examples", nargs="+")
    options = parser.parse_args()
    options.root = pathlib.Path(options.root)
    long = False
    for example in options.examples:
        mappings = sorted((options.root / "mappings" / "kernels" / example).glob("*.yaml"))
        counts = {m.stem: lines(options, example, m) for m in mappings}
        counts = {name: count for name, count in counts.items() if count is not None}
        if not counts:
            sys.exit(f"{example} has no mapping for a CPU")
        for name, count in counts.items():
            long |= count >= options.limit
            print(f"{example}/{name}: {count} lines" +
                  (f", and {options.limit} are too many" if count >= options.limit else ""))
    return 1 if long else 0


sys.exit(main())
