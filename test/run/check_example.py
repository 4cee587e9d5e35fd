#!/usr/bin/env python3
"""Compiles an example under mappings and compares it with its plain program.

Shapes follow from each mapping's tunables: extents of 1, a prime, and one less than, equal to and
one more than its tiles.
"""

import argparse
import sys

sys.dont_write_bytecode = True
import programs  # noqa: E402

# What to tell the driver so that it calls this entry, and the element type that it saves.
ENTRIES = {
    "matmul": ([], "f32"),
    "matmul_nt": (["--transposed", "b"], "f32"),
    "matmul_tn": (["--transposed", "a"], "f32"),
    "matmul_f64": (["--dtype", "f64"], "f64"),
    "matmul_f16": (["--dtype", "f16"], "f16"),
    "matmul_bf16": (["--dtype", "bf16"], "bf16"),
    "matmul_i8": (["--dtype", "i8"], "i32"),
    "matmul_u8s8": (["--dtype", "u8s8"], "i32"),
    "matmul_weights": (["--weights"], "f32"),
    "attention": ([], "f32"),
    "attention_f64": (["--dtype", "f64"], "f64"),
    "attention_f16": (["--dtype", "f16"], "f16"),
    "attention_bf16": (["--dtype", "bf16"], "bf16"),
    "softmax": ([], "f32"),
    "softmax_f64": (["--dtype", "f64"], "f64"),
    "softmax_f16": (["--dtype", "f16"], "f16"),
    "softmax_bf16": (["--dtype", "bf16"], "bf16"),
    "rmsnorm": ([], "f32"),
    "rmsnorm_bf16": (["--dtype", "bf16"], "bf16"),
    "layernorm": ([], "f32"),
    "layernorm_bf16": (["--dtype", "bf16"], "bf16"),
    "rotary": ([], "f32"),
    **{entry: (["--entry", entry], "f32")
       for entry in ("gelu", "gelu_tanh", "silu", "residual", "modulate")},
    "gemv": ([], "f32"),
    "gemv_t": (["--transposed"], "f32"),
    "linear_gelu": ([], "f32"),
    "swiglu": (["--entry", "swiglu"], "f32"),
    "batched": ([], "f32"),
    "decode": ([], "f32"),
    "distances": ([], "f32"),
    "nearest": (["--entry", "nearest"], "f32"),
    "depthwise": ([], "f32"),
    "heat3d": ([], "f32"),
    **{entry: (["--entry", entry], "f32") for entry in ("row_sums", "column_sums", "maximum")},
    "transpose": ([], "f32"),
    "heat5": (["--points", "5"], "f32"),
    "heat9": (["--points", "9"], "f32"),
    "conv2d_3x3": (["--entry", "3x3"], "f32"),
    "conv2d_3x3_winograd": (["--entry", "winograd"], "f32"),
    "conv2d": (["--entry", "general"], "f32"),
    "saxpy": ([], "f32"),
    "dot": ([], "f32"),
    "classify": ([], "i32"),
}


def around(tiles, at_most):
    """1, a prime, and the neighbourhood of each tile, up to `at_most`."""
    found = {1, 7}
    for tile in tiles:
        found.update((tile - 1, tile, tile + 1))
    return sorted(extent for extent in found if 1 <= extent <= at_most)


def rotate(*axes):
    """Combinations in which every value of every axis occurs, and neighbours differ in all axes."""
    count = max(map(len, axes))
    for i in range(count):
        yield tuple(axis[(i + d * (i // len(axis) + 1)) % len(axis)]
                    for d, axis in enumerate(axes))


def tiles_named(mapping, *names):
    """Values of these tunables anywhere in the mapping."""
    found = set()
    for instance in mapping["task_mappings"].values():
        for name, value in instance.get("tunables", {}).items():
            if name in names and isinstance(value, int):
                found.add(value)
    return sorted(found)


def matmul(mapping, _):
    m = around(tiles_named(mapping, "tile_m"), 200)
    n = around(tiles_named(mapping, "tile_n"), 520)
    k = around(tiles_named(mapping, "tile_k") or [64], 70) + [0]
    for shape in rotate(n, m, k):
        yield ["--shape", f"{shape[1]}x{shape[0]}x{shape[2]}"], shape[2]


def attention(mapping, _):
    queries = around(tiles_named(mapping, "tile_q", "tile_m"), 100)
    keys = around(tiles_named(mapping, "tile_kv"), 260)
    width = around(tiles_named(mapping, "tile_n"), 70)
    groups = [("1", "1", 1), ("2", "4", 2), ("1", "3", 1), ("3", "2", 2)]
    for q, k, d, (batch, heads, key_heads), causal in rotate(queries, keys, width, groups,
                                                             [[], ["--causal"]]):
        yield ["--shape", f"{batch}x{heads}x{q}x{d}", "--keys", str(k),
               "--key-heads", str(key_heads), *causal], k
    for q in (5, 64):
        yield ["--shape", f"1x2x{q}x16", "--causal"], q


def softmax(mapping, _):
    rows = around(tiles_named(mapping, "tile_m"), 100)
    for m, n in rotate(rows, [1, 2, 15, 16, 17, 31, 97, 130]):
        yield ["--shape", f"{m}x{n}"], n


def elementwise(mapping, _):
    for m, n in rotate([1, 7, 8, 9], [1, 15, 33, 130]):
        yield ["--shape", f"{m}x{n}"], 1


def rotary(mapping, _):
    positions = around(tiles_named(mapping, "tile_t"), 20)
    for t, h, d in rotate(positions, [1, 2, 3], [2, 8, 34, 66]):
        yield ["--shape", f"{t}x{h}x{d}"], 1


def gemv(mapping, _):
    rows = around(tiles_named(mapping, "tile_m"), 140)
    for m, n in rotate(rows, [1, 15, 16, 37, 130, 0]):
        yield ["--shape", f"{m}x{n}"], n


def mlp(mapping, entry):
    rows = around(tiles_named(mapping, "tile_m"), 70)
    columns = around(tiles_named(mapping, "tile_n"), 70)
    for n, m, k in rotate(columns, rows, [1, 17, 40, 0]):
        yield ["--shape", f"{m}x{n}x{k}"], 4 * k


def batched(mapping, _):
    rows = around(tiles_named(mapping, "tile_m"), 70)
    columns = around(tiles_named(mapping, "tile_n"), 70)
    for n, m, k, batch in rotate(columns, rows, [1, 17, 40, 0], [1, 3]):
        yield ["--shape", f"{batch}x{m}x{n}x{k}"], k


def decode(mapping, _):
    keys = around(tiles_named(mapping, "tile_kv"), 260) + [0]
    groups = [("1x1", 1), ("2x4", 2), ("1x5", 1), ("2x8", 1)]
    for k, (heads, key_heads), d in rotate(keys, groups, [1, 16, 33, 64, 70]):
        yield ["--shape", f"{heads}x{k}x{d}", "--key-heads", str(key_heads)], k


def knn(mapping, _):
    queries = around(tiles_named(mapping, "tile_m", "tile_q"), 70)
    examples = around(tiles_named(mapping, "tile_n", "tile_t"), 260)
    for t, q, d in rotate(examples, queries, [1, 5, 40]):
        yield ["--shape", f"{q}x{t}x{d}"], d


def depthwise(mapping, _):
    height = around(tiles_named(mapping, "tile_h"), 10)
    width = around(tiles_named(mapping, "tile_w"), 20)
    channels = around(tiles_named(mapping, "tile_c"), 70)
    kernels = [("3", "1"), ("5", "2"), ("1", "0"), ("3", "0")]
    for c, w, h, (kernel, pad), images in rotate(channels, width, height, kernels, [1, 2]):
        least = int(kernel) - 2 * int(pad)
        yield ["--shape", f"{images}x{max(h, least)}x{max(w, least)}x{c}", "--kernel", kernel,
               "--pad", pad], int(kernel) ** 2


def heat3d(mapping, _):
    depth = around(tiles_named(mapping, "tile_d"), 20)
    height = around(tiles_named(mapping, "tile_h"), 20)
    width = around(tiles_named(mapping, "tile_w"), 130)
    for w, h, d, steps in rotate(width, height, depth, [1, 2, 3, 0]):
        yield ["--shape", f"{d}x{h}x{w}", "--steps", str(steps)], 8 * steps


def reductions(mapping, _):
    rows = around(tiles_named(mapping, "tile_m"), 70)
    for m, n in rotate(rows, [1, 15, 33, 130, 520, 0]):
        yield ["--shape", f"{m}x{n}"], m + n


def transpose(mapping, _):
    rows = around(tiles_named(mapping, "tile_n"), 100)
    columns = around(tiles_named(mapping, "tile_m"), 100)
    for m, n in rotate(rows, columns):
        yield ["--shape", f"{m}x{n}"], 1


def stencil(mapping, _):
    height = around(tiles_named(mapping, "tile_h"), 70)
    width = around(tiles_named(mapping, "tile_w"), 1100)
    for h, w, steps in rotate(height, width, [0, 1, 2, 3]):
        yield ["--shape", f"{h}x{w}", "--steps", str(steps)], 8 * steps


def conv2d(mapping, entry):
    height = around(tiles_named(mapping, "tile_h"), 20)
    width = around(tiles_named(mapping, "tile_w"), 20) + [12, 13]
    outputs = around(tiles_named(mapping, "tile_o"), 70)
    channels = [1, 2, 5]
    kernels = [("3", "1", "1")]
    if entry == "conv2d_3x3_winograd":
        height = around([4 * tiles for tiles in tiles_named(mapping, "tiles_h")], 40)
        width = around([4 * tiles for tiles in tiles_named(mapping, "tiles_w")], 70) + [33]
        channels = [1, 5, 17, 40]
    if entry == "conv2d":
        kernels = [("3", "1", "1"), ("5", "2", "2"), ("1", "1", "0"), ("7", "2", "3"),
                   ("3", "2", "0")]
    for h, w, c, o, (kernel, stride, pad), images in rotate(height, width, channels, outputs,
                                                            kernels, [1, 2]):
        least = int(kernel) - 2 * int(pad)
        yield ["--shape", f"{images}x{max(h, least)}x{max(w, least)}x{c}x{o}",
               "--kernel", kernel, "--stride", stride, "--pad", pad], c * int(kernel) ** 2
    # Images of 7 columns may have blocks of input channels, too.
    by_channels = tiles_named(mapping, "tile_c") if entry == "conv2d_3x3" else []
    for c in around(by_channels, 130) if by_channels else []:
        yield ["--shape", f"1x3x7x{c}x150", "--kernel", "3", "--stride", "1", "--pad", "1"], 9 * c


def vectors(mapping, _):
    for n in [*around(tiles_named(mapping, "tile"), 20000), 0, 15, 16, 17, 50001]:
        yield ["--shape", str(n)], n


def digits(mapping, _):
    queries = around(tiles_named(mapping, "tile_q"), 100)
    for q, t, neighbours in rotate(queries, [1, 5, 63, 64, 65, 130], [1, 3]):
        yield ["--shape", f"{q}x{t}", "--neighbours", str(neighbours)], 0
    yield [], 0


CASES = {"matmul": matmul, "attention": attention, "softmax": softmax, "rmsnorm": softmax,
         "layernorm": softmax, "elementwise": elementwise,
         "rotary": rotary, "gemv": gemv, "mlp": mlp,
         "batched": batched, "decode": decode, "knn": knn,
         "depthwise": depthwise, "heat3d": heat3d, "reductions": reductions, "transpose": transpose, "stencil": stencil,
         "conv2d": conv2d, "saxpy": vectors, "dot": vectors, "digits": digits}


def check(options, program, name):
    mapping_file = options.mappings / options.example / f"{name}.yaml"
    mapping = programs.read_mapping(options.tool, program.logic, mapping_file)
    entry = programs.entry_of(mapping)
    arguments, dtype = ENTRIES[entry]
    output = options.scratch / name
    cases = list(CASES[options.example](mapping, entry))[::options.every]
    if programs.is_gpu(mapping["machine"]):
        mapping_file = programs.called_from_host(mapping_file, mapping, options.scratch)
        programs.build_emulated(options.tool, program, mapping_file, options.cxx, options.emulator,
                                output)
        for case, length in cases:
            programs.check_emulated(program, output, [*arguments, *case], dtype, length,
                                    options.scratch)
        return
    programs.build_mapped(options.tool, program, mapping_file, options.cxx, mapping["machine"],
                          output, options.flag)
    for case, length in cases:
        programs.check_runs(program, output, [*arguments, *case], dtype, length, options.scratch)


def results(options, program):
    for name in options.mapping:
        try:
            check(options, program, name)
            yield name, None
        except programs.Failed as problem:
            yield name, problem


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("example", choices=sorted(CASES))
    parser.add_argument("mapping", nargs="+", help="in mappings/kernels/EXAMPLE, without .yaml")
    programs.add_options(parser)
    options = parser.parse_args()
    options.mappings = programs.ROOT / "mappings" / "kernels"
    program = programs.open_program(options, programs.ROOT / "examples" / options.example,
                                    options.example)
    return programs.report(results(options, program))


if __name__ == "__main__":
    sys.exit(main())
