"""Checks that every key of an instance does something on a CPU machine: it changes the generated code,
changes what --explain says, or is refused.

    check_key_effects.py TOOL SCHEMA INCLUDE_FOLDER WORK_FOLDER

Each case is a pair of settings for the task and the leaf below, compared with the run without them.
A key of the schema without a case is an error, and so is a case for no key.
"""

import json
import pathlib
import re
import subprocess
import sys

LOGIC = """
#include <septran/septran.h>
template <class T> using matrix = septran::tensor<T, 2>;
[[septran::leaf("product")]]
void leaf(matrix<float> C, matrix<const float> A, matrix<const float> B) {
  for (int i = 0; i < C.extent(0); ++i)
    for (int j = 0; j < C.extent(1); ++j)
      for (int k = 0; k < A.extent(1); ++k)
        C(i, j) += A(i, k) * B(k, j);
}
[[septran::leaf("product")]]
void outer_products(matrix<float> C, matrix<const float> A, matrix<const float> B) {
  for (int k = 0; k < A.extent(1); ++k)
    for (int i = 0; i < C.extent(0); ++i)
      for (int j = 0; j < C.extent(1); ++j)
        C(i, j) += A(i, k) * B(k, j);
}
[[septran::task]]
void task(matrix<float> C, matrix<const float> A, matrix<const float> B) {
  [[septran::tunable]] const int tile = 64;
  auto Cp = septran::partition(C, {tile, 32});
  auto Ap = septran::partition(A, {tile, 128});
  auto Bp = septran::partition(B, {128, 32});
  for (auto [i, j] : septran::parallel(Cp.shape()))
    for (int k = 0; k < Ap.extent(1); ++k)
      leaf(Cp(i, j), Ap(i, k), Bp(k, j));
}
"""

MAPPING = """machine: cpu/x86-avx512
entrypoint: task
task_mappings:
  task: {{{task}}}
  leaf: {{{leaf}}}
"""

# key -> (settings of the task, settings of the leaf, the id of the message; "" for other code,
# "explain" for another explanation), over the settings that make the key meaningful.
ON_CORE = "proc: CORE"
CASES = {
    "task_name": [("", ON_CORE, "", "task_name: outer_products", "")],
    "extends": [("", "", "", "extends: task", "not-of-family")],
    "at_most": [("", ON_CORE, "", "at_most: {C.extent(1): 16}", "missing-key"),
                ("", ON_CORE, "", "at_most: {C.extent(1): 16}, otherwise: leaf", "instance-cycle")],
    "exactly": [("", ON_CORE, "", "exactly: {C.extent(1): 16}", "missing-key")],
    "multiple_of": [("", ON_CORE, "", "multiple_of: {C.extent(1): 16}", "missing-key")],
    "otherwise": [("", ON_CORE, "", "otherwise: leaf", "missing-key")],
    "proc": [("", "", "", ON_CORE, "")],
    "mems": [("", ON_CORE, "", "mems: {A: CACHE}", "")],
    "tunables": [("", ON_CORE, "tunables: {tile: 32}", "", "")],
    "calls": [("", ON_CORE, "calls: {leaf: leaf, leaf#1: leaf}", "", "unknown-call-site")],
    "leaf_task_bindings": [("", ON_CORE, "leaf_task_bindings: {leaf: dot2_s16}", "", "binding-mismatch")],
    "binding": [("", ON_CORE, "", "binding: dot2_s16", "binding-mismatch")],
    "pipeline": [("mems: {A: CACHE}", ON_CORE, "pipeline: 2", "", "explain")],
    "prefetch": [("mems: {A: CACHE}", ON_CORE, "prefetch: {A: 2}", "", "explain"),
                 ("", ON_CORE, "", "prefetch: {A: 2}", "")],
    "resident": [("mems: {A: CACHE}", ON_CORE, "resident: [A]", "", "")],
    "in_place": [("", ON_CORE, "", "in_place: [A]", "explain")],  # a warning: A is no window
    "clip": [("", ON_CORE, "", "clip: [A]", "explain")],  # a warning: A is no window
    "layouts": [("", ON_CORE, "", "layouts: {A: column}", "")],
    "order": [("", ON_CORE, "order: column", "", ""), ("", ON_CORE, "order: grouped(2)", "", ""),
              ("", ON_CORE, "order: hilbert", "", "wrong-target")],
    "parallelize": [("", ON_CORE, f"parallelize: {value}", "", "")
                    for value in ("false", "{schedule: guided}", "{chunk: 2}", "{threads: 2}",
                                  "{collapse: 1}")],
    "vectorize": [("", ON_CORE, "", f"vectorize: {value}", "")
                  for value in ("false", "i", "8", "{loop: j, width: 4}")] +
                 [("", ON_CORE, "", "vectorize: 3", "unknown-value")],
    "unroll": [("", ON_CORE, "", "unroll: 4", ""), ("", ON_CORE, "", "unroll: {i: 2}", ""),
               ("", ON_CORE, "unroll: 4", "", "unknown-value")],
    "accumulators": [("", ON_CORE + ", vectorize: k", "", "accumulators: 2", ""),
                     ("", ON_CORE, "", "accumulators: 2", "unknown-value"),
                     ("", ON_CORE, "accumulators: 2", "", "unknown-value")],
    "stores": [("", ON_CORE, "", "stores: {C: streaming}", ""),
               ("", ON_CORE, "", "stores: {C: by_size}", ""),
               ("", ON_CORE, "", "stores: {A: streaming}", "unknown-value"),
               ("", ON_CORE, "stores: {C: streaming}", "", "unknown-value")],
    "constraints": [("", ON_CORE, 'constraints: ["tile == 3"]', "", "constraint-fails")],
    "persistent": [("", ON_CORE, "persistent: true", "", "wrong-target")],
    "cluster": [("", ON_CORE, "cluster: [2]", "", "wrong-target")],
    "multicast": [("", ON_CORE, "multicast: [A]", "", "wrong-target")],
    "warpspecialize": [("", ON_CORE, "warpspecialize: true", "", "wrong-target")],
    "registers": [("", ON_CORE, "registers: 24", "", "wrong-target")],
    "schedule": [("", ON_CORE, "schedule: early", "", "wrong-target")],
}


def main():
    tool, schema, include, work = sys.argv[1:5]
    work = pathlib.Path(work)
    work.mkdir(parents=True, exist_ok=True)
    (work / "logic.cpp").write_text(LOGIC)

    def run(task, leaf, *options):
        (work / "map.yaml").write_text(MAPPING.format(task=task, leaf=leaf))
        done = subprocess.run([tool, str(work / "logic.cpp"), "--mapping", str(work / "map.yaml"),
                               *options, "--", "-std=c++20", "-I", include],
                              text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout

    def join(*settings):
        return ", ".join(filter(None, settings))

    problems = 0

    def problem(text):
        nonlocal problems
        problems += 1
        print(text)

    keys = set(json.loads(pathlib.Path(schema).read_text())["$defs"]["instance"]["properties"])
    for key in sorted(keys ^ set(CASES)):
        problem(f"{key}: {'no case' if key in keys else 'no key of the schema'}")
    count = 0
    for key, cases in CASES.items():
        for task, leaf, more_task, more_leaf, expected in cases:
            count += 1
            name = f"{key}: task {{{more_task}}}, leaf {{{more_leaf}}}"
            options = ["--explain"] if expected == "explain" else []
            code, before = run(task, leaf, *options)
            if code:
                problem(f"{name}: the run without them fails:\n{before}")
                continue
            code, after = run(join(task, more_task), join(leaf, more_leaf), *options)
            if expected in ("", "explain"):
                if code:
                    problem(f"{name}: refused:\n{after}")
                elif before == after:
                    problem(f"{name}: no effect")
            elif not code or not re.search(rf"\[septran-{expected}\]", after):
                problem(f"{name}: expected {expected}, found exit code {code}:\n{after}")
    print(f"{count} settings of {len(keys)} keys, {problems} problems")
    return 1 if problems else 0


sys.exit(main())
