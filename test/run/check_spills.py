#!/usr/bin/env python3
"""Fails if a hot loop of a mapped program keeps vectors on the stack.

    check_spills.py --tool SEPTRAN_REWRITE --cxx CXX --machine MACHINE --root ROOT --scratch DIR
                    --include DIR EXAMPLE...

Every shipped mapping of the examples for the machine is rewritten and compiled with the flags that
the machine file says. A hot loop is an innermost one, a range that a jump backwards encloses, that can
be passed through without leaving it and that encloses no other, in which one of SPARSE instructions
at least multiplies and adds vectors, and LEAST do, and in which no move is masked: tiles that a block
has only a part of are rare. Nor does it divide: that is a function of a tile's sums, once for a tile,
which has to put some of them aside. A register tile that needs more registers than there are shows
there as vectors that move to the stack and back; it costs a factor, not percents. Also fails where an
example has no hot loop at all: then nothing was looked at.
"""

import argparse
import pathlib
import re
import subprocess
import sys

LEAST, SPARSE = 4, 6
INSTRUCTION = re.compile(r"^\s*([0-9a-f]+):\t(?:\S+ )*?([a-z][a-z0-9]*)\s*(.*)$")
JUMP = re.compile(r"^j[a-z]+$")
OPERATION = re.compile(r"^v(fn?m(add|sub)[0-9]*p[sd]|pmaddwd|p?dp[a-z0-9]+)$")
STACK = re.compile(r"\(%r[sb]p\)")
VECTOR = re.compile(r"%[yz]mm")


def functions(assembly):
    """Lists of (address, mnemonic, operands)."""
    current = []
    for line in assembly.splitlines():
        if line.endswith(">:"):
            if current:
                yield current
            current = []
        elif match := INSTRUCTION.match(line):
            current.append((int(match[1], 16), match[2], match[3]))
    if current:
        yield current


def jump_targets(code):
    """Positions of jumps, and where they go."""
    place = {address: index for index, (address, _, _) in enumerate(code)}
    result = {}
    for index, (_, mnemonic, operands) in enumerate(code):
        if JUMP.match(mnemonic):
            target = re.match(r"([0-9a-f]+)\b", operands)
            result[index] = place.get(int(target[1], 16)) if target else None
    return result


def reaches(code, targets, begin, end):
    """Whether a way from begin to end stays between them. Code that was moved out of the way jumps back, too."""
    seen, ways = set(), [begin]
    while ways:
        at = ways.pop()
        if at == end:
            return True
        if at in seen or at is None or not begin <= at <= end:
            continue
        seen.add(at)
        if at in targets:
            ways.append(targets[at])
        if code[at][1] not in ("jmp", "ret"):
            ways.append(at + 1)
    return False


def innermost_loops(code):
    """Pairs of positions, first and last instruction."""
    targets = jump_targets(code)
    ranges = {(begin, end) for end, begin in targets.items()
              if begin is not None and begin <= end and reaches(code, targets, begin, end)}
    return [r for r in ranges
            if not any(o != r and r[0] <= o[0] and o[1] <= r[1] for o in ranges)]


def is_masked_move(instruction):
    mnemonic, operands = instruction
    return mnemonic.startswith(("vmaskmov", "vpmaskmov")) or mnemonic.startswith("vmov") and "{%k" in operands


def look(assembly):
    """The number of hot loops, and descriptions of those that use the stack."""
    hot, bad = 0, []
    for code in functions(assembly):
        for begin, end in innermost_loops(code):
            body = code[begin:end + 1]
            wide = [(m, o) for _, m, o in body if VECTOR.search(o)]
            operations = sum(bool(OPERATION.match(m)) for m, _ in wide)
            if operations < max(LEAST, len(body) / SPARSE) or any(map(is_masked_move, wide)):
                continue
            if any(m.startswith("vdiv") for m, _ in wide):
                continue
            hot += 1
            # AT&T syntax: what is stored comes first, where it goes last.
            stored = [o for m, o in wide if m.startswith("vmov") and re.search(r"\(%r[sb]p\)$", o)]
            if stored:
                bad.append(f"a loop of {len(body)} instructions at {code[begin][0]:x} has "
                           f"{operations} multiplications and additions, and stores {len(stored)} vectors to "
                           f"the stack: {stored[0]}")
    return hot, bad


def run(command):
    done = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return done.stdout


def check(mapping, example, options):
    scratch = pathlib.Path(options.scratch)
    source, binary = scratch / f"{mapping.stem}.cpp", scratch / f"{mapping.stem}.o"
    logic = options.root / "examples" / example / f"{example}.cpp"
    includes = ["-I", options.include, "-I", options.root / "examples"]
    run([options.tool, logic, "--mapping", mapping, "-o", source, "--", "-std=c++20", *includes])
    run([options.cxx, "-std=c++20", *options.flags, *includes, "-c", source, "-o", binary])
    hot, bad = look(run(["objdump", "-d", "--no-show-raw-insn", binary]))
    lines = len(source.read_text().splitlines())
    print(f"{example}/{mapping.stem}: {hot} hot loops, {len(bad)} with spills, {lines} lines")
    for text in bad:
        print(f"  {text}")
    return hot, len(bad)


def main():
    parser = argparse.ArgumentParser()
    for name in ("tool", "cxx", "machine", "root", "include", "scratch"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("examples", nargs="+")
    options = parser.parse_args()
    options.root = pathlib.Path(options.root)
    toolchain = run([options.tool, "--machine", f"cpu/{options.machine}", "--print-toolchain"])
    options.flags = [line.removeprefix("flag: ") for line in toolchain.splitlines() if line.startswith("flag: ")]
    failed = False
    for example in options.examples:
        folder = options.root / "mappings" / "kernels" / example
        mappings = [m for m in sorted(folder.glob("*.yaml"))
                    if m.stem == options.machine or m.stem.endswith("-" + options.machine)]
        if not mappings:
            sys.exit(f"{example} has no mapping for {options.machine}")
        pathlib.Path(options.scratch).mkdir(parents=True, exist_ok=True)
        found = [check(mapping, example, options) for mapping in mappings]
        if not any(hot for hot, _ in found):
            print(f"{example}: no hot loop was found")
            failed = True
        failed |= any(bad for _, bad in found)
    return 1 if failed else 0


sys.exit(main())
