"""End to end with verify() and case(): this process has the kernel. NORMCHECK names the program."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time
import unittest
from unittest import mock

import kernels
import numpy as np
import processes

import normcheck

HERE = os.path.dirname(os.path.abspath(__file__))
EXACT = "rms acc=f64 range=full"
SOME = dict(rows=[1, 3], cols=[1, 5, 128])


def failure(fn, contract=EXACT, **options):
    try:
        normcheck.verify(fn, contract, **options)
    except normcheck.KernelFailed as error:
        return error
    raise AssertionError(f"{fn} passed")


class Verdicts(unittest.TestCase):
    def setUp(self):
        gc.collect()
        self.descriptors = os.listdir("/proc/self/fd")

    def tearDown(self):
        gc.collect()  # an exception's frames hold the arrays of its call
        self.assertEqual(len(os.listdir("/proc/self/fd")), len(self.descriptors), "descriptors are left open")
        self.assertEqual(processes.children(), [], "processes are left")

    def test_a_correct_kernel_passes(self):
        report = normcheck.verify(kernels.rms, EXACT)
        self.assertTrue(report.passed)
        self.assertEqual(report.verdicts, {("python/rms", "f32"): "pass"})
        self.assertGreater(report.cases, 400)
        self.assertGreater(report.rows["pass"], 1000)
        self.assertEqual((report.rows["fail"], report.findings, report.finding_count), (0, [], 0))
        self.assertIn("pass  python/rms f32", str(report))
        self.assertNotIn("bridge", str(report))
        self.assertRegex(repr(report), r"<normcheck.Report pass: \d+ cases, 0 findings>")

    def test_all_formats(self):
        report = normcheck.verify(kernels.rms, "rms acc=f64", formats="f64,f32,f16", **SOME)
        self.assertEqual([form for _, form in report.verdicts], ["f64", "f32", "f16"])
        normcheck.verify(kernels.rms_bf16, "rms x=bf16 range=full acc=f32", **SOME)

    def test_all_outputs(self):
        report = normcheck.verify(
            kernels.residual_layer, "layer residual=wide acc=f64", returns="y,residual_out,mean,rstd", **SOME
        )
        self.assertEqual(report.verdict, "pass")

    def test_a_faulty_kernel_fails_with_a_case_that_reproduces(self):
        error = failure(kernels.eps_outside, **SOME)
        finding = error.report.findings[0]  # a property that names the fault; it has no numbers
        self.assertIn("eps_at=outside", str(error))
        self.assertIn("y is outside its admissible set", str(error))
        self.assertIn(f"'{finding.case}'", str(error))
        row = next(one for one in error.report.findings if one.numbers)
        again = normcheck.case(kernels.eps_outside, EXACT, row.case, check=False)
        self.assertIn(row.numbers, [one.numbers for one in again.findings])
        self.assertIn(row.numbers["got"]["code"][2:], again.text)
        self.assertIn("because", again.text)
        self.assertTrue(normcheck.case(kernels.rms, EXACT, finding.case).passed)

    def test_check_false_returns_the_report(self):
        report = normcheck.verify(kernels.eps_outside, EXACT, check=False, **SOME)
        self.assertEqual((report.verdict, report.passed), ("fail", False))

    def test_an_exception_is_a_finding_and_the_cause(self):
        error = failure(kernels.raises, **SOME)
        self.assertRegex(str(error), r"raised RuntimeError: five columns are too many \(kernels.py, line \d+\)")
        self.assertTrue(all("cols=5" in one.case for one in error.report.findings))
        self.assertIsInstance(error.__cause__, RuntimeError)

    def test_a_wrong_dtype_is_named(self):
        error = failure(kernels.wrong_dtype, **SOME)
        self.assertIn("y has dtype float64; the call asks for float32 (f32)", str(error))

    def test_refusals_are_no_pass(self):
        error = failure(kernels.refuses, **SOME)
        self.assertEqual(error.report.verdict, "unsupported")
        self.assertIn("times: not today", str(error))

    def test_what_a_kernel_prints_does_not_disturb(self):
        with mock.patch("sys.stdout"), mock.patch("sys.stderr"):
            self.assertTrue(normcheck.verify(kernels.prints, EXACT, **SOME).passed)

    def test_closures_and_local_functions_will_do(self):
        scale = np.float32(1)
        report = normcheck.verify(lambda x, gamma, eps: kernels.rms(x, gamma, eps) * scale, EXACT, **SOME)
        self.assertTrue(report.passed)

    def test_an_interrupt_that_a_kernel_raises_is_one(self):
        def fn(x, gamma=None, eps=0):
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            normcheck.verify(fn, EXACT)

    def test_wrong_input_is_one_clear_error(self):
        wrong = (
            (dict(contract="rms fnord=3"), "unknown field 'fnord'"),
            (dict(contract=EXACT, cols=-3), "--cols=-3: expected a whole number"),
            (dict(contract=EXACT, fills="gausian"), "gausian"),
            (dict(contract=EXACT, arguments="--no-such-option"), "no-such-option"),
            (dict(contract=EXACT, program="/no/such/normcheck"), "program= names /no/such/normcheck"),
        )
        for options, text in wrong:
            with self.assertRaises(normcheck.InputError) as raised:
                normcheck.verify(kernels.rms, **options)
            self.assertIn(text, str(raised.exception))
            self.assertNotIn("bridge", str(raised.exception))

    def test_the_program_is_found_by_the_environment_and_the_path(self):
        program = os.environ["NORMCHECK"]
        with mock.patch.dict(os.environ, {"NORMCHECK": "/no/such"}):
            with self.assertRaisesRegex(normcheck.InputError, "environment variable NORMCHECK names /no/such"):
                normcheck.verify(kernels.rms, EXACT)
            self.assertTrue(normcheck.verify(kernels.rms, EXACT, program=program, **SOME).passed)
        with mock.patch.dict(os.environ, {"PATH": os.path.dirname(program) + os.pathsep + os.environ["PATH"]}):
            del os.environ["NORMCHECK"]
            self.assertTrue(normcheck.verify(kernels.rms, EXACT, **SOME).passed)
            os.environ["NORMCHECK"] = program


class Hangs(unittest.TestCase):
    def test_a_loop_is_interrupted_and_the_run_goes_on(self):
        begin = time.monotonic()
        error = failure(kernels.loops, call_limit=0.3, **SOME)
        self.assertLess(time.monotonic() - begin, 60)
        reasons = {one.reason for one in error.report.findings}
        self.assertTrue(any("did not return within 0.3" in one for one in reasons), reasons)
        self.assertFalse(any("process" in one for one in reasons), reasons)
        self.assertGreater(error.report.rows["pass"], 0)

    def test_a_call_that_cannot_be_interrupted_ends_the_run_soon(self):
        begin = time.monotonic()
        error = failure(kernels.sleeps, call_limit=0.3, cases=60, cols=[128, 5])
        self.assertLess(time.monotonic() - begin, 60)
        self.assertIn("did not return within 0.3", str(error))
        self.assertNotIn("bridge", str(error))

    def test_the_run_has_a_limit(self):
        begin = time.monotonic()
        with self.assertRaisesRegex(normcheck.KernelFailed, "normcheck did not end within 0.5 s"):
            normcheck.verify(lambda x, eps: time.sleep(0.2) or x, EXACT, limit=0.5)
        self.assertLess(time.monotonic() - begin, 10)

    def test_verify_works_outside_the_main_thread(self):
        reports = []
        thread = threading.Thread(target=lambda: reports.append(normcheck.verify(kernels.rms, EXACT, **SOME)))
        thread.start()
        thread.join(60)
        self.assertTrue(reports[0].passed)


class Ends(unittest.TestCase):
    """However the Python process ends, nothing is left of it."""

    def started(self, body):
        code = f"import sys; sys.path.insert(0, {HERE!r})\nimport time, kernels, normcheck\n{body}"
        process = subprocess.Popen(
            [sys.executable, "-c", code], start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True,
        )
        self.assertEqual(process.stdout.readline(), "called\n")
        self.assertGreater(len(processes.of_session(process.pid)), 2)
        return process

    def ending(self, number, body):
        process = self.started(body)
        os.kill(process.pid, number)
        output, errors = process.communicate(timeout=30)
        self.assertEqual(processes.wait_until_gone(process.pid, 20), [])
        return errors

    SLOW = (
        "def fn(x, gamma=None, eps=0):\n"
        "    print('called', flush=True)\n"
        "    time.sleep({})\n"
        "    return kernels.rms(x, gamma, eps)\n"
        "normcheck.verify(fn, 'rms acc=f64 range=full', call_limit=60)\n"
    )

    def test_an_interrupt_between_or_within_calls(self):
        for seconds in (0.05, 30):
            begin = time.monotonic()
            self.assertIn("KeyboardInterrupt", self.ending(signal.SIGINT, self.SLOW.format(seconds)))
            self.assertLess(time.monotonic() - begin, 28)

    def test_a_kill(self):
        self.ending(signal.SIGKILL, self.SLOW.format(30))

    def test_an_exit_of_the_whole_process_within_a_call(self):
        body = self.SLOW.format(0.2).replace("return", "import os; os._exit(7); return")
        process = self.started(body)
        process.communicate(timeout=30)
        self.assertEqual(process.returncode, 7)
        self.assertEqual(processes.wait_until_gone(process.pid, 20), [])


if __name__ == "__main__":
    unittest.main()
