"""Checks the shape of a report of `scripts/bench --quick --compiler both`, not its numbers."""

import json
import pathlib
import sys

report = json.loads(pathlib.Path(sys.argv[1]).read_text())
assert report["format"] == "septran-bench 1" and report["quick"] is True
assert report["machine"]["processor"] and report["machine"]["cores"] >= 1
assert set(report["compilers"]) == {"gcc", "clang"} and all(report["compilers"].values())
assert "-O3" in report["flags"]

for process in report["processes"]:
    (runtime,) = process["openmp"]  # one OpenMP runtime per process, the compiler's own
    assert ("libgomp" if process["compiler"] == "gcc" else "libomp") in runtime
    assert all(peer["name"] and peer["version"] and peer["file"] for peer in process["peers"])

matmul = [line for line in report["lines"] if line["kernel"] == "matmul"]
assert sorted((line["compiler"], line["threads"]) for line in matmul) == [
    ("clang", 1), ("clang", 2), ("gcc", 1), ("gcc", 2)]
for line in matmul:
    assert line["status"] == "measured" and not line["message"], line
    assert line["shape"] == "48x48x48" and line["mapping"].startswith("mappings/kernels/matmul/")
    roles = {candidate["role"] for candidate in line["candidates"]}
    assert "mapped" in roles
    comparisons = list(line["peers"].values())
    if "plain" in roles:
        assert line["vs_plain"]["plain_shape"] == "48x48x48"
        comparisons.append(line["vs_plain"])
    if "peer" in roles:
        assert line["vs_peer"]["ratio"] == line["peers"][line["vs_peer"]["peer"]]["ratio"]
    assert comparisons
    for comparison in comparisons:
        assert 0 < comparison["low"] <= comparison["ratio"] <= comparison["high"]
        assert comparison["rounds"] == 3
    for candidate in line["candidates"]:
        assert candidate["accepted"] == 3 and candidate["seconds"] > 0 and candidate["calls"] >= 1
        assert candidate["delayed"] == candidate["slowed"] == 0  # --quick has no gates
