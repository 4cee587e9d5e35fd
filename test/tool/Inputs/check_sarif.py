"""Checks the parts of a SARIF 2.1.0 file that readers rely on; prints its results line by line."""

import json
import pathlib
import sys
import urllib.parse

log = json.loads(pathlib.Path(sys.argv[1]).read_text())
assert log["version"] == "2.1.0" and "sarif" in log["$schema"], "not SARIF 2.1.0"
assert len(log["runs"]) == 1
run = log["runs"][0]
driver = run["tool"]["driver"]
assert driver["name"] == "septran-rewrite" and driver["version"]
rules = {rule["id"] for rule in driver.get("rules", [])}
for result in run["results"]:
    assert result["ruleId"] in rules, f"rule {result['ruleId']} is not described"
    assert result["level"] in ("error", "warning", "note", "none")
    place = result["locations"][0]["physicalLocation"]
    uri = urllib.parse.unquote(place["artifactLocation"]["uri"])
    region = place["region"]
    print(f"{pathlib.PurePath(uri).name}:{region['startLine']}:{region['startColumn']}: "
          f"{result['level']}: {result['ruleId']}: {result['message']['text']}")
