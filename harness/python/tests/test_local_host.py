"""The host within this process against programs and bridges that do what they should not. The program is a script here
that does not need normcheck."""

import os
import shlex
import socket
import stat
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
from unittest import mock

import processes
import stub

import normcheck
from normcheck.kernel import Kernel
from normcheck.local_host import LocalHost

HERE = os.path.dirname(os.path.abspath(__file__))

# What every script below begins with: starts the host that --exec names, and reads its hello.
HARNESS = """
    import os, subprocess, sys, time
    sys.path.insert(0, {here!r})
    import stub
    options = dict(zip(sys.argv, sys.argv[1:]))
    def host():
        return stub.Harness("import os; os.execl('/bin/sh', 'sh', '-c', " + repr(options["--exec"]) + ")")
"""


class Programs(unittest.TestCase):
    """Programs that are not what normcheck is."""

    def tearDown(self):
        self.assertEqual(processes.children(), [], "processes are left")

    def verify(self, body, **options):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "normcheck")
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"#!{sys.executable}\n" + textwrap.dedent(HARNESS.format(here=HERE)) + textwrap.dedent(body))
            os.chmod(path, stat.S_IRWXU)
            return normcheck.verify(lambda x, eps: x, "rms", program=path, **options)

    def test_an_error_of_the_program_is_told(self):
        with self.assertRaisesRegex(normcheck.InputError, "^normcheck: no such thing$"):
            self.verify("sys.stderr.write('normcheck: no such thing\\n'); sys.exit(2)")
        with self.assertRaisesRegex(normcheck.InputError, "ended with exit status -9"):
            self.verify("os.kill(os.getpid(), 9)")

    def test_a_program_without_a_report_is_an_error(self):
        with self.assertRaisesRegex(normcheck.InputError, "ended with exit status 0"):
            self.verify("sys.exit(0)")

    def test_a_program_that_does_not_end_is_ended(self):
        begin = time.monotonic()
        with self.assertRaisesRegex(normcheck.KernelFailed, "normcheck did not end within 0.3 s"):
            self.verify("time.sleep(3600)", limit=0.3)
        with self.assertRaisesRegex(normcheck.KernelFailed, "normcheck did not end within 0.3 s"):
            self.verify("import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(3600)", limit=0.3)
        self.assertLess(time.monotonic() - begin, 20)

    def test_garbage_on_the_protocol_is_an_error(self):
        with self.assertRaisesRegex(normcheck.ProtocolError, "a message of 7 bytes; expected a call of 416"):
            self.verify(
                """
                with host() as garbage:
                    garbage.hello()
                    garbage.socket.send(b"garbage")
                    assert garbage.socket.recv(10) == b""
                """
            )

    def test_calls_of_several_hosts_at_once_are_made_one_after_the_other(self):
        with self.assertRaisesRegex(normcheck.InputError, "all is well"):
            self.verify(
                """
                with host() as one, host() as two:
                    for harness in (one, two):
                        harness.hello()
                    for harness in (two, one, two):
                        place = harness.memory.place
                        x, y = place("f32", (1, 2), [[1, 2]]), place("f32", (1, 2))
                        assert harness.call({"x": x, "y": y}) == (0, "", "")
                        assert y.array.tolist() == [[1, 2]]
                    assert one.end()[0] == 0
                    two.socket.close()
                    two.process.wait(20)
                sys.exit("all is well")
                """
            )

    def test_it_may_write_as_much_as_it_likes(self):
        with self.assertRaisesRegex(normcheck.InputError, "ended with exit status 0"):
            self.verify("print('x' * (1 << 22))")


class Bridges(unittest.TestCase):
    """Other programs that connect where bridges do."""

    def test_strangers_are_turned_away_and_a_bridge_is_served_after_them(self):
        descriptors_before = os.listdir("/proc/self/fd")
        with LocalHost([Kernel(lambda x, eps: x, "rms")], "python") as host:
            address = "\0" + shlex.split(host.command)[-1]
            for descriptors in ((), (0,)):
                with socket.socket(socket.AF_UNIX) as stranger:
                    stranger.connect(address)
                    if descriptors:
                        socket.send_fds(stranger, [b"n"], descriptors)
                    else:
                        stranger.shutdown(socket.SHUT_WR)
                    stranger.settimeout(10)
                    self.assertEqual(stranger.recv(1), b"")
            with stub.Harness(f"import os; os.execl('/bin/sh', 'sh', '-c', {host.command!r})") as harness:
                self.assertEqual(harness.hello()[0], (0, "python", ""))
                self.assertEqual(harness.end(), (0, "", ""))
        del harness
        self.assertEqual(len(os.listdir("/proc/self/fd")), len(descriptors_before), "descriptors are left open")

    def test_the_command_survives_any_path(self):
        kernel = Kernel(lambda x, eps: x, "rms")
        with mock.patch("sys.executable", "/a 'b $c/python"), LocalHost([kernel], "python") as host:
            command = host.command.replace("exec", "printf '%s\\n'", 1)
            printed = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
        self.assertEqual(printed.stdout.splitlines()[:3], ["/a 'b $c/python", "-I", "-S"])


if __name__ == "__main__":
    unittest.main()
