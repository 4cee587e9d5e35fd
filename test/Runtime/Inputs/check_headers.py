"""check_headers.py INCLUDE COMPILER...

Compiles every header in INCLUDE/septran, alone, as the first include of an otherwise empty source,
and all of them together. A warning or an error is printed, and the exit code is 1.

The compilers, the language versions and the plain and the checked build take turns from header to
header; the source of all headers is compiled in each combination. What the checked build adds
(septran/checked) is compiled as part of it only.
"""

import itertools
import os
import subprocess
import sys

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wno-attributes"]


def output_of(compiler, standard, build, include, headers):
    source = "".join(f"#include <{header}>\n" for header in headers)
    command = [compiler, "-x", "c++", f"-std={standard}", *build, *WARNINGS, "-I", include,
               "-fsyntax-only", "-"]
    result = subprocess.run(command, input=source, text=True, capture_output=True)
    return result.stdout + result.stderr or (f"exit code {result.returncode}"
                                             if result.returncode else "")


def main(include, *compilers):
    headers = sorted(os.path.relpath(os.path.join(folder, name), include)
                     for folder, _, names in os.walk(include)
                     for name in names if name.endswith(".h"))
    plain, checked = [], ["-DSEPTRAN_CHECKED"]
    settings = list(itertools.product((plain, checked), ("c++20", "c++23"), compilers))
    jobs = []
    for header, setting in zip(headers, itertools.cycle(settings)):
        if header.startswith("septran/checked/"):
            setting = (checked, *setting[1:])
        jobs.append((setting, [header]))
    for setting in settings:
        jobs.append((setting, [header for header in headers
                               if setting[0] == checked or "/checked/" not in header]))
    failed = 0
    for (build, standard, compiler), names in jobs:
        text = output_of(compiler, standard, build, include, names)
        if text:
            failed += 1
            print(f"{compiler} -std={standard} {' '.join(build)} {' '.join(names)}:\n{text}")
    print(f"{len(jobs)} compilations, {failed} with messages")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
