"""Measures what was made, here or on a machine that can build nothing.

A plan says what there is: modules, libraries, who made them. `scripts/bench` hands one over, or writes it
to a folder with all of its files and this script, which then is all that another machine needs:

    python3 FOLDER/measuring.py --threads 1,16 --json report.json
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import report  # noqa: E402

PLAN = "plan.json"
# Kernels that are measured on all cores, too, unless the command line says otherwise.
ON_ALL_CORES = {"matmul"}
# Values of ONEDNN_MAX_CPU_ISA in oneDNN 2, which ignores others without a word.
ONEDNN_ISAS = ("SSE41", "AVX", "AVX2", "AVX2_VNNI", "AVX512_CORE", "AVX512_CORE_VNNI",
               "AVX512_CORE_BF16", "AVX512_CORE_AMX")


def say(text):
    print(text, flush=True)


class Failed(Exception):
    """septran-bench had nothing to say."""


def add_options(parser):
    """What can be chosen when the programs are made already."""
    parser.add_argument("--threads", metavar="N,...",
                        help="default: 1, and for matmul all cores as well")
    parser.add_argument("--shape", metavar="NAME,...",
                        help="these in place of the kernel's own, as the table names shapes: 256x256x256")
    parser.add_argument("--quick", action="store_true",
                        help="tiny shapes, no gates: tests the benchmark, the numbers mean nothing")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write a report there")
    parser.add_argument("--budget", type=float, default=30, metavar="SECONDS",
                        help="per line of the table (default: %(default)s)")
    parser.add_argument("--priority", action="store_true",
                        help="on a busy machine: let others wait while a sample is taken (root)")
    parser.add_argument("--busy-cores", type=int, default=0, metavar="N",
                        help="measure while N processes keep a core each busy, without gates: how "
                             "programs bear it when others take cores away")
    parser.add_argument("--onednn-isa", choices=ONEDNN_ISAS, metavar="NAME",
                        help="the most that oneDNN may use of the processor, as in "
                             f"ONEDNN_MAX_CPU_ISA: {', '.join(ONEDNN_ISAS)} (default: all of it)")
    parser.add_argument("--processes", type=int, default=1, metavar="N",
                        help="measure everything in so many processes after each other, and report "
                             "the middle one of each line (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, metavar="N",
                        help="of the order of candidates (default: %(default)s)")


def check_options(options, parser, kernels):
    """Completes them; `kernels`: the names that --kernel may have."""
    options.kernels = list(dict.fromkeys((options.kernel or ",".join(kernels)).split(",")))
    for kernel in options.kernels:
        if kernel not in kernels:
            parser.error(f"no kernel '{kernel}'; there are {', '.join(kernels)}")
    options.cores = len(os.sched_getaffinity(0))
    try:
        options.threads = list(map(int, options.threads.split(","))) if options.threads else None
    except ValueError:
        parser.error("--threads takes numbers, as in 1,4")
    if not 0 <= options.busy_cores < options.cores:
        parser.error("--busy-cores leaves at least one core")
    if min(options.threads or [1]) < 1 or options.seed < 0:
        parser.error("--threads takes positive numbers, --seed no negative one")
    if options.processes < 1:
        parser.error("--processes takes a positive number")
    if options.priority and os.geteuid() != 0:
        parser.error("--priority needs root")


def environment_for(runtimes, onednn_isa):
    """`runtimes`: folders with libraries that are found before the system's."""
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("OMP_", "GOMP_", "KMP_", "OPENBLAS_", "BLIS_", "DNNL_",
                                           "ONEDNN_"))}
    if onednn_isa:
        environment["ONEDNN_MAX_CPU_ISA"] = onednn_isa
    paths = [*map(str, runtimes), environment.get("LD_LIBRARY_PATH")]
    environment["LD_LIBRARY_PATH"] = os.pathsep.join(filter(None, paths))
    return environment


def raise_priority():
    """Of the calling process, the first of its session. Where Linux groups processes by session,
    groups compete first, and only then the processes in them."""
    os.setpriority(os.PRIO_PROCESS, 0, -20)
    autogroup = pathlib.Path("/proc/self/autogroup")
    if autogroup.exists():
        autogroup.write_text("-20")


def measure(plan, folder, compiler, kernel, options, number):
    """What septran-bench says about one kernel in the process of that number; raises Failed if it
    does not."""
    threads = options.threads or ([1, options.cores] if kernel in ON_ALL_CORES else [1])
    command = [folder / plan["septran_bench"], "--kernel", kernel,
               "--threads", ",".join(map(str, dict.fromkeys(threads))), "--budget", options.budget,
               "--seed", options.seed + number, "--busy-cores", options.busy_cores,
               "--team", folder / plan["teams"][compiler]]
    for candidate in made(plan, compiler, kernel):
        command += ["--peer" if candidate["is_peer"] else "--module",
                    f"{candidate['name']}={folder / candidate['modules'][compiler]}"]
    if kernel in plan["with_libraries"]:
        for library in plan["libraries"]:
            command += [library["option"], folder / library["file"]]
            for core in library["cores"]:
                command += [f"{library['option']}-core", core]
    for shape in options.shape.split(",") if options.shape else []:
        command += ["--shape", shape]
    if options.quick:
        command.append("--quick")
    sys.stdout.flush()
    done = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE,
                          env=environment_for((folder / path for path in plan["runtimes"][compiler]),
                                              options.onednn_isa),
                          start_new_session=True,
                          preexec_fn=raise_priority if options.priority else None)
    if done.returncode < 0:
        raise Failed(f"septran-bench ended by signal {-done.returncode}")
    if done.returncode:
        raise Failed(f"exit code {done.returncode} of septran-bench, which says why above")
    return json.loads(done.stdout)


def made(plan, compiler, kernel):
    return [c for c in plan["candidates"] if c["kernel"] == kernel and compiler in c["modules"]]


def lines_before(plan, compiler, kernel):
    """The lines of the table that are known without a measurement."""
    mine = [c for c in plan["candidates"] if c["kernel"] == kernel]
    if not any(c["mapping"] for c in mine):
        return [report.line(compiler, kernel, "no mapping")]
    return [report.line(compiler, kernel, c["problem"], message=c["message"],
                        mapping=c["mapping"] or c["source"])
            for c in mine if c["problem"] and compiler not in c["modules"]]


def measure_all(plan, folder, options):
    """The lines of the table, and what the processes were made of."""
    lines, processes = [], []
    pairs = [(kernel, compiler) for kernel in options.kernels for compiler in plan["compilers"]]
    for number, (kernel, compiler) in enumerate(pairs, 1):
        lines += lines_before(plan, compiler, kernel)
        mapped = {c["name"]: c["mapping"] for c in made(plan, compiler, kernel) if c["mapping"]}
        if not mapped:
            continue
        runs = []
        for process in range(options.processes):
            of = f", process {process + 1} of {options.processes}" if options.processes > 1 else ""
            say(f"==> measuring {kernel} ({compiler}), {number} of {len(pairs)}{of}")
            try:
                said = measure(plan, folder, compiler, kernel, options, process)
            except Failed as failure:
                runs = [[report.line(compiler, kernel, "not run", message=str(failure),
                                     mapping=", ".join(mapped.values()))]]
                break
            runs.append([entry for row in said.pop("rows")
                         for entry in report.lines_of(row, compiler, mapped, options.busy_cores)])
            processes.append({"compiler": compiler, "kernel": kernel, **said})
        lines += report.middle(runs)
    report.add_shares_of_peak(lines, [process["fma_peak"] for process in processes])
    return lines, processes


def processor_name():
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    for line in cpuinfo.read_text().splitlines() if cpuinfo.exists() else []:
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return os.uname().machine


def run(plan, folder, options):
    """Measures, prints the table, writes the report. Returns an exit code."""
    lines, processes = measure_all(plan, folder, options)
    if options.json:
        options.json.write_text(json.dumps({
            "format": "septran-bench 1",
            "quick": options.quick,
            "machine": {"processor": processor_name(), "cores": options.cores,
                        "satisfies": plan["machines"]},
            "compilers": plan["compilers"],
            "flags": plan["flags"],
            "onednn_isa": options.onednn_isa,
            "processes": processes,
            "lines": lines,
        }, indent=1) + "\n")
    say("")
    say(report.text(lines))
    return 1 if any(line["status"] in report.BAD for line in lines) else 0


def main():
    folder = pathlib.Path(__file__).resolve().parent
    plan = json.loads((folder / PLAN).read_text())
    kernels = list(dict.fromkeys(c["kernel"] for c in plan["candidates"]))
    parser = argparse.ArgumentParser(description="Measures the programs in this folder.")
    parser.add_argument("--kernel", metavar="NAME,...", help=f"default: {','.join(kernels)}")
    add_options(parser)
    options = parser.parse_args()
    check_options(options, parser, kernels)
    return run(plan, folder, options)


if __name__ == "__main__":
    sys.exit(main())
