"""The exceptions of the package."""


class Unsupported(Exception):
    """Raised by a kernel to refuse a call; its text says why. The verdict is `unsupported`, not `fail`."""


class InputError(ValueError):
    """Something that was handed in cannot be used: a contract, an option, the program normcheck that is not there."""


class ProtocolError(RuntimeError):
    """The harness does not speak the protocol of hosts, or another version of it."""


class KernelFailed(AssertionError):
    """The kernel did not pass. The message has the first findings with their case lines, `report` has all of it."""

    def __init__(self, message, report=None):
        super().__init__(message)
        self.report = report


class Abandoned(BaseException):
    """Raised within a call that the harness no longer waits for, where verify() runs it in a thread of its own."""
