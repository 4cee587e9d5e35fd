"""Checks what NAME_describe() returned: one line of JSON each of blend and total.

    describe.py FILE"""

import json
import pathlib
import sys

blend, total = (json.loads(line) for line in pathlib.Path(sys.argv[1]).read_text().splitlines())


def expect(found, wanted):
    if found != wanted:
        sys.exit(f"found {found}\nwanted {wanted}")


expect([(a["name"], a["kind"], a["dtype"], a.get("rank"), a.get("privilege"))
        for a in blend["arguments"]],
       [("arguments", "tensor", "f32", 2, "write"), ("v", "tensor", "f32", 2, "read"),
        ("library", "tensor", "f32", 1, "read"), ("a0", "scalar", "f32", None, None),
        ("shift", "scalar", "i64", None, None)])
expect({(r["left"], r["is"], r["right"]) for r in blend["relations"]},
       {("library[0]", "equal", "arguments[1]"), ("v[0]", "equal", "arguments[0]"),
        ("v[1]", "at least", "arguments[1] + shift"), ("shift", "at least", "0")})
expect([a["dtype"] for a in total["arguments"]], ["f32", "i32", "f16", "bool", "u8"])
expect((blend["entry"], blend["machine"], blend["language"]), ("blend::mix", "cpu/generic", "c++"))
expect(len({blend["mapping_sha256"], total["mapping_sha256"]}), 2)
expect([len(d["mapping_sha256"]) for d in (blend, total)], [64, 64])
