"""The host inside the process that called verify(): a thread that makes the calls one after the other, for whatever
bridges connect to it. The thread that waits for the harness looks after it, since a kernel may never return."""

from __future__ import annotations

import ctypes
import os
import secrets
import select
import selectors
import shlex
import shutil
import socket
import struct
import sys
import threading
import time

from . import protocol
from .errors import Abandoned
from .host import Host

SECONDS_TO_GIVE_UP = 1.0
SECONDS_BETWEEN_HOSTS = 0.1


def is_closed(sock):
    """Whether the other end is gone. Nothing is ever sent by a bridge after its first message."""
    readable, _, _ = select.select([sock], [], [], 0)
    try:
        return bool(readable) and sock.recv(1) == b""
    except OSError:
        return True


def receive_descriptors(line):
    """The two descriptors that a bridge sends, or None."""
    line.settimeout(5)
    try:
        _, descriptors, _, _ = socket.recv_fds(line, 1, 2)
    except OSError:
        return None
    if len(descriptors) == 2:
        return descriptors
    for one in descriptors:
        os.close(one)
    return None


def is_ours(line):
    """Whether a process of this user is at the other end."""
    _, user, _ = struct.unpack("3i", line.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    return user in (os.getuid(), 0)


class Bridged:
    """A host of the harness whose conversation is held here."""

    def __init__(self, line, descriptors):
        self.line = line
        self.sock = socket.socket(fileno=descriptors[0])
        self.memory = descriptors[1]

    def close(self):
        self.sock.close()
        os.close(self.memory)
        self.line.close()  # last: the bridge ends then, and the harness looks how


class LocalHost:
    """Serves kernels to bridges. `first_error` is the first exception that a kernel raised as its answer to a call,
    `failure` the one that ended the conversation itself."""

    def __init__(self, kernels, space):
        self.first_error = None
        self.failure = None
        self._kernels = kernels
        self._space = space
        self._address = f"normcheck-{os.getpid()}-{secrets.token_hex(16)}"
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind("\0" + self._address)
        self._listener.listen(16)
        self._listener.setblocking(False)
        self._wake, self._woken = socket.socketpair()
        self._lock = threading.Lock()  # over the next three
        self._call_of = None  # the bridge of the call that is being made
        self._interrupted_at = None
        self._stuck = False
        self._ending = False
        self._thread = threading.Thread(target=self._serve, name="normcheck kernel", daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        """Ends the thread, or leaves it where its call does not end."""
        self._ending = True
        self._wake.close()
        with self._lock:
            if self._call_of is not None and self._interrupted_at is None:
                self._interrupt()
        self._thread.join(SECONDS_TO_GIVE_UP)
        self._listener.close()

    @property
    def command(self):
        """The command of a host for --exec."""
        python = sys.executable or shutil.which("python3") or "python3"
        bridge = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bridge.py")
        return "exec " + " ".join(map(shlex.quote, (python, "-I", "-S", bridge, self._address)))

    def look_after(self):
        """Called now and then by the thread that waits: interrupts a call that the harness no longer waits for, and
        where that does not help answers the next hosts in place of the thread that does not come back. Raises what
        has ended the conversation."""
        if self.failure is not None:
            raise self.failure
        with self._lock:
            abandoned = self._call_of is not None and is_closed(self._call_of.line)
            if abandoned and self._interrupted_at is None:
                self._interrupt()
            late = self._interrupted_at is not None and time.monotonic() > self._interrupted_at + SECONDS_TO_GIVE_UP
            self._stuck = self._stuck or late
        if self._stuck:
            self._turn_away()

    def _interrupt(self):
        self._interrupted_at = time.monotonic()
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread.ident), ctypes.py_object(Abandoned))

    def _accept(self):
        try:
            line, _ = self._listener.accept()
        except (BlockingIOError, OSError):
            return None
        descriptors = receive_descriptors(line) if is_ours(line) else None
        if descriptors is None:
            line.close()
            return None
        return Bridged(line, descriptors)

    def _turn_away(self):
        """Answers hosts as long as one after the other comes."""
        why = "an earlier call of the kernel has not returned, and the Python process that has it makes one at a time"
        while select.select([self._listener], [], [], SECONDS_BETWEEN_HOSTS)[0]:
            bridged = self._accept()
            if bridged is not None:
                protocol.send(bridged.sock, protocol.pack_failed_hello(why))
                bridged.close()

    def _note(self, error):
        self.first_error = self.first_error or error

    def _serve(self):
        hosts = {}
        try:
            self._converse(hosts)
        except BaseException as error:  # verify() raises it
            self.failure = error
            self._listener.close()
        for bridged, _ in hosts.values():
            bridged.close()
        self._woken.close()

    def _converse(self, hosts):
        with selectors.DefaultSelector() as waiting:
            waiting.register(self._listener, selectors.EVENT_READ)
            waiting.register(self._woken, selectors.EVENT_READ)
            while not self._ending and not self._stuck:
                for key, _ in waiting.select():
                    if key.fileobj is self._listener:
                        self._welcome(waiting, hosts)
                    elif key.fileobj in hosts:
                        self._answer(waiting, hosts, key.fileobj)

    def _welcome(self, waiting, hosts):
        bridged = self._accept()
        if bridged is None:
            return
        host = Host(self._kernels, bridged.sock, bridged.memory, self._note)
        if not host.say_hello(self._space):
            bridged.close()
            return
        hosts[bridged.sock] = (bridged, host)
        waiting.register(bridged.sock, selectors.EVENT_READ)

    def _answer(self, waiting, hosts, sock):
        bridged, host = hosts[sock]
        if self._make_call(bridged, host):
            return
        waiting.unregister(sock)
        del hosts[sock]
        bridged.close()

    def _make_call(self, bridged, host):
        """False where the conversation is over. The interruption may arrive anywhere until it is taken back."""
        try:
            try:
                with self._lock:
                    self._call_of = bridged
                return host.answer()
            finally:
                with self._lock:
                    self._call_of = self._interrupted_at = None
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread.ident), None)
        except Abandoned:
            self._call_of = self._interrupted_at = None
            return False
