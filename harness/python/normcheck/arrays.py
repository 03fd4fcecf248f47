"""Arrays of NumPy, PyTorch and JAX from storage bits and back. Nothing is rounded on the way: an array of another dtype
than the call asks for is an error of its own."""

from __future__ import annotations

import importlib

import numpy as np

from .errors import InputError, Unsupported
from .formats import ml_bfloat16

KINDS = ("numpy", "torch", "jax")


class WrongOutput(Exception):
    """What a kernel returned is not what the call asks for."""


def require_kind(kind, device):
    """Raises InputError where arrays of this kind cannot be made."""
    if kind not in KINDS:
        raise InputError(f"arrays={kind!r} is not known; expected one of {', '.join(map(repr, KINDS))}")
    if kind == "numpy" and device is not None:
        raise InputError("device= is for arrays='torch' and arrays='jax'; NumPy has none")
    if kind != "numpy":
        try:
            importlib.import_module(kind)
        except ImportError as error:
            raise InputError(f"arrays={kind!r}, but {kind} cannot be imported: {error}") from None


def to_numpy(bits, form):
    """f16 is NumPy's own; bf16 is ml_dtypes.bfloat16 where that is installed, else uint16 codes."""
    return bits.view(ml_bfloat16) if form.name == "bf16" and ml_bfloat16 is not None else bits


def to_torch(bits, form, device):
    """A tensor on the same memory, with its strides; on another device a copy with the same strides."""
    import torch

    if form.name == "bf16":
        tensor = torch.from_numpy(bits.view(np.int16)).view(torch.bfloat16)
    else:
        tensor = torch.from_numpy(bits)
    if device is None:
        return tensor
    there = torch.empty_strided(tensor.shape, tensor.stride(), dtype=tensor.dtype, device=device)
    return there.copy_(tensor)


def to_jax(bits, form, device):
    """A copy, since arrays of JAX have neither strides nor other owners."""
    import jax

    dense = np.array(to_numpy(bits, form))
    if form.name == "f64" and not jax.config.jax_enable_x64:
        raise Unsupported("JAX has no f64 unless jax_enable_x64 is set")
    if isinstance(device, str):
        device = jax.devices(device)[0]
    return jax.device_put(dense, device)


def give(bits, form, kind, device=None):
    """Storage as an array of the kernel's kind."""
    if kind == "torch":
        return to_torch(bits, form, device)
    if kind == "jax":
        return to_jax(bits, form, device)
    return to_numpy(bits, form)


def is_of(value, package):
    return type(value).__module__.split(".")[0] == package


def from_torch(tensor):
    import torch

    tensor = tensor.detach().cpu().resolve_neg().resolve_conj()
    if tensor.dtype == torch.bfloat16:
        return tensor.view(torch.int16).numpy().view(np.uint16), "bfloat16"
    return tensor.numpy(), str(tensor.dtype).replace("torch.", "")


def storage_and_dtype(name, value):
    """A returned array as storage, and the name of its dtype. Raises WrongOutput where it is no array."""
    if is_of(value, "torch") and hasattr(value, "detach"):
        return from_torch(value)
    if not isinstance(value, np.ndarray) and hasattr(value, "__dlpack__") and not hasattr(value, "__array__"):
        value = np.from_dlpack(value)
    elif isinstance(value, (np.ndarray, np.generic)) or hasattr(value, "__array__"):
        value = np.asarray(value)
    else:
        raise WrongOutput(f"{name} is no array but {value!r:.80} of type {type(value).__name__}")
    if value.dtype.name == "bfloat16":
        return value.view(np.uint16), "bfloat16"
    return value, value.dtype.name


def take(name, value, form, shape, statistic=False):
    """A returned array as storage of the format and shape that the call asks for, a statistic also with one dimension.
    Raises WrongOutput naming both where it is another."""
    array, dtype = storage_and_dtype(name, value)
    is_codes = form.name == "bf16" and dtype == "uint16"
    if dtype != form.dtype_name and not is_codes:
        codes = " or its codes in uint16" if form.name == "bf16" else ""
        raise WrongOutput(
            f"{name} has dtype {dtype}; the call asks for {form.dtype_name} ({form.name}){codes}, "
            "and nothing is rounded for the kernel"
        )
    if array.shape == shape:
        return array
    if statistic and array.shape == shape[:1]:
        return array.reshape(shape)
    raise WrongOutput(f"{name} has shape {array.shape}; the call asks for {shape}")
