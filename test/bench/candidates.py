"""Makes what septran-bench loads: the plain and the mapped programs as shared libraries.

A mapped program that cannot be made is a result like others, not the end of the benchmark.
"""

import concurrent.futures
import dataclasses
import pathlib
import re
import subprocess

import processor
from workspace import ROOT, StepFailed

COMPILERS = {"gcc": "g++", "clang": "clang++-19"}
INCLUDES = ["-I", "runtime/include", "-I", "examples"]
# Kernels of matmul's own entry point, on different shapes.
PRODUCTS = ("matmul", "matmul_small", "matmul_flat", "matmul_skinny")
WEIGHTS = ("matmul_weights", "matmul_weights_skinny")  # with a constant B
# Mappings of matmul for some shapes only, and the kernel that has those.
FOR_SHAPES = {"square": "matmul", "small": "matmul_small", "few-rows": "matmul_skinny",
              "narrow": "matmul_skinny", "flat": "matmul_flat", "weights": "matmul_weights",
              "few-rows-weights": "matmul_weights_skinny"}

# kernel -> its example, and the entry point that is measured
ENTRIES = {
    **{name: ("matmul", "matmul") for name in PRODUCTS},
    **{name: ("matmul", name) for name in ("matmul_nt", "matmul_tn", "matmul_f64",
                                           "matmul_f16", "matmul_bf16", "matmul_i8",
                                           "matmul_u8s8")},
    **{name: ("matmul", "matmul_weights") for name in WEIGHTS},
    "batched": ("batched", "batched"),
    "gemv": ("gemv", "gemv"),
    "gemv_t": ("gemv", "gemv_t"),
    "linear_gelu": ("mlp", "linear_gelu"),
    "swiglu": ("mlp", "swiglu"),
    "attention": ("attention", "attention"),
    "decode": ("decode", "decode"),
    "conv2d": ("conv2d", "conv2d_3x3"),
    "conv2d_winograd": ("conv2d", "conv2d_3x3_winograd"),
    "depthwise": ("depthwise", "depthwise"),
    "stencil": ("stencil", "heat5"),
    "heat3d": ("heat3d", "heat3d"),
    "knn": ("knn", "distances"),
    "digits": ("digits", "classify"),
    "softmax": ("softmax", "softmax"),
    "layernorm": ("layernorm", "layernorm"),
    "rmsnorm": ("rmsnorm", "rmsnorm"),
    **{name: ("elementwise", name) for name in ("gelu", "gelu_tanh", "silu", "residual",
                                                "modulate")},
    "rotary": ("rotary", "rotary"),
    "transpose": ("transpose", "transpose"),
    **{name: ("reductions", name) for name in ("row_sums", "column_sums", "maximum")},
    "saxpy": ("saxpy", "saxpy"),
    "dot": ("dot", "dot"),
}

# Headers name infinity, which -ffast-math promises not to use.
FAST_MATH = ["-ffast-math", "-Wno-psabi", "-Wno-pass-failed", "-Wno-nan-infinity-disabled"]


@dataclasses.dataclass
class Peers:
    """Programs that somebody wrote by hand, one file per example."""
    name: str  # in the table
    folder: str  # in test/bench/peers
    flags: list
    compilers: tuple = tuple(COMPILERS)
    kernels: tuple = ()  # which of the examples' entry points they have; none named: all
    needs: str = ""  # a file of the library's Debian package
    libraries: tuple = ()

    def source(self, kernel):
        """Their file, or None."""
        example, _ = ENTRIES[kernel]
        file = PEER_SOURCES / self.folder / f"{example}.cpp"
        serves = not self.kernels or kernel in self.kernels
        return file if serves and file.exists() else None

    def is_installed(self):
        return not self.needs or pathlib.Path(self.needs).exists()


PEER_SOURCES = ROOT / "test" / "bench" / "peers"
POLLY = [*FAST_MATH, "-mllvm", "-polly"]
CONV2D = ("conv2d", "conv2d_winograd")
CONVOLUTIONS = (*CONV2D, "depthwise")
ONEDNN = {"needs": "/usr/include/dnnl.hpp", "libraries": ("-ldnnl",)}
PEERS = [
    Peers("loops", "", FAST_MATH),
    Peers("Eigen", "eigen", ["-isystem", "/usr/include/eigen3", "-w"],
          needs="/usr/include/eigen3/Eigen/Core",
          kernels=(*PRODUCTS, *WEIGHTS, "matmul_f64", "matmul_nt", "matmul_tn", "gemv", "gemv_t",
                   "batched")),
    Peers("libxsmm", "libxsmm", [], needs="/usr/include/libxsmm.h",
          kernels=(*PRODUCTS, *WEIGHTS, "batched"), libraries=("-lxsmm", "-lxsmmnoblas", "-ldl", "-lpthread")),
    Peers("oneDNN primitives", "onednn", [], **ONEDNN,
          kernels=tuple(kernel for kernel in ENTRIES if kernel != "matmul_f64")),
    Peers("oneDNN, blocked", "onednn", ["-DSEPTRAN_ONEDNN_BLOCKED"], **ONEDNN,
          kernels=CONVOLUTIONS),
    Peers("oneDNN Winograd", "onednn", ["-DSEPTRAN_ONEDNN_WINOGRAD"], **ONEDNN,
          kernels=CONV2D),
    Peers("oneDNN Winograd, blocked", "onednn",
          ["-DSEPTRAN_ONEDNN_WINOGRAD", "-DSEPTRAN_ONEDNN_BLOCKED"], **ONEDNN,
          kernels=CONV2D),
    Peers("oneDNN sgemm per head", "onednn/gemm", FAST_MATH, **ONEDNN),
    Peers("Polly", "polly", POLLY, compilers=("clang",), kernels=("matmul",)),
    Peers("Polly on all cores", "polly", [*POLLY, "-mllvm", "-polly-parallel"],
          compilers=("clang",), kernels=("matmul",)),
]


class Target:
    """What is measured on: `march` is the architecture, as g++ names it."""

    def __init__(self, march="native"):
        self.march = march
        present = processor.instruction_sets() if march == "native" else defined_by(march)
        self.machines = processor.machines(present=present)
        self.special = processor.machines(processor.SPECIAL, present)

    def flags(self):
        """The flags of plain and mapped programs alike: of what is timed."""
        flags = ["-std=c++20", "-O3", f"-march={self.march}", "-ffp-contract=fast",
                 "-fno-math-errno", "-falign-loops=32", "-fopenmp"]
        if "x86-avx512" in self.machines:
            flags.append("-mprefer-vector-width=512")
        if self.march == "native":  # clang++ 19 takes some processors for what none is, and says so
            flags.append("-Wno-invalid-feature-combination")
        return flags


def defined_by(march):
    """The instruction sets of an architecture, as g++'s macros tell."""
    good, text = run([COMPILERS["gcc"], f"-march={march}", "-dM", "-E", "-x", "c++", "/dev/null"])
    if not good:
        raise StepFailed(text)
    macros = {name.lower() for name in re.findall(r"^#define __(\w+)__ 1$", text, re.MULTILINE)}
    return {name for names in processor.EVERY.values() for name in names
            if name.replace("_", "") in macros}


@dataclasses.dataclass
class Candidate:
    kernel: str
    name: str  # "plain", that of the mapping, or of the peer
    mapping: pathlib.Path | None
    source: pathlib.Path  # of the logic, rewritten if there is a mapping
    asked_for: bool = False  # on the command line
    derived_for: str = ""  # the machine that the tool derives the mapping for
    peers: Peers | None = None  # those that it belongs to
    problem: str = ""  # what went wrong: the table says this in place of numbers
    message: str = ""  # and what the tool or the compiler said
    modules: dict = dataclasses.field(default_factory=dict)  # compiler -> shared library

    def label(self):
        """What the table calls its mapping."""
        return f"derived for {self.derived_for}" if self.derived_for else str(shorten(self.mapping))


def find_mappings(kernel, target):
    """The kernel's mappings, of all its entry points, for the best machine that this processor is
    and that there is one for: <machine>.yaml and <anything>-<machine>.yaml. And those for what only
    single kernels use."""
    folder = ROOT / "mappings" / "kernels" / ENTRIES[kernel][0]
    special = [mapping for machine in target.special
               for mapping in sorted(folder.glob(f"*-{machine}.yaml"))
               if serves(mapping, machine, kernel)]
    for machine in target.machines:
        found = [*folder.glob(f"{machine}.yaml"), *sorted(folder.glob(f"*-{machine}.yaml"))]
        if found:
            return [mapping for mapping in found + special if serves(mapping, machine, kernel)]
    return special


def serves(mapping, machine, kernel):
    """Whether the mapping is for the shapes that are measured."""
    shapes = mapping.stem.removesuffix(machine).removesuffix("-")
    return FOR_SHAPES.get(shapes, kernel) == kernel


def shorten(path):
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else path


def run(command):
    """Whether a command succeeded, and what it printed."""
    try:
        done = subprocess.run([str(part) for part in command], cwd=ROOT, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
    except OSError as error:
        return False, f"cannot run {command[0]}: {error.strerror}"
    return done.returncode == 0, done.stdout.strip()


def plan(kernels, mappings, target, work):
    """The plain program of every kernel, and one candidate per mapping."""
    candidates = []
    for kernel in kernels:
        example = ENTRIES[kernel][0]
        logic = ROOT / "examples" / example / f"{example}.cpp"
        candidates.append(Candidate(kernel, "plain", None, logic))
        candidates += [Candidate(kernel, peers.name, None, peers.source(kernel), peers=peers)
                       for peers in PEERS if peers.source(kernel) and peers.is_installed()]
        for mapping in mappings or find_mappings(kernel, target):
            source = work / f"{kernel}.{mapping.stem}.cpp"
            candidates.append(Candidate(kernel, mapping.stem, mapping, source, bool(mappings)))
    return candidates


def derivations(candidates, target, work):
    """A candidate without a mapping for each kernel, and one for each machine that mappings of it need
    for its instructions, which all others lack. Single processors have none of their own."""
    special = [machine for machine in target.special if machine.startswith("x86-")]
    for kernel in dict.fromkeys(candidate.kernel for candidate in candidates):
        names = [c.name for c in candidates if c.kernel == kernel and c.mapping]
        for machine in [target.machines[0],
                        *(m for m in special if any(name.endswith(m) for name in names))]:
            name = f"derived-{machine}"
            mapping = work / f"{kernel}.{name}.yaml"
            yield Candidate(kernel, name, mapping, mapping.with_suffix(".cpp"), derived_for=machine)


def mapped_entry(effective_mapping):
    """The task that a mapping, as --print-mapping shows it, puts in place of the logic's."""
    instance = re.search(r"^entrypoint: (\w+)$", effective_mapping, re.MULTILINE)
    task = instance and re.search(rf"^  {instance[1]}:\n(?:    .*\n)*?    task_name: (\w+)$",
                                  effective_mapping, re.MULTILINE)
    return task[1] if task else instance[1] if instance else None


def rewrite(candidate, tool):
    example, wanted = ENTRIES[candidate.kernel]
    logic = f"examples/{example}/{example}.cpp"
    flags = ["--", "-std=c++20", *INCLUDES]
    if candidate.derived_for:
        good, text = run([tool, logic, "--machine", f"cpu/{candidate.derived_for}", "--entry", wanted,
                          "--write-mapping", candidate.mapping, "-o", candidate.source, *flags])
        if not good:
            candidate.problem, candidate.message = "not derived", text
        return
    command = [tool, logic, "--mapping", candidate.mapping]
    good, text = run([*command, "--print-mapping", *flags])
    # All other entry points of the logic stay plain: measuring one of them would mislead.
    entry = mapped_entry(text)
    if good and entry != wanted:
        candidate.problem = "other entry point"
        candidate.message = f"the mapping is for '{entry}', and '{wanted}' is measured"
        return
    if good:
        good, text = run([*command, "-o", candidate.source, *flags])
    if not good:
        candidate.problem, candidate.message = "not rewritten", text


def compile_module(compiler, target, arguments, module):
    # Symbols are hidden, and g++ is told not to unify those of templates over the whole process:
    # candidates that have the same names must not share code.
    own = ["-shared", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wextra"]
    own += ["-fno-gnu-unique"] if compiler == "gcc" else []
    return run([COMPILERS[compiler], *target.flags(), *own, *arguments, "-o", module])


def compile_candidate(candidate, compiler, target, work):
    module = work / compiler / f"{candidate.kernel}.{candidate.name}.so"
    example, entry = ENTRIES[candidate.kernel]
    peers = candidate.peers
    good, text = compile_module(compiler, target, [
        *INCLUDES, *(["-I", PEER_SOURCES, "-I", PEER_SOURCES.parent, *peers.flags] if peers else []),
        f'-DSEPTRAN_BENCH_HEADER="{example}/{example}.h"',
        f"-DSEPTRAN_BENCH_ENTRY={entry}", candidate.source,
        "test/bench/modules/candidate.cpp", *(peers.libraries if peers else [])], module)
    if good:
        candidate.modules[compiler] = module
    else:
        candidate.problem, candidate.message = "not compiled", text
    return text


def compile_team(compiler, target, work):
    good, text = compile_module(compiler, target, [*INCLUDES, "test/bench/modules/team.cpp"],
                                team(compiler, work))
    if not good:
        raise StepFailed(text)
    return text


def team(compiler, work):
    return work / compiler / "team.so"


def make(candidates, tool, compilers, target, work, jobs, derived=False):
    """Rewrites and compiles. Returns the candidates of the entry points that are measured, with those
    that have no mapping if `derived`, and what the compilers said about those that they accepted."""
    for compiler in compilers:
        (work / compiler).mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(lambda c: rewrite(c, tool), [c for c in candidates if c.mapping]))
        candidates = [c for c in candidates if c.asked_for or c.problem != "other entry point"]
        if derived:
            kernels = list(dict.fromkeys(c.kernel for c in candidates))
            more = list(derivations(candidates, target, work))
            list(pool.map(lambda c: rewrite(c, tool), more))
            candidates = sorted(candidates + more, key=lambda c: kernels.index(c.kernel))
        mapped = {c.kernel for c in candidates if c.mapping and not c.problem}
        good = [c for c in candidates if not c.problem and c.kernel in mapped]
        texts = [*pool.map(lambda compiler: compile_team(compiler, target, work), compilers),
                 *pool.map(lambda pair: compile_candidate(*pair, target, work),
                           [(c, compiler) for c in good for compiler in compilers
                            if not c.peers or compiler in c.peers.compilers])]
    said = [text for text in texts if text and not any(c.message == text for c in candidates)]
    return candidates, said
