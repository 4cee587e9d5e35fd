"""Commands of a test, any of which must end well."""

import os
import subprocess
import sys


def run(*command, cwd=None, env=None, fails=False):
    """What the command prints. `fails`: it must not end well; `env` is added to the environment."""
    result = subprocess.run([str(part) for part in command], cwd=cwd, text=True, encoding="utf-8",
                            errors="replace", env={**os.environ, **(env or {})},
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if (result.returncode != 0) != fails:
        sys.exit(f"{command} ended with {result.returncode}:\n{result.stdout}")
    return result.stdout
