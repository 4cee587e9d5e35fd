"""Checks YAML files against a JSON Schema.

    check_schema.py SCHEMA good FILE_OR_FOLDER...   every file must fit
    check_schema.py SCHEMA bad FILE_OR_FOLDER...    no file may fit, except those that say
                                                    `# schema: accepts`

Files that say `# schema: fragment` are parts of others and are skipped.
Editors apply the schema to what stands after a tag, so `!tune [1, 2]` counts as the list.
"""

import json
import pathlib
import sys

import jsonschema
import yaml


class Loader(yaml.SafeLoader):
    """YAML 1.2's idea of booleans and integers, as SepTran reads them."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers
            if tag not in ("tag:yaml.org,2002:bool", "tag:yaml.org,2002:int",
                           "tag:yaml.org,2002:timestamp")]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
Loader.add_implicit_resolver("tag:yaml.org,2002:bool", yaml.resolver.re.compile("^(true|false)$"),
                             list("tf"))
Loader.add_implicit_resolver("tag:yaml.org,2002:int",
                             yaml.resolver.re.compile("^-?(0|[1-9][0-9]*)$"), list("-0123456789"))


def untagged(loader, node):
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node, deep=True)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return loader.construct_scalar(node)


Loader.add_constructor("!tune", untagged)


def files(arguments):
    for argument in map(pathlib.Path, arguments):
        yield from sorted(argument.rglob("*.yaml")) if argument.is_dir() else [argument]


def fits(validator, path):
    """Whether the file fits, and why not."""
    try:
        value = yaml.load(path.read_text(), Loader)
    except (yaml.YAMLError, UnicodeDecodeError, ValueError) as error:
        return False, str(error)
    errors = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(value)]
    return not errors, "\n  ".join(errors)


def main():
    schema = json.loads(pathlib.Path(sys.argv[1]).read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    kind = sys.argv[2]
    failures = seen = 0
    for path in files(sys.argv[3:]):
        if "# schema: fragment" in path.read_text():
            continue
        good, why = fits(validator, path)
        seen += 1
        if kind == "good" and not good:
            print(f"{path}: rejected:\n  {why}")
            failures += 1
        if kind == "bad" and good and "# schema: accepts" not in path.read_text():
            print(f"{path}: accepted")
            failures += 1
    print(f"{seen} files checked, {failures} unexpected")
    return 1 if failures or not seen else 0


sys.exit(main())
