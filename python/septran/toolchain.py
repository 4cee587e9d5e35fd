"""Runs septran-rewrite and the C++ compiler: by argument vector, never through a shell."""

import functools
import os
import pathlib
import re
import shlex
import shutil
import subprocess

from .cache import hash_of_file
from .errors import CompileError


def run(command, what):
    """Standard output of a program that has to succeed."""
    try:
        done = subprocess.run([str(part) for part in command], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except (OSError, ValueError) as problem:
        raise CompileError(f"{what}: cannot run {command[0]}: {problem}") from problem
    said = done.stderr.decode(errors="replace")
    if done.returncode:
        raise CompileError(f"{what} ended with {done.returncode}:\n{said}", said)
    return done.stdout.decode(errors="replace")


def find_program(wanted, what):
    """The absolute path of a program that is given as a path or as a name."""
    found = shutil.which(os.fspath(wanted))
    if found is None:
        raise CompileError(f"there is no program {wanted}, which is needed as {what}")
    return os.path.abspath(found)


def find_tool(wanted=None):
    """septran-rewrite: as given, as $SEPTRAN_REWRITE says, as installed with this package, or on the
    PATH."""
    wanted = wanted or os.environ.get("SEPTRAN_REWRITE")
    if not wanted:
        beside = pathlib.Path(__file__).resolve().parents[4] / "bin" / "septran-rewrite" \
            if len(pathlib.Path(__file__).resolve().parents) > 4 else None
        wanted = beside if beside and beside.is_file() else "septran-rewrite"
    return find_program(wanted, "the compiler of mappings; $SEPTRAN_REWRITE may name it")


def which(program):
    """The absolute path of a program, or None."""
    found = shutil.which(program)
    return found and os.path.abspath(found)


def compiler_of(language, wanted=None):
    """A compiler as an argument vector: as given; else as $CXX says, or c++; for CUDA as $NVCC says, or
    nvcc; for HIP as $HIPCC says, or hipcc. It need not exist."""
    if wanted is None:
        variable, usual = {"c++": ("CXX", "c++"), "cuda": ("NVCC", "nvcc"),
                           "hip": ("HIPCC", "hipcc")}[language]
        wanted = shlex.split(os.environ.get(variable, "")) or [usual]
    elif isinstance(wanted, (str, os.PathLike)):
        wanted = [wanted]
    program, *flags = wanted
    return [os.fspath(program), *map(str, flags)]


@functools.lru_cache(maxsize=16)
def _identity(path, _size, _time):
    return hash_of_file(path)


def identity(program):
    """What changes with a program: a hash of its file."""
    real = os.path.realpath(program)
    found = os.stat(real)
    return _identity(real, found.st_size, found.st_mtime_ns)


def read_depfile(path):
    """The files behind the colon of a rule in make's syntax."""
    text = pathlib.Path(path).read_text(errors="surrogateescape").replace("\\\n", " ")
    target_end = re.search(r"(?<!\\):\s", text)
    files, word = [], ""
    at = target_end.end() if target_end else len(text)
    while at < len(text):
        c = text[at]
        if c == "\\" and text[at + 1:at + 2] in (" ", "#", "\\"):
            word += text[at + 1]
            at += 1
        elif c == "$" and text[at + 1:at + 2] == "$":
            word += "$"
            at += 1
        elif c.isspace():
            if word:
                files.append(word)
            word = ""
        else:
            word += c
        at += 1
    return files + ([word] if word else [])
