#!/usr/bin/env python3
"""Writes a folder that a machine with an NVIDIA GPU can build, check and time.

That machine needs the CUDA toolkit, Python 3 and nothing of this project: the sources are generated
here. There, `python3 run.py` does everything; see docs/cuda.md.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]

# Mapping of examples/matmul: entry, elements of A and B, elements of C.
MATMUL = {
    "simt": ("matmul", "float", "float"),
    "sm80": ("matmul", "float", "float"),
    "f64-simt": ("matmul_f64", "double", "double"),
    "f16-simt": ("matmul_f16", "septran::float16", "septran::float16"),
    "bf16-simt": ("matmul_bf16", "septran::bfloat16", "septran::bfloat16"),
    "f16-sm80": ("matmul_f16", "septran::float16", "septran::float16"),
    "bf16-sm80": ("matmul_bf16", "septran::bfloat16", "septran::bfloat16"),
    "tf32-sm80": ("matmul", "float", "float"),
}

# Other examples: mapping, entry, elements. kernel_driver.cu has a formula for each example.
OTHERS = [
    ("softmax", "simt", "softmax", "float"),
    ("softmax", "bf16-simt", "softmax_bf16", "septran::bfloat16"),
    ("rmsnorm", "simt", "rmsnorm", "float"),
    ("layernorm", "simt", "layernorm", "float"),
    ("elementwise", "gelu-simt", "gelu", "float"),
    ("transpose", "simt", "transpose", "float"),
    ("stencil", "heat5-simt", "heat5", "float"),
    ("conv2d", "simt", "conv2d_3x3", "float"),
    ("attention", "simt", "attention", "float"),
    ("attention", "f16-sm80", "attention_f16", "septran::float16"),
    ("attention", "bf16-sm80", "attention_bf16", "septran::bfloat16"),
]


def generate(options, example, mapping):
    """The name of the file that the example becomes under the mapping, in the folder."""
    source = f"{example}-{mapping}.cu"
    subprocess.run([options.tool, ROOT / "examples" / example / f"{example}.cpp", "--mapping",
                    ROOT / "mappings" / "kernels" / example / f"{mapping}.yaml",
                    "-o", options.folder / source, "--", "-std=c++20",
                    "-I", ROOT / "runtime" / "include", "-I", ROOT / "examples"], check=True)
    return source


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True, help="septran-rewrite")
    parser.add_argument("--only", action="append", metavar="MAPPING",
                        help="of matmul, or EXAMPLE-MAPPING; default: all that there are")
    parser.add_argument("folder", type=pathlib.Path, help="is made anew")
    options = parser.parse_args()
    if options.folder.exists() and not (options.folder / "cases.json").exists():
        parser.error(f"{options.folder} exists, and is no such folder")
    shutil.rmtree(options.folder, ignore_errors=True)
    options.folder.mkdir(parents=True)
    include = options.folder / "include"
    shutil.copytree(ROOT / "runtime" / "include" / "septran", include / "septran")
    for example in sorted({"matmul", "common", *(other[0] for other in OTHERS)}):
        shutil.copytree(ROOT / "examples" / example, include / example,
                        ignore=lambda _, names: [n for n in names if not n.endswith(".h")])
    for name in ("run.py", "driver.h", "matmul_driver.cu", "kernel_driver.cu"):
        shutil.copy(HERE / name, options.folder)
    cases = []
    for name, (entry, element, result) in MATMUL.items():
        mapping = ROOT / "mappings" / "kernels" / "matmul" / f"{name}.yaml"
        if not mapping.exists() or (options.only and name not in options.only):
            continue
        cases.append({"name": f"matmul-{name}", "source": generate(options, "matmul", name),
                      "example": "matmul", "entry": entry, "element": element, "result": result,
                      "tf32": name.startswith("tf32")})
    for example, mapping, entry, element in OTHERS:
        name = f"{example}-{mapping}"
        if not options.only or name in options.only:
            cases.append({"name": name, "source": generate(options, example, mapping),
                          "example": example, "entry": entry, "element": element, "tf32": False})
    if not cases:
        parser.error("no such mapping")
    (options.folder / "cases.json").write_text(json.dumps(cases, indent=2) + "\n")
    print(f"{options.folder}: {len(cases)} kernels")
    return 0


if __name__ == "__main__":
    sys.exit(main())
