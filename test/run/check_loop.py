#!/usr/bin/env python3
"""Says what instructions the main loop of a kernel for sm_80 is made of.

Reads a cubin: an ELF file, whose sections .text.KERNEL hold instructions of 16 bytes. The low 9 bits
of the first say what an instruction does (the 3 above them, which operands it has), bits 12 to 15
under which predicate; `!PT`, 15, is never. A branch's distance from the next instruction is in the
upper half of the first 8 bytes. The numbers were read off NVIDIA's disassembler.

The main loop is what a branch backwards encloses that holds matrix instructions. It fails if anything
is there that is no matrix instruction, load of fragments, asynchronous copy, wait or barrier for
these, branch, or arithmetic on addresses, counters and predicates, or named by --also.
"""

import argparse
import collections
import pathlib
import struct
import sys

WORK = {0x03c: "HMMA", 0x037: "IMMA", 0x03b: "LDSM", 0x1ae: "LDGSTS", 0x1af: "LDGDEPBAR",
        0x11a: "DEPBAR", 0x11d: "BAR"}
CONTROL = {0x147: "BRA", 0x144: "CALL", 0x118: "NOP"}
INTEGERS = {0x002: "MOV", 0x003: "P2R", 0x004: "R2P", 0x005: "CS2R", 0x007: "SEL", 0x00c: "ISETP",
            0x010: "IADD3", 0x011: "LEA", 0x012: "LOP3", 0x017: "IMNMX", 0x019: "SHF", 0x01c: "PLOP3",
            0x024: "IMAD", 0x025: "IMAD", 0x027: "IMAD", 0x082: "UMOV", 0x087: "USEL", 0x08c: "UISETP",
            0x090: "UIADD3", 0x091: "ULEA", 0x092: "ULOP3", 0x099: "USHF", 0x0a4: "UIMAD",
            0x0a5: "UIMAD", 0x0b9: "ULDC", 0x1c2: "R2UR"}
# What a loop may need besides, by its element type.
ALSO = {0x184: "LDS", 0x016: "PRMT", 0x00b: "FSETP"}
MATRIX = (0x03c, 0x037)
BRANCH, NEVER, BYTES = 0x147, 15, 16


def sections(data):
    """Name and content of an ELF file's sections: System V ABI, chapter 4."""
    table = struct.unpack_from("<Q", data, 0x28)[0]
    size, count, names = struct.unpack_from("<HHH", data, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", data, table + index * size) for index in range(count)]
    base = headers[names][4]
    for name, _, _, _, offset, length in headers:
        text = data[base + name:data.index(b"\0", base + name)].decode()
        yield text, data[offset:offset + length]


def main_loop(code):
    """The instructions of the loop with the most matrix instructions."""
    words = [struct.unpack_from("<Q", code, at)[0] for at in range(0, len(code), BYTES)]
    best, most = [], 0
    for at, word in enumerate(words):
        if word & 0x1ff != BRANCH:
            continue
        distance = struct.unpack("<i", struct.pack("<I", word >> 32))[0]
        begin = at + 1 + distance // BYTES
        if begin > at or begin < 0:
            continue
        body = words[begin:at + 1]
        matrix = sum(word & 0x1ff in MATRIX for word in body)
        if matrix > most:
            best, most = body, matrix
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cubin", type=pathlib.Path)
    parser.add_argument("--kernel", required=True, help="part of the kernel's mangled name")
    parser.add_argument("--most", type=int, help="instructions that the loop may have")
    parser.add_argument("--also", nargs="*", default=[], choices=ALSO.values(),
                        help="loads of single elements, permutations of bytes, comparisons of floats")
    options = parser.parse_args()
    work = WORK | {code: name for code, name in ALSO.items() if name in options.also}
    found = [code for name, code in sections(options.cubin.read_bytes())
             if name.startswith(".text.") and options.kernel in name]
    if len(found) != 1:
        sys.exit(f"{len(found)} kernels are called {options.kernel}")
    loop = [word for word in main_loop(found[0]) if word >> 12 & 15 != NEVER]
    if not loop:
        sys.exit("no loop has matrix instructions")
    counts, others = collections.Counter(), collections.Counter()
    for word in loop:
        what = word & 0x1ff
        name = work.get(what) or CONTROL.get(what) or INTEGERS.get(what)
        if name:
            counts[name] += 1
        else:
            others[f"{word & 0xfff:03x}"] += 1
    for title, names in (("work", work), ("control", CONTROL), ("integers", INTEGERS)):
        listed = [(name, counts[name]) for name in dict.fromkeys(names.values()) if counts[name]]
        print(f"{title}:", sum(count for _, count in listed),
              " ".join(f"{name} {count}" for name, count in listed))
    if options.most is not None and len(loop) > options.most:
        sys.exit(f"the loop has {len(loop)} instructions, and {options.most} are expected")
    if others:
        sys.exit("other instructions, by opcode: " +
                 " ".join(f"{code} {count}" for code, count in sorted(others.items())))


if __name__ == "__main__":
    main()
