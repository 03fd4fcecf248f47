"""Hands Python callables to the normcheck harness: serve() for `normcheck verify --exec`, verify() from a notebook or
a test. README.md beside the package says how a callable looks."""

from .errors import InputError, KernelFailed, ProtocolError, Unsupported
from .formats import from_bf16, to_bf16
from .host import serve
from .kernel import Kernel
from .report import Finding, Report
from .verification import case, verify

__all__ = [
    "Finding", "InputError", "Kernel", "KernelFailed", "ProtocolError", "Report", "Unsupported",
    "case", "from_bf16", "serve", "to_bf16", "verify",
]
__version__ = "0.2.0"
