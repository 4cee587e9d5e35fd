#!/usr/bin/env python3
"""Writes a folder that a machine with an NVIDIA GPU can build, check and time.

That machine needs the CUDA toolkit, Python 3 and nothing of this project: the sources are generated
here. There, `python3 run.py` does everything; see docs/cuda.md.
"""

import argparse
import concurrent.futures
import json
import pathlib
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "test" / "run"))
import check_example  # noqa: E402
import check_program  # noqa: E402
import programs  # noqa: E402

# Mappings in mappings/kernels whose kernels are timed; kernel_driver.cu has a formula for each example.
TIMED = {
    "matmul": ["simt", "sm80", "whole-sm80", "f64-simt", "f16-simt", "bf16-simt", "f16-sm80", "bf16-sm80",
               "f16-whole-sm80", "bf16-whole-sm80", "tf32-sm80", "tf32-whole-sm80", "tf32-truncated-sm80"],
    "softmax": ["simt", "bf16-simt"],
    "rmsnorm": ["simt"],
    "layernorm": ["simt"],
    "elementwise": ["gelu-simt"],
    "transpose": ["simt"],
    "stencil": ["heat5-simt"],
    "conv2d": ["simt"],
    "attention": ["simt", "f16-sm80", "bf16-sm80", "f16-whole-sm80", "bf16-whole-sm80"],
}

# Elements of tensors, by the end of an entry point's name.
ELEMENTS = {"_f64": "double", "_f16": "septran::float16", "_bf16": "septran::bfloat16"}


def uses_tf32(mapping):
    return "tf32" in json.dumps(mapping)


def timed_kernel(options, example, file):
    """Generates a kernel that run.py times: what it has to know about it."""
    logic = ROOT / "examples" / example / f"{example}.cpp"
    name = f"{example}-{file.stem}"
    programs.rewrite(options.tool, logic, file, None, options.folder / f"{name}.cu")
    mapping = programs.read_mapping(options.tool, logic, file)
    entry = programs.entry_of(mapping)
    element = next((ELEMENTS[end] for end in ELEMENTS if entry.endswith(end)), "float")
    return {"name": name, "example": example, "entry": entry, "element": element,
            "tf32": uses_tf32(mapping)}


def timed_kernels(options):
    chosen = [(example, ROOT / "mappings" / "kernels" / example / f"{name}.yaml")
              for example, names in TIMED.items() for name in names
              if not options.only or f"{example}-{name}" in options.only]
    for candidate in options.candidate:
        example, _, file = candidate.partition("=")
        chosen.append((example, pathlib.Path(file)))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        return list(pool.map(lambda kernel: timed_kernel(options, *kernel), chosen))


def host_program(options, name, logic, mapping_file, cases):
    """Generates a program whose tensors are the host's, which checks itself in `cases` of its mapping."""
    mapping = programs.read_mapping(options.tool, logic, mapping_file)
    # Drivers allow for the rounding of f32, and cannot know that a mapping rounds factors to tf32.
    if not programs.is_gpu(mapping["machine"]) or uses_tf32(mapping):
        return None
    folder = options.folder / "programs" / name
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as scratch:
        mapping_file = programs.called_from_host(mapping_file, mapping, pathlib.Path(scratch))
        programs.rewrite(options.tool, logic, mapping_file, None, folder / f"{name}.cu")
    for file in (*logic.parent.glob("*.h"), *logic.parent.glob("*.csv"), logic.parent / "driver.cpp"):
        shutil.copy(file, folder)
    return {"name": name, "cases": cases(mapping)}


def example_program(options, file):
    """An example under a mapping, at the shapes that test/run takes."""
    example = file.parent.name

    def cases(mapping):
        entry = programs.entry_of(mapping)
        arguments = check_example.ENTRIES[entry][0]
        return [[*arguments, *case] for case, _ in check_example.CASES[example](mapping, entry)]

    return host_program(options, f"{example}-{file.stem}",
                        ROOT / "examples" / example / f"{example}.cpp", file, cases)


def tested_program(options, name):
    """A program of test/run/Inputs, likewise."""
    folder = check_program.INPUTS / name
    return host_program(options, f"{name}-gpu", folder / f"{name}.cpp", folder / "gpu.yaml",
                        lambda _: [["--shape", *case.split()] for case in check_program.CASES[name][2]])


def checked_programs(options):
    """Of every mapping for these GPUs of the examples and of the programs of test/run, those asked for."""
    def wanted(name):
        return not options.only if options.program is None else name in options.program

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        made = [pool.submit(example_program, options, file)
                for file in sorted((ROOT / "mappings" / "kernels").glob("*/*.yaml"))
                if file.stem.endswith(("simt", "sm80")) and wanted(f"{file.parent.name}-{file.stem}")]
        made += [pool.submit(tested_program, options, name)
                 for name in sorted(check_program.CASES)
                 if (check_program.INPUTS / name / "gpu.yaml").exists() and wanted(f"{name}-gpu")]
        return [program.result() for program in made if program.result()]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True, help="septran-rewrite")
    parser.add_argument("--only", action="append", metavar="EXAMPLE-MAPPING",
                        help="time this kernel; default: all that there are")
    parser.add_argument("--program", action="append", metavar="NAME",
                        help="check this program: EXAMPLE-MAPPING, or NAME-gpu of test/run/Inputs; default: "
                             "all that there are, or none with --only")
    parser.add_argument("--candidate", action="append", default=[], metavar="EXAMPLE=FILE",
                        help="time the example under this mapping, too")
    parser.add_argument("--jobs", type=int, default=2, help="sources at a time (%(default)s)")
    parser.add_argument("folder", type=pathlib.Path, help="is made anew")
    options = parser.parse_args()
    if options.folder.exists() and not (options.folder / "cases.json").exists():
        parser.error(f"{options.folder} exists, and is no such folder")
    shutil.rmtree(options.folder, ignore_errors=True)
    options.folder.mkdir(parents=True)
    include = options.folder / "include"
    shutil.copytree(ROOT / "runtime" / "include" / "septran", include / "septran")
    for header in (ROOT / "examples").glob("*/*.h"):
        (include / header.parent.name).mkdir(exist_ok=True)
        shutil.copy(header, include / header.parent.name)
    for name in ("run.py", "driver.h", "matmul_driver.cu", "kernel_driver.cu"):
        shutil.copy(HERE / name, options.folder)
    kernels = timed_kernels(options)
    if not kernels:
        parser.error("no such mapping")
    checked = checked_programs(options)
    (options.folder / "cases.json").write_text(
        json.dumps({"kernels": kernels, "programs": checked}, indent=2) + "\n")
    print(f"{options.folder}: {len(kernels)} kernels"
          + (f", {len(checked)} programs" if checked else ""))
    return 0


if __name__ == "__main__":
    sys.exit(main())
