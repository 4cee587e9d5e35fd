"""Runs septran-rewrite on inputs that no one would write on purpose.

    hostile.py TOOL LOGIC MAPPING SCRATCH

Every run must end with exit code 1 or 2 within a minute, print a message, and neither create nor change
its output file.
"""

import os
import pathlib
import random
import shutil
import subprocess
import sys

tool, logic, mapping, scratch = sys.argv[1], *map(pathlib.Path, sys.argv[2:])
shutil.rmtree(scratch, ignore_errors=True)
scratch.mkdir(parents=True)
problems = runs = 0


def run(name, source, mapping_file, *options):
    """Once without an output file, once with one that must stay."""
    global problems, runs
    for kept in (None, "kept\n"):
        out = scratch / "out.cpp"
        out.unlink(missing_ok=True)
        if kept:
            out.write_text(kept)
        command = [tool, source, "--mapping", mapping_file, "-o", out, *options, "--", "-std=c++20"]
        result = subprocess.run([str(part) for part in command], capture_output=True, timeout=60)
        runs += 1
        wrong = []
        if result.returncode not in (1, 2):
            wrong.append(f"exit code {result.returncode}")
        if not result.stderr.strip():
            wrong.append("no message")
        if (out.read_text() if out.exists() else None) != kept:
            wrong.append("output file touched")
        if wrong:
            problems += 1
            print(f"{name}: {', '.join(wrong)}")
            print(result.stderr.decode(errors="replace")[-2000:])


def file(name, content):
    path = scratch / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


noise = random.Random(1).randbytes(5000)
folder = scratch / "folder.yaml"
folder.mkdir()
loop = scratch / "loop.yaml"
loop.symlink_to(loop)
good = mapping.read_text()

run("no mapping file", logic, scratch / "missing.yaml")
run("mapping is a folder", logic, folder)
run("mapping is a link to itself", logic, loop)
run("mapping is noise", logic, file("noise.yaml", noise))
run("mapping has zero bytes", logic, file("zeros.yaml", good.encode() + b"\0\0"))
run("mapping is empty", logic, file("empty.yaml", ""))
run("mapping is a comment", logic, file("comment.yaml", "# nothing\n"))
run("mapping is a list", logic, file("list.yaml", "[1, 2]\n"))
run("mapping is C++", logic, logic)
run("mapping is a machine", logic, file("machine.yaml", "machine: {name: x}\n"))
run("mapping is deep", logic, file("deep.yaml", "a: " + "[" * 100000))
run("mapping is huge", logic, file("huge.yaml", good + "# " + "x" * (64 << 20)))
run("mapping is an alias bomb", logic, file("bomb.yaml", "a0: &a0 [x, x]\n" + "".join(
    f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]\n" for i in range(1, 60))))
run("mapping of another program", logic, file("other.yaml", good.replace("scale", "other")))
run("mapping cut off", logic, file("cut.yaml", good[:len(good) // 2]))
run("long names", logic, file("long.yaml", good.replace("scale_leaf", "s" * 100000)))
run("machine missing", logic, mapping, "--machine", scratch / "missing.yaml")
run("machine is a folder", logic, mapping, "--machine", folder)
run("machine is noise", logic, mapping, "--machine", scratch / "noise.yaml")
run("machine is a mapping", logic, mapping, "--machine", mapping)
run("logic missing", scratch / "missing.cpp", mapping)
run("logic is a folder", scratch, mapping)
run("logic is noise", file("noise.cpp", noise), mapping)
run("logic is empty", file("empty.cpp", ""), mapping)
run("logic is a mapping", mapping, mapping)
run("logic cut off", file("cut.cpp", logic.read_text()[:300]), mapping)
run("logic without tasks", file("plain.cpp", "int main() {}\n"), mapping)
run("logic includes itself", file("self.cpp", '#include "self.cpp"\n'), mapping)
run("logic is deep", file("deep.cpp", "int x = " + "(" * 20000 + "1" + ")" * 20000 + ";\n"), mapping)
if os.geteuid() != 0:  # root reads everything
    secret = file("secret.yaml", good)
    secret.chmod(0)
    run("mapping not readable", logic, secret)
print(f"{runs} runs,")
print(f"{problems} problems")
sys.exit(problems != 0)
