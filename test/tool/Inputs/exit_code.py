"""Runs a command and fails unless it ends with the given exit code.

    exit_code.py CODE COMMAND...
"""

import subprocess
import sys

wanted = int(sys.argv[1])
code = subprocess.run(sys.argv[2:]).returncode
if code != wanted:
    sys.exit(f"exit code {code} instead of {wanted}: {' '.join(sys.argv[2:])}")
