"""A Python callable as a kernel: what it declares, and one call of it."""

from __future__ import annotations

import functools
import inspect
import os
import re
import traceback
import warnings
from dataclasses import dataclass
from typing import Any, Callable, Optional, Sequence, Union

import numpy as np

from . import arrays as arrays_of
from .errors import Abandoned, InputError, ProtocolError, Unsupported
from .formats import BY_NAME, BY_NUMBER
from .protocol import INPUTS, NO_RESIDUAL_OUT, NO_STATISTICS, OUTPUTS, Reply, Status, one_line

LONGEST_CONTRACT = 1000
SAVED = ("mean", "rstd")


def words(text):
    """A list that may be given as one text with commas."""
    return tuple(text.replace(",", " ").split()) if isinstance(text, str) else tuple(text)


def name_of(fn):
    """What a callable is called, in letters that a kernel's name may have."""
    while isinstance(fn, functools.partial):
        fn = fn.func
    name = getattr(fn, "__name__", None) or type(fn).__name__
    return re.sub(r"[^A-Za-z0-9_.+-]", "_", name).strip("_")[:64] or "kernel"


def accepted_names(fn):
    """The names of the arguments that fn takes, or None where it takes any or does not tell."""
    try:
        parameters = inspect.signature(fn).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(one.kind is one.VAR_KEYWORD for one in parameters):
        return None
    return {one.name for one in parameters if one.kind is not one.POSITIONAL_ONLY}


@dataclass(frozen=True)
class Kernel:
    """A callable fn(x, *, gamma, beta, residual, eps) and what it promises.

    contract   the contract's text, as in "layer beta=add"
    name       the kernel's name in reports; else the callable's
    formats    of x, as in "f32,bf16"; else the one that the contract names, or f32
    arrays     what fn takes and returns: "numpy", "torch" or "jax"
    device     where its arrays lie, as in "cuda"; else in the shared memory itself (torch), or JAX's default
    returns    what fn returns, in order: "y", "y,rstd", "y,residual_out,mean,rstd", ...
    """

    fn: Callable
    contract: str
    name: Optional[str] = None
    formats: Union[str, Sequence[str], None] = None
    arrays: str = "numpy"
    device: Any = None
    returns: Union[str, Sequence[str]] = "y"
    about: str = ""

    def __post_init__(self):
        if not callable(self.fn):
            raise InputError(f"the kernel {self.fn!r:.80} is not callable")
        if not isinstance(self.contract, str) or not self.contract.strip():
            raise InputError(f"the contract is {self.contract!r:.80}; expected a text, as in 'layer beta=add'")
        if len(self.contract.encode()) > LONGEST_CONTRACT:
            raise InputError(f"the contract is longer than {LONGEST_CONTRACT} bytes")
        arrays_of.require_kind(self.arrays, self.device)
        self._set("name", self.name or name_of(self.fn))
        if not re.fullmatch(r"[A-Za-z0-9_.+-]{1,64}", self.name):
            raise InputError(f"the kernel's name is {self.name!r}; expected 1 to 64 letters, digits and _ . + -")
        self._set("formats", self._read_formats())
        self._set("returns", self._read_returns())
        accepted = accepted_names(self.fn)
        if accepted is not None and "eps" not in accepted:
            raise InputError(
                f"{self.name} takes no argument eps; every call has one of its own. A kernel that has only one eps "
                "takes it and raises normcheck.Unsupported for others"
            )
        self._set("_accepted", accepted)

    def _set(self, name, value):
        object.__setattr__(self, name, value)

    def _read_formats(self):
        named = re.search(r"(?:^|\s)x=(\w+)", self.contract)
        formats = words(self.formats if self.formats is not None else named.group(1) if named else "f32")
        for one in formats:
            if one not in BY_NAME:
                raise InputError(f"formats={self.formats!r}: {one!r} is none; expected some of {', '.join(BY_NAME)}")
        if not formats:
            raise InputError("formats= names none; expected some of " + ", ".join(BY_NAME))
        return formats

    def _read_returns(self):
        returns = words(self.returns)
        for one in returns:
            if one not in OUTPUTS:
                raise InputError(f"returns={self.returns!r}: {one!r} is no output; expected {', '.join(OUTPUTS)}")
        if "y" not in returns or len(set(returns)) != len(returns):
            raise InputError(f"returns={self.returns!r}; expected y among them, and each once")
        if "mean" in returns and "rstd" not in returns:
            raise InputError(f"returns={self.returns!r}; mean without rstd cannot be asked for")
        return returns

    @property
    def supports(self):
        """The word of the kernel message that says what is taken and returned."""
        bits = sum(1 << BY_NAME[one].number for one in set(self.formats))
        if "rstd" not in self.returns:
            bits |= NO_STATISTICS
        if "residual_out" not in self.returns:
            bits |= NO_RESIDUAL_OUT
        return bits

    def run(self, call, memory):
        """Makes one call on tensors in the shared memory. Returns the reply, and the exception where fn raised one."""
        memory.grow(call.memory_bytes)
        bits = {name: memory.array(name, tensor) for name, tensor in call.tensors.items()}
        for name in ("x", "y"):
            if name not in bits:
                raise ProtocolError(f"the harness sent a call without {name}")
        forms = {name: BY_NUMBER[tensor.format] for name, tensor in call.tensors.items()}
        try:
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)  # overflow, NaN and no columns are what is tried
                result = self._invoke(call, bits, forms)
            found = self._outputs(result, bits, forms)
        except Unsupported as refusal:
            return Reply(Status.REFUSED, text=str(refusal) or "the kernel refuses this call"), None
        except arrays_of.WrongOutput as wrong:
            return Reply(Status.FAILED, rules=(f"the kernel returned a wrong output: {wrong}",)), None
        except (KeyboardInterrupt, Abandoned):
            raise
        except BaseException as error:  # SystemExit too: a kernel ends its call, not the host
            return Reply(Status.FAILED, rules=(f"the kernel raised {described(error)}",)), error
        if bits["x"].size > 0:
            for name, array in found.items():
                np.copyto(bits[name], array, casting="equiv")
        return Reply(Status.RETURNED), None

    def _invoke(self, call, bits, forms):
        given = {}
        for name in INPUTS:
            if name in bits:
                one = bits[name][0] if name in ("gamma", "beta") else bits[name]
                given[name] = arrays_of.give(one, forms[name], self.arrays, self.device)
        accepted = self._accepted
        for name in ("residual", "gamma", "beta"):
            if accepted is None or name in accepted:
                given.setdefault(name, None)
        if accepted is not None and "threads" in accepted:
            given["threads"] = call.threads
        given["eps"] = call.eps
        if accepted is not None and "x" not in accepted:
            return self.fn(given.pop("x"), **given)
        return self.fn(**given)

    def _outputs(self, result, bits, forms):
        """What fn returned, by name, checked against what the call asks for."""
        named = self._named(result)
        found = {}
        for name in OUTPUTS:
            if name not in bits:
                continue
            if named.get(name) is None:
                raise arrays_of.WrongOutput(f"{name} is missing; the kernel says that it returns {self._returned()}")
            found[name] = arrays_of.take(name, named[name], forms[name], bits[name].shape, name in SAVED)
        return found

    def _named(self, result):
        if isinstance(result, dict):
            unknown = sorted(map(str, set(result) - set(OUTPUTS)))
            if unknown:
                raise arrays_of.WrongOutput(f"there is no output {unknown[0]}; expected some of {', '.join(OUTPUTS)}")
            return result
        if not isinstance(result, (tuple, list)):
            if len(self.returns) > 1:
                raise arrays_of.WrongOutput(f"one value of type {type(result).__name__}, not {self._returned()}")
            return {self.returns[0]: result}
        if len(result) != len(self.returns):
            raise arrays_of.WrongOutput(f"{len(result)} values; the kernel says that it returns {self._returned()}")
        return dict(zip(self.returns, result))

    def _returned(self):
        return ", ".join(self.returns)


def described(error):
    """An exception in one line: its type, the first line of its text, and where it was raised."""
    said = traceback.format_exception_only(type(error), error)[-1].strip().split("\n")[0]
    frames = traceback.extract_tb(error.__traceback__)
    inner = [one for one in frames if os.path.dirname(one.filename) != os.path.dirname(__file__)]
    place = f" ({os.path.basename(inner[-1].filename)}, line {inner[-1].lineno})" if inner else ""
    return one_line(said)[:400] + place
