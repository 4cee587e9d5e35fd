"""What ./quickstart and ./run-tests share: installing, configuring, building, progress.

Standard library only: this runs before anything is installed.
"""

import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent

# The C++ compiler to build with, and the preset of CMakePresets.json that says so.
PRESETS = {"default": "dev", "gcc": "gcc", "clang": "clang"}


class StepFailed(Exception):
    """A command that everything after it depends on has failed."""


def default_jobs():
    """One job per usable core, but no more than fit in memory: a file that includes clang's
    headers takes about 1 GiB to compile."""
    cores = len(os.sched_getaffinity(0))
    gibibytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return max(1, min(cores, int(gibibytes / 1.25)))


def build_folder(compiler):
    preset = PRESETS[compiler]
    return ROOT / ("build" if preset == "dev" else f"build-{preset}")


def say(text):
    print(text, flush=True)


class Step:
    """`with Step("building")` prints what begins and, at the end, how long it took."""

    def __init__(self, title):
        self.title = title

    def __enter__(self):
        self.start = time.monotonic()
        say(f"==> {self.title}")
        return self

    def __exit__(self, kind, *_):
        outcome = "done" if kind is None else "failed"
        say(f"    {outcome} after {time.monotonic() - self.start:.1f} s")


def run(command, **options):
    """Runs a command that must succeed; its output goes straight to the terminal."""
    command = [str(part) for part in command]
    sys.stdout.flush()
    try:
        code = subprocess.call(command, cwd=ROOT, **options)
    except OSError as error:
        raise StepFailed(f"cannot run {command[0]}: {error.strerror}")
    if code:
        raise StepFailed(f"exit code {code} from: {' '.join(command)}")


def install(group):
    with Step(f"installing what is missing (scripts/setup {group})"):
        run([ROOT / "scripts" / "setup", group])


def configure(compiler, folder, definitions=()):
    with Step(f"configuring {folder}"):
        run(["cmake", "--preset", PRESETS[compiler], "-B", folder, "--log-level=WARNING",
             *(f"-D{definition}" for definition in definitions)])


def build(folder, jobs, targets=()):
    with Step(f"building in {folder} with {jobs} jobs"):
        run(["cmake", "--build", folder, "--parallel", jobs,
             *(["--target", *targets] if targets else [])])
