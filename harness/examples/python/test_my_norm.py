"""Tests of kernels by the harness. Nothing is to be configured: run `python -m pytest test_my_norm.py`, or without
pytest `python test_my_norm.py`. A failure shows the case line that reproduces it."""

import numpy as np

import normcheck
from my_kernel import rms


def layer_norm(x, gamma=None, beta=None, eps=1e-5):
    """LayerNorm in float32 throughout, with NumPy's pairwise sums and saved statistics."""
    mean = np.mean(x, axis=1, keepdims=True)
    centred = x - mean
    rstd = 1 / np.sqrt(np.mean(centred * centred, axis=1, keepdims=True) + np.float32(eps))
    y = centred * rstd
    if gamma is not None:
        y = y * gamma
    if beta is not None:
        y = y + beta
    return y, mean, rstd


def test_rms():
    normcheck.verify(rms, "rms acc=f64 range=full")


def test_layer_norm():
    # reduce=any is the default, and covers pairwise sums.
    report = normcheck.verify(layer_norm, "layer beta=add", returns="y,mean,rstd")
    assert report.verdict == "pass" and report.cases > 400


if __name__ == "__main__":
    test_rms()
    test_layer_norm()
    print("both kernels keep their contracts")
