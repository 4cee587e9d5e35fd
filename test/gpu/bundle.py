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


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True, help="septran-rewrite")
    parser.add_argument("--only", action="append", metavar="MAPPING", help="default: all that there are")
    parser.add_argument("folder", type=pathlib.Path, help="is made anew")
    options = parser.parse_args()
    if options.folder.exists() and not (options.folder / "cases.json").exists():
        parser.error(f"{options.folder} exists, and is no such folder")
    shutil.rmtree(options.folder, ignore_errors=True)
    options.folder.mkdir(parents=True)
    include = options.folder / "include"
    shutil.copytree(ROOT / "runtime" / "include" / "septran", include / "septran")
    for example in ("matmul", "common"):
        shutil.copytree(ROOT / "examples" / example, include / example,
                        ignore=lambda _, names: [n for n in names if not n.endswith(".h")])
    for name in ("run.py", "matmul_driver.cu"):
        shutil.copy(HERE / name, options.folder)
    cases = []
    for name, (entry, element, result) in MATMUL.items():
        mapping = ROOT / "mappings" / "kernels" / "matmul" / f"{name}.yaml"
        if not mapping.exists() or (options.only and name not in options.only):
            continue
        source = f"matmul-{name}.cu"
        subprocess.run([options.tool, ROOT / "examples" / "matmul" / "matmul.cpp", "--mapping", mapping,
                        "-o", options.folder / source, "--", "-std=c++20",
                        "-I", ROOT / "runtime" / "include", "-I", ROOT / "examples"], check=True)
        cases.append({"name": f"matmul-{name}", "source": source, "entry": entry, "element": element,
                      "result": result, "tf32": name.startswith("tf32")})
    if not cases:
        parser.error("no such mapping")
    (options.folder / "cases.json").write_text(json.dumps(cases, indent=2) + "\n")
    print(f"{options.folder}: {len(cases)} kernels")
    return 0


if __name__ == "__main__":
    sys.exit(main())
