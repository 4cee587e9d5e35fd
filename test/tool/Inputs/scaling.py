"""Generates programs with many tasks and a mapping with as many instances; counts what septran-rewrite
allocates.

    scaling.py TOOL COUNTER SCRATCH

COUNTER is count_allocations.cpp as a library. Allocations follow the work that is done on values of the
compiler, and unlike time they are the same on every run. Those for one task are taken off: every run
reads the same headers.
"""

import os
import pathlib
import shutil
import subprocess
import sys

tool, counter, scratch = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
shutil.rmtree(scratch, ignore_errors=True)
scratch.mkdir(parents=True)


def logic(tasks):
    text = "#include <septran/septran.h>\nusing vector = septran::tensor<float, 1>;\n"
    for t in range(tasks):
        text += f"""
[[septran::leaf]]
void leaf{t}(vector x) {{
  for (int i = 0; i < x.extent(0); ++i)
    x(i) += {t};
}}
[[septran::task]]
void task{t}(vector x) {{
  [[septran::tunable]] const int tile = 8;
  auto p = septran::partition(x, {{tile}});
  for (auto [i] : septran::parallel(p.extent(0)))
    leaf{t}(p(i));
}}
"""
    calls = "".join(f"  task{t}(x);\n" for t in range(tasks))
    return text + f"[[septran::task]]\nvoid start(vector x) {{\n{calls}}}\n"


def mapping(tasks):
    text = "machine: cpu/generic\nentrypoint: start\ntask_mappings:\n  start: {}\n"
    for t in range(tasks):
        text += f"  task{t}: {{tunables: {{tile: {64 + t}}}, calls: {{leaf{t}: inner{t}}}}}\n"
        text += f"  inner{t}: {{task_name: leaf{t}, proc: CORE, mems: {{x: CACHE}}}}\n"
    return text


def allocations(tasks):
    source, settings, output = (scratch / name for name in ("logic.cpp", "map.yaml", "out.cpp"))
    count = scratch / "count"
    source.write_text(logic(tasks))
    settings.write_text(mapping(tasks))
    environment = {**os.environ, "LD_PRELOAD": counter, "ALLOCATIONS_FILE": str(count)}
    used = subprocess.run([tool, source, "--mapping", settings, "-o", output, "--", "-std=c++20"],
                          env=environment)
    if used.returncode:
        sys.exit(f"{tasks} tasks: exit code {used.returncode}")
    launched = output.read_text().count("#pragma omp parallel for")
    if launched != tasks:
        sys.exit(f"{tasks} tasks: {launched} parallel loops")
    return int(count.read_text())


base = allocations(1)
small, large = allocations(100) - base, allocations(500) - base
print(f"1 task: {base} allocations")
print(f"100 tasks: {small} more")
print(f"500 tasks: {large} more")
if base <= 0 or small <= 0:
    sys.exit("the allocations of this build cannot be counted")
if large > 6 * small:
    sys.exit("the work grows faster than the program")
print("linear")
