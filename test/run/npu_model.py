"""Reads the figures that the simulated NPU's model printed.

    npu_model.py LOG --at-most RATIO

The exit code is 1 if the makespan is more than RATIO times the roofline, or is not between the bounds.
"""

import re
import sys


def main(log, _, ratio):
    text = open(log, encoding="utf-8").read()
    figures = re.search(r"makespan (\d+) cycles, roofline (\d+) .*serial (\d+)", text)
    if not figures:
        sys.exit(text)
    makespan, roofline, serial = map(int, figures.groups())
    print(f"makespan {makespan}, {makespan / roofline:.3f} times the roofline")
    if not roofline <= makespan <= serial:
        sys.exit("the makespan is not between its bounds")
    return 1 if makespan > float(ratio) * roofline else 0


sys.exit(main(*sys.argv[1:]))
