"""The messages between the harness and a host, version 2, byte for byte as harness/host/README.md describes them."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from enum import IntEnum

from .errors import ProtocolError

VERSION = 2
SOCKET_VARIABLE = "NORMCHECK_HOST_SOCKET"
MEMORY_VARIABLE = "NORMCHECK_HOST_MEMORY"

HELLO_KIND, KERNEL_KIND, CALL_KIND, REPLY_KIND = 1, 2, 3, 4
HELLO = struct.Struct("<IIII128s2048s")
KERNEL = struct.Struct("<IIII128s1024s512s")
CALL = struct.Struct("<IIIiQd384s")
TENSOR = struct.Struct("<qqqqqii")
REPLY = struct.Struct("<IIII512s2048s")

INPUTS = ("x", "residual", "gamma", "beta")
OUTPUTS = ("y", "residual_out", "mean", "rstd")

NO_STATISTICS = 256
NO_RESIDUAL_OUT = 512


class Status(IntEnum):
    """How a call ended."""

    RETURNED = 0
    REFUSED = 1
    FAILED = 2


@dataclass(frozen=True)
class Tensor:
    """A place in the shared memory: `offset` in bytes, strides in elements, `format` by its number."""

    offset: int
    shape: tuple
    strides: tuple
    format: int


@dataclass(frozen=True)
class Call:
    """One call: kernel by its number, and the tensors that it has by name."""

    kernel: int
    threads: int
    memory_bytes: int
    eps: float
    tensors: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Reply:
    """How a call ended: why it was refused, or which rules it broke."""

    status: Status
    text: str = ""
    rules: tuple = ()


def one_line(text):
    """The text without what would end a line or act on a terminal."""
    return "".join(one if one.isprintable() else " " for one in text).strip()


def field_of(text, size):
    """A text in so many bytes with a zero at the end, cut where it is longer, at the end of a character."""
    data = text.replace("\0", " ").encode("utf-8", "replace")
    return data[: size - 1].decode("utf-8", "ignore").encode("utf-8")


def pack_hello(name, kernel_count):
    return HELLO.pack(HELLO_KIND, VERSION, 0, kernel_count, field_of(name, 128), b"")


def pack_failed_hello(why):
    return HELLO.pack(HELLO_KIND, VERSION, 1, 0, b"", field_of(one_line(why), 2048))


def pack_kernel(name, contract, about, supports):
    return KERNEL.pack(
        KERNEL_KIND, VERSION, supports, 0, field_of(name, 128), field_of(contract, 1024), field_of(about, 512)
    )


def pack_reply(reply):
    rules = "\n".join(one_line(rule) for rule in reply.rules)
    return REPLY.pack(
        REPLY_KIND, VERSION, reply.status, 0, field_of(one_line(reply.text), 512), field_of(rules, 2048)
    )


def unpack_call(data):
    """Reads a call. Raises ProtocolError saying what is wrong with it."""
    if len(data) < 8:
        raise ProtocolError(f"the harness sent a message of {len(data)} bytes; expected a call of {CALL.size}")
    kind, version = struct.unpack_from("<II", data)
    if version != VERSION:
        raise ProtocolError(f"the harness speaks version {version} of the protocol; this package speaks {VERSION}")
    if kind != CALL_KIND:
        raise ProtocolError(f"the harness sent a message of kind {kind}; expected a call, kind {CALL_KIND}")
    if len(data) != CALL.size:
        raise ProtocolError(f"the harness sent a call of {len(data)} bytes; expected {CALL.size}")
    _, _, kernel, threads, memory_bytes, eps, places = CALL.unpack(data)
    tensors = {}
    for name, place in zip(INPUTS + OUTPUTS, TENSOR.iter_unpack(places)):
        offset, rows, cols, row_stride, col_stride, number, _ = place
        if offset != -1:
            tensors[name] = Tensor(offset, (rows, cols), (row_stride, col_stride), number)
    return Call(kernel, threads, memory_bytes, eps, tensors)


def receive_call(sock):
    """The next call, or None where the harness has closed the socket."""
    try:
        data = sock.recv(CALL.size + 1)
    except ConnectionResetError:
        return None
    return unpack_call(data) if data else None


def send(sock, message):
    """Sends one message; False where the harness has closed the socket."""
    try:
        sock.send(message)
    except (BrokenPipeError, ConnectionResetError):
        return False
    return True
