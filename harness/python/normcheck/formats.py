"""The number formats, how NumPy stores them, and bf16, which NumPy does not know, as 16-bit codes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

try:
    from ml_dtypes import bfloat16 as ml_bfloat16
except ImportError:
    ml_bfloat16 = None


@dataclass(frozen=True)
class Format:
    """A row of the table: the name in contracts, the number in the protocol, and the dtype of NumPy that holds the
    bits (for bf16 its codes), which torch and jax call by the name `dtype_name`."""

    name: str
    number: int
    storage: np.dtype
    dtype_name: str


FORMATS = (
    Format("f64", 0, np.dtype("float64"), "float64"),
    Format("f32", 1, np.dtype("float32"), "float32"),
    Format("f16", 2, np.dtype("float16"), "float16"),
    Format("bf16", 3, np.dtype("uint16"), "bfloat16"),
)
BY_NAME = {one.name: one for one in FORMATS}
BY_NUMBER = {one.number: one for one in FORMATS}


def from_bf16(values):
    """bf16 as float32, exactly. Takes uint16 codes or an array of ml_dtypes.bfloat16, whichever a kernel is given."""
    codes = np.asarray(values)
    if codes.dtype.name == "bfloat16":
        codes = codes.view(np.uint16)
    if codes.dtype != np.uint16:
        raise TypeError(f"from_bf16 takes uint16 codes or ml_dtypes.bfloat16, not {codes.dtype}")
    return (codes.astype(np.uint32) << 16).view(np.float32)


def to_bf16(values):
    """float32 rounded once to bf16, to nearest and ties to even, as uint16 codes. Only float32 is taken, since float64
    would be rounded twice."""
    values = np.asarray(values)
    if values.dtype != np.float32:
        raise TypeError(f"to_bf16 takes float32, not {values.dtype}, which would be rounded twice")
    bits = np.atleast_1d(values).view(np.uint32)
    # Adding 0x7fff, and 1 more where the last kept bit is set, carries into the kept bits exactly where it rounds up.
    rounded = (bits + (np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1)))) >> np.uint32(16)
    quiet = (bits >> np.uint32(16)) | np.uint32(0x0040)
    codes = np.where(np.isnan(np.atleast_1d(values)), quiet, rounded).astype(np.uint16)
    return codes.reshape(values.shape)
