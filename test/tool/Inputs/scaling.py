"""Generates programs with many tasks and a mapping with as many instances; measures septran-rewrite.

    scaling.py TOOL SCRATCH

The time of an empty program is taken off: every run reads the same headers.
"""

import pathlib
import shutil
import subprocess
import sys
import time

tool, scratch = sys.argv[1], pathlib.Path(sys.argv[2])
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


def seconds(tasks):
    """The better of two runs."""
    source, settings, output = (scratch / name for name in ("logic.cpp", "map.yaml", "out.cpp"))
    source.write_text(logic(tasks))
    settings.write_text(mapping(tasks))
    times = []
    for _ in range(2):
        begin = time.perf_counter()
        used = subprocess.run([tool, source, "--mapping", settings, "-o", output, "--", "-std=c++20"])
        times.append(time.perf_counter() - begin)
        if used.returncode:
            sys.exit(f"{tasks} tasks: exit code {used.returncode}")
    launched = output.read_text().count("#pragma omp parallel for")
    if launched != tasks:
        sys.exit(f"{tasks} tasks: {launched} parallel loops")
    return min(times)


base = seconds(1)
small, large = seconds(100) - base, seconds(500) - base
print(f"1 task: {base:.2f} s")
print(f"100 tasks: {small:.2f} s more")
print(f"500 tasks: {large:.2f} s more")
if large > 12 * max(small, 0.05):
    sys.exit("time grows faster than the program")
print("about linear")
