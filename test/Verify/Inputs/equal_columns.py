"""Reads a table of septran-verify: fails unless there are so many rows with different numbers in the
first column, and the second column equals the first in all of them.

    equal_columns.py ROWS < TABLE
"""

import sys

rows = [line.split() for line in sys.stdin if line.rstrip().endswith(" ok")]
if len({row[0] for row in rows}) < int(sys.argv[1]):
    sys.exit(f"too few different values: {rows}")
if any(row[0] != row[1] for row in rows):
    sys.exit(f"first and second column differ: {rows}")
