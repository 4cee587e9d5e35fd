"""Checks that a document names every key of a JSON Schema, in code quotes or in a YAML sample.

    check_keys.py SCHEMA DOCUMENT
"""

import json
import pathlib
import re
import sys


def keys(schema):
    if isinstance(schema, dict):
        for name in schema.get("properties", {}):
            yield name
        for value in schema.values():
            yield from keys(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from keys(value)


def main():
    schema = json.loads(pathlib.Path(sys.argv[1]).read_text())
    text = pathlib.Path(sys.argv[2]).read_text()
    code = "\n".join(re.findall(r"```.*?```|`[^`]+`", text, re.DOTALL))
    missing = sorted(name for name in set(keys(schema)) if not re.search(rf"\b{name}\b", code))
    for name in missing:
        print(f"{sys.argv[2]} does not mention '{name}'")
    return 1 if missing else 0


sys.exit(main())
