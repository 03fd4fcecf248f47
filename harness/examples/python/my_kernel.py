"""A kernel in NumPy, served to the harness:

    PYTHONPATH=harness/python normcheck verify --exec 'python3 harness/examples/python/my_kernel.py'
"""

import numpy as np

import normcheck


def rms(x, gamma=None, eps=1e-6):
    """RMSNorm: float32 in and out, with sums and all steps in float64."""
    wide = x.astype(np.float64)
    y = wide / np.sqrt(np.mean(wide * wide, axis=1, keepdims=True) + eps)
    if gamma is not None:
        y = y * gamma
    return y.astype(np.float32)


if __name__ == "__main__":
    normcheck.serve(rms, "rms acc=f64 range=full")
