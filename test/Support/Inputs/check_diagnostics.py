"""Checks that every message of lib/Support/Diagnostics.def has a test.

    check_diagnostics.py SOURCE_ROOT [STAGE...]

A test of a message names its id, as `septran-unknown-key`, in an `expect:` line of a bad file, or as
`DiagID::UnknownKey`. With stages (the first words of the table's section headings) only these count.
"""

import pathlib
import re
import sys


def messages(table):
    """(stage, id, level) of every entry."""
    stage = ""
    for line in table.splitlines():
        if heading := re.match(r"//===--- (\w+)", line):
            stage = heading[1]
        if entry := re.match(r"DIAG\((\w+), (\w+),", line):
            yield stage, entry[1], entry[2]


def kebab(name):
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


def main():
    root = pathlib.Path(sys.argv[1])
    stages = sys.argv[2:]
    table = (root / "lib/Support/Diagnostics.def").read_text()
    tests = "\n".join(path.read_text(errors="replace") for path in sorted((root / "test").rglob("*"))
                      if path.suffix in (".cpp", ".h", ".test", ".yaml", ".py", ".txt"))
    named = set(re.findall(r"septran-([a-z0-9-]+)", tests))
    named |= set(re.findall(r"expect: \d+:\d+ ([a-z0-9-]+)", tests))
    enumerators = set(re.findall(r"DiagID::(\w+)", tests))
    seen = missing = 0
    for stage, name, level in messages(table):
        # Notes are tested with the messages that they explain.
        if level == "Note" or (stages and stage not in stages):
            continue
        seen += 1
        if kebab(name) not in named and name not in enumerators:
            print(f"{stage}: {kebab(name)} has no test")
            missing += 1
    print(f"{seen} messages, {missing} without a test")
    return 1 if missing or not seen else 0


sys.exit(main())
