"""Runs the modules of tests that are named. Exits with 77 where nothing has failed and nothing was run, because all was
skipped; a module skips itself where what it tests is not installed."""

import platform
import sys
import unittest

import numpy


def load(names):
    """The tests of the modules that do not skip themselves."""
    suite = unittest.TestSuite()
    for name in names:
        try:
            suite.addTests(unittest.defaultTestLoader.loadTestsFromName(name))
        except unittest.SkipTest as reason:
            print(f"{name} is skipped: {reason}", flush=True)
    return suite


def main(names):
    print(f"Python {platform.python_version()} ({sys.executable}), NumPy {numpy.__version__}", flush=True)
    suite = load(names)
    result = unittest.TextTestRunner(sys.stdout, verbosity=2).run(suite)
    if not result.wasSuccessful():
        return 1
    return 77 if len(result.skipped) == suite.countTestCases() else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
