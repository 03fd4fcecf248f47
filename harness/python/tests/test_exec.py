"""Commands that serve Python kernels, by `normcheck --exec`. NORMCHECK names the program."""

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
import unittest

import processes

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(HERE, "..", "..", "examples", "python")
EXACT = "rms acc=f64 range=full"
SOME = ["--rows", "1,3", "--cols", "1,5,128"]


def command_of(kernel, contract=EXACT):
    return " ".join(map(shlex.quote, (sys.executable, os.path.join(HERE, "kernels.py"), kernel, contract)))


def normcheck(*arguments):
    """Runs the program in a session of its own, of which nothing may be left."""
    process = subprocess.Popen(
        [os.environ["NORMCHECK"], *arguments], start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True,
    )
    output, errors = process.communicate(timeout=120)
    assert processes.wait_until_gone(process.pid, 20) == [], "processes are left"
    return process.returncode, output, errors


class Exec(unittest.TestCase):
    def verify(self, kernel, *arguments, contract=EXACT):
        with tempfile.TemporaryDirectory() as folder:
            document = os.path.join(folder, "report.json")
            command = command_of(kernel, contract)
            status, output, errors = normcheck("verify", "--exec", command, "--json", document, *SOME, *arguments)
            with open(document, encoding="utf-8") as file:
                return status, output, json.load(file)

    def test_the_example(self):
        script = shlex.join([sys.executable, os.path.join(EXAMPLES, "my_kernel.py")])
        status, output, errors = normcheck("verify", "--exec", script)
        self.assertEqual(status, 0, errors)
        self.assertIn("pass  python/rms f32", output)

    def test_a_correct_kernel_passes_whatever_it_prints(self):
        for kernel in ("rms", "prints"):
            status, output, report = self.verify(kernel)
            self.assertEqual((status, report["verdict"]), (0, "pass"), output)

    def test_a_faulty_kernel_fails_with_a_case_that_reproduces(self):
        status, output, report = self.verify("eps_outside")
        self.assertEqual(status, 1)
        finding = next(one for one in report["findings"] if one["numbers"])  # properties come first and have none
        line, code = finding["case"], finding["numbers"]["got"]["code"]
        status, output, _ = normcheck("case", line, "--exec", command_of("eps_outside"))
        self.assertEqual(status, 1)
        self.assertIn(code[2:], output)
        self.assertEqual(normcheck("case", line.replace("eps_outside", "rms"), "--exec", command_of("rms"))[0], 0)

    def test_an_exception_a_wrong_dtype_and_a_refusal(self):
        status, output, report = self.verify("raises")
        self.assertEqual(status, 1)
        self.assertIn("the kernel raised RuntimeError: five columns are too many", report["findings"][0]["reason"])
        status, output, report = self.verify("wrong_dtype")
        self.assertEqual(status, 1)
        self.assertIn("y has dtype float64; the call asks for float32", report["findings"][0]["reason"])
        status, output, report = self.verify("refuses")
        self.assertEqual((status, report["verdict"]), (1, "unsupported"))
        self.assertIn("not today", output)

    def test_a_hang_is_a_finding_and_the_run_goes_on(self):
        begin = time.monotonic()
        status, output, report = self.verify("sleeps", "--call-limit", "0.3", "--jobs", "1")
        self.assertLess(time.monotonic() - begin, 60)
        self.assertEqual(status, 1)
        hung = [one for one in report["findings"] if "did not return within" in one["reason"]]
        self.assertTrue(hung)
        self.assertTrue(any(cell["rows"]["pass"] for cell in report["kernels"][0]["cells"]))

    def test_several_at_a_time_say_the_same(self):
        one, two = (self.verify("rms", "--jobs", jobs)[2] for jobs in ("1", "3"))
        for report in (one, two):
            del report["context"]
        self.assertEqual(one, two)

    def test_what_fails_before_the_hello_is_quoted(self):
        for kernel, text in (("dies", "no GPU here"), ("no_such", "KeyError: 'no_such'")):
            status, _, errors = normcheck("verify", "--exec", command_of(kernel))
            self.assertEqual(status, 2)
            self.assertIn(text, errors)

    def test_a_bridge_without_its_process_says_so(self):
        bridge = os.path.join(HERE, "..", "normcheck", "bridge.py")
        command = shlex.join([sys.executable, "-I", "-S", bridge, "normcheck-0-gone"])
        status, _, errors = normcheck("verify", "--exec", command)
        self.assertEqual(status, 2)
        self.assertIn("a Python process that has ended", re.sub(r"\s+", " ", errors))


if __name__ == "__main__":
    unittest.main()
