"""Builds plain and mapped programs and compares what they compute; for the tests in this folder.

A program is a logic file and a driver that understands the options of examples/common/run.h. The
plain program defines the result. It is built once per content and kept in a cache that all tests
share; a mapped program is built per mapping and compiler.
"""

import array
import fcntl
import hashlib
import math
import os
import pathlib
import struct
import subprocess
import sys

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDES = ["-I", str(ROOT / "runtime" / "include"), "-I", str(ROOT / "examples")]
MACHINES = ROOT / "mappings" / "machines"

# Optimisation is not what these tests are about, and -O1 halves the time they take.
OPTIMISE = "-O1"


class Failed(Exception):
    """What went wrong, for the test's log."""


def call(command, environment=None, accept=(0,)):
    """Runs a command and returns its output."""
    done = subprocess.run([str(part) for part in command], text=True, errors="replace",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env={**os.environ, **(environment or {})}, check=False)
    if done.returncode not in accept:
        shown = " ".join(str(part) for part in command)
        raise Failed(f"exit code {done.returncode} of: {shown}\n{done.stdout}")
    return done.stdout


def digest(parts, folders):
    """Changes with the text of every file in `folders` and with `parts`."""
    hashed = hashlib.sha256("\0".join(parts).encode())
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".h", ".cpp", ""):
                hashed.update(path.read_bytes() if path.is_file() else b"")
    return hashed.hexdigest()[:16]


def built_once(cache, name, build):
    """The file `name` in the folder `cache`, made by build(path) unless it is there already."""
    cache.mkdir(parents=True, exist_ok=True)
    path = cache / name
    with open(cache / f"{name}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            unfinished = cache / f"{name}.part"
            build(unfinished)
            unfinished.rename(path)
    return path


class Program:
    """A logic file with its driver."""

    def __init__(self, logic, driver, compiler, cache):
        self.logic, self.driver = logic, driver
        key = digest([compiler, OPTIMISE],
                     [ROOT / "runtime" / "include", ROOT / "examples" / "common", logic.parent])
        name = f"{logic.stem}-{key}"
        flags = ["-std=c++20", OPTIMISE, *INCLUDES]
        self.driver_object = built_once(
            cache, f"{name}-driver.o",
            lambda path: call([compiler, *flags, "-c", driver, "-o", path]))
        self.plain = built_once(
            cache, f"{name}-plain",
            lambda path: call([compiler, *flags, "-x", "c++", logic, "-x", "none",
                               self.driver_object, "-o", path]))


class MappingLoader(yaml.SafeLoader):
    """Of mappings, in which a tune point stands for what it has if nobody chooses."""


def tune_point(loader, node):
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)[0]
    point = loader.construct_mapping(node, deep=True)
    first = point["values"][0] if "values" in point else point.get("min", False)
    return point.get("default", first)


MappingLoader.add_constructor("!tune", tune_point)


def read_mapping(tool, logic, mapping):
    """The effective mapping, after `extends` and `defaults`."""
    text = call([tool, logic, "--mapping", mapping, "--print-mapping", "--", "-std=c++20",
                 *INCLUDES])
    return yaml.load(text, MappingLoader)


def entry_of(mapping):
    """The task at the entry point of an effective mapping."""
    root = mapping["entrypoint"]
    return mapping["task_mappings"][root].get("task_name", root)


def machine_flags(name, folder=MACHINES):
    """The compiler flags that a machine file asks for, without its optimisation level."""
    path = folder / name if name.endswith(".yaml") else MACHINES / f"{name}.yaml"
    while True:
        machine = yaml.safe_load(path.read_text(encoding="utf-8"))
        if "flags" in machine.get("toolchain", {}):
            return [flag for flag in machine["toolchain"]["flags"] if not flag.startswith("-O")]
        path = path.parent / machine["extends"]


def rewrite(tool, logic, mapping, machine, output):
    """Writes the mapped source text. Without a machine it is for that of the mapping."""
    chosen = ["--machine", machine] if machine else []
    call([tool, logic, "--mapping", mapping, *chosen, "--verify-each", "-o", output, "--",
          "-std=c++20", *INCLUDES])


def is_gpu(machine):
    return machine.startswith("nvidia/")


def called_from_host(mapping_file, mapping, scratch):
    """The mapping, with the entry point's arguments in the host's memory: the drivers' tensors are."""
    entry = mapping["entrypoint"]
    placed = mapping["task_mappings"][entry].get("mems", {})
    path = scratch / f"{mapping_file.parent.name}-{mapping_file.name}"
    path.write_text(yaml.safe_dump({
        "extends": str(mapping_file.resolve()),
        "task_mappings": {entry: {"mems": {name: "HOST" for name in placed}}}}), encoding="utf-8")
    return path


def build_emulated(tool, program, mapping, compiler, emulator, output):
    """The generated CUDA C++ as a program for the host, every access under the emulator's eyes."""
    source, compiled = output.with_suffix(".cu"), output.with_suffix(".o")
    rewrite(tool, program.logic, mapping, None, source)
    text = call([compiler, "-x", "c++", "-std=c++20", OPTIMISE, "-g1", "-Wall", "-Wextra",
                 "-Wno-unknown-pragmas",
                 # A thread uses no element of its registers beyond the tensor; g++ cannot see that.
                 "-Wno-maybe-uninitialized", "-fsanitize=thread", *INCLUDES, "-c", source, "-o", compiled])
    if "warning:" in text:
        raise Failed(f"{source} does not compile without warnings\n{text}")
    call([compiler, compiled, program.driver_object, emulator, "-o", output])


def check_emulated(program, emulated, options, dtype, length, scratch):
    """The plain program against the emulated one under three schedules, whose results are the same."""
    plain, first = scratch / f"{emulated.name}.plain", None
    try:
        call([program.plain, *options, "--strided", "--save", plain])
        for schedule in ("eager", "lazy", "random:7"):
            saved = scratch / f"{emulated.name}.{schedule.partition(':')[0]}"
            call([emulated, *options, "--strided", "--check", "--save", saved],
                 {"SEPTRAN_EMULATOR": schedule})
            compare(plain, saved, dtype, length)
            if first and first.read_bytes() != saved.read_bytes():
                raise Failed(f"schedule {schedule} changes the result")
            first = first or saved
    except Failed as problem:
        raise Failed(f"with {' '.join(options)}: {problem}") from problem


def build_mapped(tool, program, mapping, compiler, machine, output, extra=()):
    source = output.with_suffix(".cpp")
    rewrite(tool, program.logic, mapping, machine, source)
    name = machine or read_mapping(tool, program.logic, mapping)["machine"]
    call([compiler, "-std=c++20", OPTIMISE, "-Wall", "-Wextra", "-Werror",
          *machine_flags(name, mapping.parent), *extra, *INCLUDES, source,
          program.driver_object, "-o", output])


FORMATS = {"f32": "f", "f64": "d", "i32": "i", "f16": "e"}
EPSILON = {"f64": 2.0**-52, "f32": 2.0**-23, "f16": 2.0**-10, "bf16": 2.0**-7, "i32": 0.0}


def elements(path, dtype):
    data = path.read_bytes()
    if dtype == "bf16":
        halves = array.array("H", data)
        words = array.array("I", [half << 16 for half in halves])
        return array.array("f", words.tobytes())
    if dtype == "f16":
        return [value for (value,) in struct.iter_unpack("e", data)]
    return array.array(FORMATS[dtype], data)


def compare(plain, mapped, dtype, length):
    """Files of elements. Sums of `length` terms in another order may differ by their rounding."""
    expected, got = elements(plain, dtype), elements(mapped, dtype)
    if len(expected) != len(got):
        raise Failed(f"{len(got)} elements instead of {len(expected)}")
    finite = [abs(value) for value in expected if math.isfinite(value)]
    largest = max(finite, default=0.0)
    sum_epsilon = EPSILON["f64" if dtype == "f64" else "f32"]
    for index, (x, y) in enumerate(zip(expected, got)):
        if x == y or (math.isnan(x) and math.isnan(y)):
            continue
        bound = 0.0
        if dtype != "i32":
            bound = 2 * EPSILON[dtype] * abs(x) + 8 * (length + 8) * sum_epsilon * largest
        if dtype in ("f16", "bf16"):
            # Weights are rounded to the type on the way (attention); another order of the f32 sums
            # before tips some of them the other way. Inputs lie in [-1, 1], each weight is small.
            bound += EPSILON[dtype] / 4
        if not abs(x - y) <= bound:
            raise Failed(f"element {index} is {y}, plain {x}, at most {bound:.3g} apart")


def check_runs(program, mapped, options, dtype, length, scratch, environment=None):
    """The plain program against the mapped one: on one thread, on three, and on three again."""
    saved = {name: scratch / f"{mapped.name}.{name}" for name in ("plain", "1", "3", "again")}
    try:
        call([program.plain, *options, "--strided", "--save", saved["plain"]])
        for name, threads in (("1", "1"), ("3", "3"), ("again", "3")):
            call([mapped, *options, "--strided", "--check", "--save", saved[name]],
                 {**(environment or {}), "OMP_NUM_THREADS": threads, "OMP_DYNAMIC": "false"})
            compare(saved["plain"], saved[name], dtype, length)
        if saved["3"].read_bytes() != saved["again"].read_bytes():
            raise Failed("two runs on three threads differ")
    except Failed as problem:
        raise Failed(f"with {' '.join(options)}: {problem}") from problem


def add_options(parser):
    """What check_example.py and check_program.py have in common."""
    parser.add_argument("--tool", required=True, help="septran-rewrite")
    parser.add_argument("--cxx", required=True, help="compiles the mapped program")
    parser.add_argument("--plain-cxx", help="compiles the plain program and the driver")
    parser.add_argument("--emulator", type=pathlib.Path, help="library for programs of GPU machines")
    parser.add_argument("--flag", action="append", default=[], help="one more for --cxx")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th shape")
    parser.add_argument("--cache", type=pathlib.Path, required=True, metavar="FOLDER")
    parser.add_argument("--scratch", type=pathlib.Path, required=True, metavar="FOLDER")


def open_program(options, folder, name):
    options.scratch.mkdir(parents=True, exist_ok=True)
    return Program(folder / f"{name}.cpp", folder / "driver.cpp",
                   options.plain_cxx or options.cxx, options.cache)


def report(results):
    """Prints a line per (name, Failed or None) and returns the exit code."""
    failures = 0
    for name, problem in results:
        print(f"PASS {name}" if problem is None else f"FAIL {name}: {problem}", flush=True)
        failures += problem is not None
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit("this module is used by check_example.py and check_program.py")
