"""Checks that every line of a report was compared with oneDNN, and says why where a variant declined."""

import json
import pathlib
import sys

report = json.loads(pathlib.Path(sys.argv[1]).read_text())
assert report["onednn_isa"] is None
assert report["lines"]
for line in report["lines"]:
    assert line["status"] == "measured", line
    assert "oneDNN primitives" in line["peers"], line
    # What shares a folder of peers with it, where the kernel has such a thing.
    more = {"attention": ["oneDNN sgemm per head"], "decode": ["oneDNN sgemm per head"],
            "conv2d": ["oneDNN, blocked", "oneDNN Winograd", "oneDNN Winograd, blocked"],
            "depthwise": ["oneDNN, blocked"]}
    for peer in more.get(line["kernel"], []):
        assert peer in line["peers"] or line["declined"][peer], line
