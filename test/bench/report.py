"""Turns samples into ratios, and ratios into a table.

A ratio compares two samples of one round, taken shortly after each other; what is reported is the
median over the rounds that have both, and the range of its middle half. Above 1, the mapped program
is the faster one. Nothing is said from fewer than LEAST_ROUNDS rounds.
"""

import statistics

LEAST_ROUNDS = 3
BAD = ("wrong result", "other entry point", "not derived", "not rewritten", "not compiled", "not run")


def ratio(other, mapped):
    """How many times longer `other` takes than `mapped` for the same work; None if not measured."""
    per_work = {sample["round"]: sample["seconds"] / other["work"] for sample in other["samples"]}
    values = [per_work[sample["round"]] / (sample["seconds"] / mapped["work"])
              for sample in mapped["samples"] if sample["round"] in per_work]
    if len(values) < LEAST_ROUNDS:
        return None
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return {"ratio": statistics.median(values), "low": low, "high": high, "rounds": len(values)}


def median_seconds(candidate):
    if len(candidate["samples"]) < LEAST_ROUNDS:
        return None
    return statistics.median(sample["seconds"] for sample in candidate["samples"])


def rate(row, mapped):
    """Operations per second, where their number is what limits a kernel."""
    seconds = median_seconds(mapped)
    return mapped["work"] / seconds if row["fma_bound"] and seconds else None


def line(compiler, kernel, status, **more):
    """One line of the table; everything a reader of the JSON can rely on to be there."""
    return {"compiler": compiler, "kernel": kernel, "variant": "", "shape": "", "threads": None,
            "busy_cores": 0, "mapping": None, "status": status, "message": "", "vs_plain": None,
            "vs_peer": None, "peers": {}, "flops": None, "percent_of_peak": None,
            "percent_of_copy": None, "candidates": [], "declined": {}, "processes": [], **more}


def add_shares_of_peak(lines, peaks):
    """`peaks`: operations per second by number of threads, as each process saw them. The highest
    one counts: a process that was disturbed all the time does not know the peak."""
    for entry in lines:
        peak = max((known.get(str(entry["threads"]), 0) for known in peaks), default=0)
        if peak and entry["flops"]:
            entry["percent_of_peak"] = 100 * entry["flops"] / peak


def lines_of(row, compiler, mappings, busy_cores=0):
    """One line per mapped candidate of a measured row. `mappings`: their files by name."""
    common = {key: row[key] for key in ("variant", "shape", "threads")}
    common["busy_cores"] = busy_cores
    common["declined"] = row["declined"]
    if row["wrong"]:
        return [line(compiler, row["kernel"], "wrong result", message=row["wrong"], **common,
                     mapping=", ".join(mappings.values()))]
    by_role = {role: [c for c in row["candidates"] if c["role"] == role]
               for role in ("plain", "mapped", "peer", "copy")}
    summary = [{**{key: c[key] for key in ("name", "role", "shape", "calls", "delayed", "slowed")},
                "accepted": len(c["samples"]), "seconds": median_seconds(c)}
               for c in row["candidates"]]
    lines = []
    for mapped in by_role["mapped"]:
        vs_plain = next((ratio(plain, mapped) for plain in by_role["plain"]), None)
        if vs_plain:
            vs_plain["plain_shape"] = by_role["plain"][0]["shape"]
        peers = {peer["name"]: ratio(peer, mapped) for peer in by_role["peer"]}
        # "The best peer" means something only if all of them were measured.
        complete = peers and all(peers.values())
        best = min(peers, key=lambda name: peers[name]["ratio"]) if complete else None
        missing = by_role["plain"] and not vs_plain or by_role["peer"] and not best
        copies = [ratio(copy, mapped) for copy in by_role["copy"]]
        of_copy = 100 * min(c["ratio"] for c in copies) if copies and all(copies) else None
        lines.append(line(
            compiler, row["kernel"], "not measured" if missing else "measured", **common,
            mapping=mappings[mapped["name"]], vs_plain=vs_plain,
            vs_peer={"peer": best, **peers[best]} if best else None, peers=peers,
            flops=rate(row, mapped), percent_of_copy=of_copy, candidates=summary))
    return lines


def middle(runs):
    """Of each line of several processes the one whose ratio to the best library, or else to the plain
    program, is in the middle, with those of all that were measured; wrong results before all."""
    same = {}
    for entry in (entry for lines in runs for entry in lines):
        key = (entry["mapping"], entry["variant"], entry["shape"], entry["threads"])
        same.setdefault(key, []).append(entry)

    def ratio_of(entry):
        return (entry["vs_peer"] or entry["vs_plain"] or {"ratio": 0})["ratio"]

    chosen = []
    for entries in same.values():
        measured = sorted((e for e in entries if e["status"] == "measured"), key=ratio_of)
        entry = next((e for e in entries if e["status"] in BAD),
                     measured[(len(measured) - 1) // 2] if measured else entries[0])
        chosen.append({**entry, "processes": [ratio_of(e) for e in measured]})
    return chosen


HEAD = ("kernel", "shape", "threads", "compiler", "mapping", "vs plain", "vs peer", "best peer",
        "% of peak", "% of copy", "samples")


def ratio_cell(entry, comparison, role):
    """A ratio with the digits that mean something; or that there is none, or should be one."""
    found = entry[comparison]
    if not found:
        wanted = any(c["role"] == role for c in entry["candidates"])
        return "not measured" if wanted else "-"
    mark = "*" if has_smaller_plain(entry) and comparison == "vs_plain" else ""
    return f"{found['ratio']:.2f}{mark}" if found["ratio"] < 10 else f"{found['ratio']:.1f}{mark}"


def has_smaller_plain(entry):
    return entry["vs_plain"] and entry["vs_plain"]["plain_shape"] != entry["shape"]


def short_mapping(path):
    """mappings/kernels/matmul/x86-avx512.yaml as matmul/x86-avx512."""
    return path.removeprefix("mappings/kernels/").removesuffix(".yaml") if path else "-"


def threads_cell(entry):
    busy = f", {entry['busy_cores']} busy" if entry["busy_cores"] else ""
    return f"{entry['threads'] or '-'}{busy}"


def percent_cell(percent):
    return "-" if percent is None else f"{percent:.0f}"


def table_row(entry):
    start = (entry["kernel"], " ".join(filter(None, (entry["shape"], entry["variant"]))) or "-",
             threads_cell(entry), entry["compiler"], short_mapping(entry["mapping"]))
    if entry["status"] not in ("measured", "not measured"):
        return (*start, entry["status"], "-", "-", "-", "-", "-")
    return (*start, ratio_cell(entry, "vs_plain", "plain"), ratio_cell(entry, "vs_peer", "peer"),
            entry["vs_peer"]["peer"] if entry["vs_peer"] else "-",
            percent_cell(entry["percent_of_peak"]), percent_cell(entry["percent_of_copy"]),
            str(min((c["accepted"] for c in entry["candidates"]), default=0)))


def table(lines):
    return aligned([HEAD, *map(table_row, lines)])


def aligned(rows):
    """The lines of a table whose first row is its head."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    rows.insert(1, tuple("-" * width for width in widths))
    return ["  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip()
            for row in rows]


def footnotes(lines):
    notes = []
    reduced = {(entry["kernel"], entry["vs_plain"]["plain_shape"]) for entry in lines
               if has_smaller_plain(entry)}
    notes += [f"* plain {kernel} was measured on {shape}, and compared per operation"
              for kernel, shape in sorted(reduced)]
    if any(entry["status"] == "not measured" for entry in lines):
        notes.append(f"not measured: fewer than {LEAST_ROUNDS} rounds without a disturbance by "
                     "others; try again, or with a larger --budget")
    notes += sorted({f"{peer} has no part in {entry['kernel']} {entry['shape']}: {reason}"
                     for entry in lines for peer, reason in entry["declined"].items()})
    return notes + [f"{entry['kernel']}, {entry['compiler']}, {entry['mapping']}: "
                    f"{entry['status']}: {entry['message']}"
                    for entry in lines if entry["message"]]


def text(lines):
    notes = footnotes(lines)
    return "\n".join([*table(lines), *([""] + notes if notes else [])])
