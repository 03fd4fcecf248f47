"""The host: says which kernels it has and makes the calls that the harness asks for, until the harness is gone."""

from __future__ import annotations

import os
import socket
import sys
import traceback

from . import protocol
from .errors import InputError, ProtocolError
from .kernel import Kernel
from .memory import SharedMemory


class Host:
    """One conversation with the harness over a connected socket."""

    def __init__(self, kernels, sock, memory_descriptor, on_error=None):
        self.kernels = kernels
        self.sock = sock
        self.memory = SharedMemory(memory_descriptor)
        self._on_error = on_error or (lambda error: None)

    def say_hello(self, space):
        """False where the harness has gone already."""
        messages = [protocol.pack_hello(space, len(self.kernels))]
        for one in self.kernels:
            messages.append(protocol.pack_kernel(one.name, one.contract, one.about, one.supports))
        return all(protocol.send(self.sock, message) for message in messages)

    def answer(self):
        """Makes the next call; False where the harness has closed the socket."""
        call = protocol.receive_call(self.sock)
        if call is None:
            return False
        if call.kernel >= len(self.kernels):
            raise ProtocolError(f"the harness calls kernel {call.kernel} of {len(self.kernels)}")
        reply, error = self.kernels[call.kernel].run(call, self.memory)
        if error is not None:
            self._on_error(error)
        return protocol.send(self.sock, protocol.pack_reply(reply))


def as_kernels(fn, contract, options):
    """One callable with its contract, or a list of Kernel."""
    if isinstance(fn, Kernel):
        fn = [fn]
    if isinstance(fn, (list, tuple)):
        if contract is not None or options or not fn or not all(isinstance(one, Kernel) for one in fn):
            raise InputError("serve takes a callable with its contract, or a list of normcheck.Kernel and nothing else")
        return list(fn)
    return [Kernel(fn, contract, **options)]


def inherited(variable):
    """The descriptor that the environment names."""
    text = os.environ.get(variable, "")
    if not text.isdecimal():
        return None
    try:
        os.set_inheritable(int(text), False)  # what a kernel starts does not need it
    except (OSError, OverflowError):
        return None
    return int(text)


def tell_first_errors():
    """Prints the traceback of each kind of exception once, to standard error, which `--host-log` shows."""
    told = set()

    def tell(error):
        kind = (type(error), str(error)[:80])
        if kind not in told and len(told) < 20:
            told.add(kind)
            traceback.print_exception(type(error), error, error.__traceback__)

    return tell


def serve(fn, contract=None, *, space="python", **options):
    """Serves a callable to `normcheck verify --exec 'python my_kernel.py'`, and returns when the harness is done.

    fn and contract, and the options, are those of normcheck.Kernel; several kernels are served as a list of these.
    space is the first part of their names in reports, as in python/my_norm.
    """
    socket_descriptor, memory = inherited(protocol.SOCKET_VARIABLE), inherited(protocol.MEMORY_VARIABLE)
    if socket_descriptor is None or memory is None:
        script = " ".join(["python"] + sys.argv[:1])
        sys.exit(f"normcheck.serve: not started by normcheck; run: normcheck verify --exec '{script}'")
    with socket.socket(fileno=socket_descriptor) as sock:
        try:
            kernels = as_kernels(fn, contract, options)
        except (InputError, TypeError) as error:
            protocol.send(sock, protocol.pack_failed_hello(str(error)))
            raise
        host = Host(kernels, sock, memory, tell_first_errors())
        if host.say_hello(space):
            while host.answer():
                pass
