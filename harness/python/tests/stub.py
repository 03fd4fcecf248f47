"""The harness's side of the protocol, for tests: starts a host, places tensors, makes calls, reads replies. It packs
its messages by hand from harness/host/README.md and shares no code with the package."""

import mmap
import os
import socket
import struct
import subprocess
import sys

import numpy as np

NAMES = ("x", "residual", "gamma", "beta", "y", "residual_out", "mean", "rstd")
FORMATS = {"f64": (0, np.float64), "f32": (1, np.float32), "f16": (2, np.float16), "bf16": (3, np.uint16)}
SECONDS = 30


def text_of(data):
    assert b"\0" in data, "a text without an end"
    return data.split(b"\0", 1)[0].decode("utf-8")


class Placed:
    """A tensor in the shared memory at a byte offset, with its strides in elements."""

    def __init__(self, memory, offset, form, shape, strides):
        self.number, dtype = FORMATS[form]
        self.offset, self.shape, self.strides = offset, shape, strides
        size = np.dtype(dtype).itemsize
        self.array = np.ndarray(shape, dtype, memory, offset, tuple(size * one for one in strides))

    def packed(self):
        return struct.pack("<qqqqqii", self.offset, *self.shape, *self.strides, self.number, 0)


class Memory:
    """Shared memory without a name, every byte 0xa5 where no tensor lies."""

    def __init__(self, size=1 << 16):
        self.descriptor = os.memfd_create("normcheck-test")
        self.bytes = None
        self.next = 0
        self.grow(size)

    def grow(self, size):
        os.ftruncate(self.descriptor, size)
        self.size = size
        self.bytes = np.frombuffer(mmap.mmap(self.descriptor, size), np.uint8)
        self.bytes[self.next :] = 0xA5

    def __del__(self):
        os.close(self.descriptor)

    def place(self, form, shape, values=None, row_stride=None, col_stride=1, first=0):
        """A tensor on a new cache line, `first` elements further."""
        row_stride = shape[1] * col_stride if row_stride is None else row_stride
        size = np.dtype(FORMATS[form][1]).itemsize
        offset = self.next + first * size
        self.next = (offset + size * (shape[0] * row_stride + shape[1] * col_stride + 16) + 63) // 64 * 64
        tensor = Placed(self.bytes, offset, form, shape, (row_stride, col_stride))
        if values is not None:
            tensor.array[...] = values
        return tensor


def call_message(tensors, eps=1e-6, kernel=0, threads=1, memory_bytes=1 << 16, kind=3, version=2):
    head = struct.pack("<IIIiQd", kind, version, kernel, threads, memory_bytes, eps)
    absent = struct.pack("<qqqqqii", -1, 0, 0, 0, 0, 0, 0)
    return head + b"".join(tensors[name].packed() if name in tensors else absent for name in NAMES)


class Harness:
    """A host in a process of its own, running this Python code."""

    def __init__(self, code):
        self.memory = Memory()
        self.socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.settimeout(SECONDS)
        variables = dict(os.environ)
        variables["NORMCHECK_HOST_SOCKET"] = str(theirs.fileno())
        variables["NORMCHECK_HOST_MEMORY"] = str(self.memory.descriptor)
        self.process = subprocess.Popen(
            [sys.executable, "-c", code], env=variables, pass_fds=(theirs.fileno(), self.memory.descriptor),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        theirs.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def end(self):
        """Closes the socket and returns the host's exit status and what it printed."""
        self.socket.close()
        output, errors = self.process.communicate(timeout=SECONDS)
        return self.process.returncode, output, errors

    def hello(self):
        """The hello and the kernels, as tuples of their fields."""
        data = self.socket.recv(4096)
        assert len(data) == 2192, len(data)
        kind, version, status, count = struct.unpack_from("<IIII", data)
        assert (kind, version) == (1, 2)
        name, text = text_of(data[16:144]), text_of(data[144:])
        return (status, name, text), [self._kernel() for _ in range(count)]

    def _kernel(self):
        data = self.socket.recv(4096)
        assert len(data) == 1680, len(data)
        kind, version, supports, reserved = struct.unpack_from("<IIII", data)
        assert (kind, version, reserved) == (2, 2, 0)
        return supports, text_of(data[16:144]), text_of(data[144:1168]), text_of(data[1168:])

    def call(self, tensors, **options):
        """Makes a call and returns status, text and rules of the reply."""
        self.socket.send(call_message(tensors, memory_bytes=self.memory.size, **options))
        data = self.socket.recv(4096)
        assert len(data) == 2576, len(data)
        kind, version, status, reserved = struct.unpack_from("<IIII", data)
        assert (kind, version, reserved) == (4, 2, 0)
        return status, text_of(data[16:528]), text_of(data[528:])
