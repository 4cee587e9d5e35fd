"""Which of the machine files mappings/machines/cpu/*.yaml this processor satisfies."""

import pathlib

# Instruction sets, as Linux names them, from the most to the least demanding machine.
MACHINES = {
    "x86-avx512": {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl", "avx2", "fma"},
    "x86-avx2": {"avx2", "fma"},
    "generic": set(),
}

# Machines for single kernels, which need more than the one that they extend.
SPECIAL = {
    "x86-avx512-vnni": MACHINES["x86-avx512"] | {"avx512_vnni"},
    "x86-avx512-bf16": MACHINES["x86-avx512"] | {"avx512_vnni", "avx512_bf16"},
    "x86-amx": MACHINES["x86-avx512"]
    | {"avx512_vnni", "avx512_bf16", "amx_tile", "amx_bf16", "amx_int8"},
    # Of Intel.
    "sapphirerapids": MACHINES["x86-avx512"] | {"avx512_vnni", "avx512_bf16", "avx512_fp16"},
    # Of AMD, since Zen 4.
    "zen4": MACHINES["x86-avx512"] | {"avx512_vnni", "avx512_bf16", "sse4a"},
    # No other processor has these two.
    "zen5": MACHINES["x86-avx512"] | {"avx512_vnni", "avx512_bf16", "avx512_vp2intersect"},
}

EVERY = {**MACHINES, **SPECIAL}


def instruction_sets():
    """What this processor has, as Linux names it."""
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    present = set()
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("flags"):
                present.update(line.split(":", 1)[1].split())
    return present


def machines(known=None, present=None):
    """Names of the machine files that fit, best first: this processor, or one that has the
    instruction sets `present`."""
    present = instruction_sets() if present is None else present
    return [name for name, needed in (known or MACHINES).items() if needed <= present]
