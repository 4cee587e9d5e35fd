"""Processor seconds of lit's tests; for lit.cfg.py, which cannot define what lit's workers unpickle.

Elapsed times say more about what else a machine does than about a test. lit runs each test in a process
that runs no other at the same time, and that has waited for its children when the test ends.
"""

import resource

import lit.formats


def processor_seconds():
    """Of this process and of all children that it waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


class TimedShTest(lit.formats.ShTest):
    """Appends a line per test to the file of `--param times=FILE`: seconds and the test's name."""

    def execute(self, test, lit_config):
        before = processor_seconds()
        result = super().execute(test, lit_config)
        if path := lit_config.params.get("times"):
            with open(path, "a", encoding="utf-8") as times:
                times.write(f"{processor_seconds() - before:.2f} {'/'.join(test.path_in_suite)}\n")
        return result
