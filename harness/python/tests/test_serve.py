"""A host by serve(), in a process of its own, against the other side of the protocol."""

import os
import select
import signal
import subprocess
import sys
import time
import unittest

import stub

HEADER = "import sys, os, numpy as np, normcheck\n"
DOUBLE = HEADER + "normcheck.serve(lambda x, eps: 2 * x, 'rms reduce=any', name='double', about='twice', space='mine')"


class Conversation(unittest.TestCase):
    def tensors(self, harness):
        place = harness.memory.place
        return {"x": place("f32", (2, 2), [[1, 2], [3, 4]]), "y": place("f32", (2, 2))}

    def test_hello_calls_and_end(self):
        with stub.Harness(DOUBLE) as harness:
            hello, kernels = harness.hello()
            self.assertEqual(hello, (0, "mine", ""))
            self.assertEqual(kernels, [(2 + 256 + 512, "double", "rms reduce=any", "twice")])
            tensors = self.tensors(harness)
            for _ in range(3):
                self.assertEqual(harness.call(tensors), (0, "", ""))
            self.assertEqual(tensors["y"].array.tolist(), [[2, 4], [6, 8]])
            self.assertEqual(harness.end(), (0, "", ""))

    def test_several_kernels_are_told_apart_by_number(self):
        code = HEADER + (
            "normcheck.serve([normcheck.Kernel(lambda x, eps: x, 'rms', name='one'),"
            "normcheck.Kernel(lambda x, eps: 3 * x, 'layer', name='two', formats='f32')])"
        )
        with stub.Harness(code) as harness:
            hello, kernels = harness.hello()
            self.assertEqual([one[1] for one in kernels], ["one", "two"])
            tensors = self.tensors(harness)
            self.assertEqual(harness.call(tensors, kernel=1), (0, "", ""))
            self.assertEqual(tensors["y"].array.tolist(), [[3, 6], [9, 12]])

    def test_refusals_and_errors_are_replies_and_the_host_goes_on(self):
        code = HEADER + (
            "def fn(x, eps):\n"
            "    if eps == 1: raise normcheck.Unsupported('not one')\n"
            "    if eps == 2: raise KeyError('two')\n"
            "    if eps == 3: sys.exit(3)\n"
            "    return x\n"
            "normcheck.serve(fn, 'rms')"
        )
        with stub.Harness(code) as harness:
            harness.hello()
            tensors = self.tensors(harness)
            self.assertEqual(harness.call(tensors, eps=1), (1, "not one", ""))
            status, _, rules = harness.call(tensors, eps=2)
            self.assertEqual((status, rules), (2, "the kernel raised KeyError: 'two' (<string>, line 4)"))
            self.assertIn("SystemExit: 3", harness.call(tensors, eps=3)[2])
            self.assertEqual(harness.call(tensors, eps=0), (0, "", ""))
            status, output, errors = harness.end()
            self.assertEqual((status, output), (0, ""))
            self.assertIn("KeyError: 'two'", errors)

    def test_what_a_kernel_prints_is_no_message(self):
        with stub.Harness(HEADER + "normcheck.serve(lambda x, eps: print('hello') or x, 'rms')") as harness:
            harness.hello()
            self.assertEqual(harness.call(self.tensors(harness)), (0, "", ""))
            self.assertEqual(harness.end(), (0, "hello\n", ""))

    def test_long_texts_are_cut_at_a_character(self):
        code = HEADER + "def fn(x, eps): raise normcheck.Unsupported('\\u00e9' * 400)\nnormcheck.serve(fn, 'rms')"
        with stub.Harness(code) as harness:
            harness.hello()
            self.assertEqual(harness.call(self.tensors(harness))[1], "\u00e9" * 255)

    def test_children_of_a_kernel_do_not_have_the_socket(self):
        code = HEADER + (
            "import subprocess\n"
            "def fn(x, eps):\n"
            "    child = subprocess.Popen(['sleep', '60'], close_fds=False, stdout=-3, stderr=-3)\n"
            "    print(child.pid, flush=True)\n"
            "    return x\n"
            "normcheck.serve(fn, 'rms')"
        )
        with stub.Harness(code) as harness:
            harness.hello()
            harness.call(self.tensors(harness))
            child = int(harness.process.stdout.readline())
            try:
                harness.process.kill()
                harness.socket.settimeout(5)
                self.assertEqual(harness.socket.recv(10), b"")  # late where the child has the other end too
            finally:
                os.kill(child, signal.SIGKILL)


class Nonsense(unittest.TestCase):
    """What the harness should not do ends the host with an error that names it."""

    def ending(self, message):
        with stub.Harness(DOUBLE) as harness:
            harness.hello()
            harness.socket.send(message)
            self.assertEqual(harness.socket.recv(10), b"")
            status, _, errors = harness.end()
            self.assertEqual(status, 1)
            return errors

    def test_messages_that_are_no_call(self):
        good = stub.call_message({})
        self.assertIn("a message of 3 bytes; expected a call of 416", self.ending(b"abc"))
        self.assertIn("a call of 415 bytes; expected 416", self.ending(good[:-1]))
        self.assertIn("a call of 417 bytes; expected 416", self.ending(good + b"\0" * 1000))
        self.assertIn("version 3 of the protocol; this package speaks 2", self.ending(stub.call_message({}, version=3)))
        self.assertIn("kind 4; expected a call, kind 3", self.ending(stub.call_message({}, kind=4)))

    def test_calls_that_make_no_sense(self):
        memory = stub.Memory()
        x = memory.place("f32", (2, 2))
        self.assertIn("kernel 1 of 1", self.ending(stub.call_message({"x": x, "y": x}, kernel=1)))
        self.assertIn("without x", self.ending(stub.call_message({"y": x})))
        too_much = stub.call_message({"x": x, "y": x}, memory_bytes=1 << 40)
        self.assertIn("cannot map 1099511627776 bytes", self.ending(too_much))
        x.offset = (1 << 16) - 8
        self.assertIn("x outside the shared memory of 65536 bytes", self.ending(stub.call_message({"x": x, "y": x})))
        x.offset, x.number = 0, 9
        self.assertIn("x in format 9", self.ending(stub.call_message({"x": x, "y": x})))
        x.number, x.shape = 1, (-1, 2)
        self.assertIn("x with the shape (-1, 2)", self.ending(stub.call_message({"x": x, "y": x})))

    def test_a_harness_that_is_gone_is_an_end_and_no_error(self):
        with stub.Harness("import time; time.sleep(0.3)\n" + DOUBLE) as harness:
            self.assertEqual(harness.end(), (0, "", ""))
        with stub.Harness(DOUBLE) as harness:
            select.select([harness.socket], [], [], stub.SECONDS)
            time.sleep(0.3)  # until it waits for a call
            self.assertEqual(harness.end(), (0, "", ""))  # with its messages unread
        with stub.Harness(DOUBLE.replace("2 * x", "__import__('time').sleep(0.3) or x")) as harness:
            harness.hello()
            place = harness.memory.place
            harness.socket.send(stub.call_message({"x": place("f32", (1, 1), 1), "y": place("f32", (1, 1))}))
            self.assertEqual(harness.end(), (0, "", ""))


class Start(unittest.TestCase):
    def test_a_wrong_declaration_is_told_to_the_harness(self):
        with stub.Harness(HEADER + "normcheck.serve(lambda x: x, 'rms')") as harness:
            (status, _, text), kernels = harness.hello()
            self.assertEqual((status, kernels), (1, []))
            self.assertIn("takes no argument eps", text)
        with stub.Harness(HEADER + "normcheck.serve(lambda x, eps: x, 'rms', colour='red')") as harness:
            self.assertIn("colour", harness.hello()[0][2])

    def started_by_hand(self, **variables):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("NORMCHECK_HOST")}
        return subprocess.run(
            [sys.executable, "-c", DOUBLE], env={**environment, **variables}, capture_output=True, text=True,
            timeout=stub.SECONDS,
        )

    def test_started_by_hand_it_says_how_to_start_it(self):
        for variables in ({}, {"NORMCHECK_HOST_SOCKET": "x"}, {"NORMCHECK_HOST_SOCKET": "77"}):
            done = self.started_by_hand(**variables)
            self.assertEqual(done.returncode, 1)
            self.assertIn("not started by normcheck; run: normcheck verify --exec 'python", done.stderr)
            self.assertNotIn("Traceback", done.stderr)

    def test_an_interrupt_ends_it(self):
        with stub.Harness(DOUBLE) as harness:
            harness.hello()
            harness.process.send_signal(signal.SIGINT)
            self.assertEqual(harness.socket.recv(10), b"")
            self.assertNotEqual(harness.end()[0], 0)


if __name__ == "__main__":
    unittest.main()
