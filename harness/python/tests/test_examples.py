"""The example of tests, as a user runs it, with pytest (where it is) and without; and the version of the package."""

import importlib.util
import os
import re
import subprocess
import sys
import unittest

import normcheck

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..")
EXAMPLES = os.path.join(ROOT, "harness", "examples", "python")


def run(*arguments):
    done = subprocess.run([sys.executable, *arguments], cwd=EXAMPLES, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout + done.stderr


class Examples(unittest.TestCase):
    def test_by_itself(self):
        self.assertEqual(run("test_my_norm.py"), (0, "both kernels keep their contracts\n"))

    @unittest.skipIf(importlib.util.find_spec("pytest") is None, "pytest is not installed")
    def test_with_pytest(self):
        status, output = run("-m", "pytest", "-q", "-p", "no:cacheprovider", "test_my_norm.py")
        self.assertEqual(status, 0, output)
        self.assertIn("2 passed", output)


class Version(unittest.TestCase):
    def test_it_is_the_program_s(self):
        with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as file:
            project = re.search(r"project\(normcheck VERSION ([0-9.]+)", file.read()).group(1)
        with open(os.path.join(HERE, "..", "pyproject.toml"), encoding="utf-8") as file:
            package = re.search(r'^version = "(.*)"$', file.read(), re.MULTILINE).group(1)
        self.assertEqual((package, normcheck.__version__), (project, project))


if __name__ == "__main__":
    unittest.main()
