"""The memory that is shared with the harness, and tensors in it as arrays."""

from __future__ import annotations

import mmap

import numpy as np

from .errors import ProtocolError
from .formats import BY_NUMBER


class SharedMemory:
    """The file behind a descriptor, mapped; arrays of calls are views of it, so that what a kernel does to its inputs
    is seen by the harness."""

    def __init__(self, descriptor):
        self._descriptor = descriptor
        self._map = None
        self._bytes = 0

    def grow(self, size):
        """Maps the file anew where it is larger than what is mapped. Arrays that a kernel has kept hold the old map."""
        if size <= self._bytes:
            return
        try:
            self._map = mmap.mmap(self._descriptor, size)
        except (ValueError, OSError, OverflowError) as error:
            raise ProtocolError(f"cannot map {size} bytes of shared memory: {error}") from None
        self._bytes = size

    def array(self, name, tensor):
        """The tensor as a two-dimensional array of its storage, with its strides."""
        if tensor.format not in BY_NUMBER:
            raise ProtocolError(f"the harness sent {name} in format {tensor.format}; expected one of 0 to 3")
        storage = BY_NUMBER[tensor.format].storage
        if min(tensor.shape) < 0:
            raise ProtocolError(f"the harness sent {name} with the shape {tensor.shape}")
        if min(tensor.shape) == 0:
            return np.empty(tensor.shape, storage)
        strides = tuple(stride * storage.itemsize for stride in tensor.strides)
        try:
            return np.ndarray(tensor.shape, storage, self._map, tensor.offset, strides)
        except (ValueError, TypeError, OverflowError):
            raise ProtocolError(f"the harness sent {name} outside the shared memory of {self._bytes} bytes") from None
