"""Kernels that the end-to-end tests hand to the harness, right and wrong ones."""

import sys
import time

import numpy as np

import normcheck


def rms(x, gamma=None, eps=0):
    wide = x.astype(np.float64)
    y = wide / np.sqrt(np.mean(wide * wide, axis=1, keepdims=True) + eps)
    return (y if gamma is None else y * gamma).astype(x.dtype)


def eps_outside(x, gamma=None, eps=0):
    wide = x.astype(np.float64)
    y = wide / (np.sqrt(np.mean(wide * wide, axis=1, keepdims=True)) + eps)
    return (y if gamma is None else y * gamma).astype(x.dtype)


def raises(x, gamma=None, eps=0):
    if x.shape[1] == 5:
        raise RuntimeError("five columns are too many")
    return rms(x, gamma, eps)


def wrong_dtype(x, gamma=None, eps=0):
    return rms(x, gamma, eps).astype(np.float64)


def prints(x, gamma=None, eps=0):
    print("out", "x" * 10000)
    print("err", file=sys.stderr)
    return rms(x, gamma, eps)


def refuses(x, gamma=None, eps=0):
    raise normcheck.Unsupported("not today")


def sleeps(x, gamma=None, eps=0):
    if x.shape[1] > 100:
        time.sleep(3600)
    return rms(x, gamma, eps)


def loops(x, gamma=None, eps=0):
    while x.shape[1] > 100:
        pass
    return rms(x, gamma, eps)


def rms_bf16(x, gamma=None, eps=0):
    gamma = None if gamma is None else normcheck.from_bf16(gamma)
    return normcheck.to_bf16(rms(normcheck.from_bf16(x), gamma, eps))


def residual_layer(x, gamma=None, residual=None, eps=0):
    total = x.astype(np.float64) + residual
    mean = np.mean(total, axis=1, keepdims=True)
    centred = total - mean
    rstd = 1 / np.sqrt(np.mean(centred * centred, axis=1, keepdims=True) + eps)
    y = centred * rstd if gamma is None else centred * rstd * gamma
    return {"y": y.astype(np.float32), "residual_out": total.astype(np.float32), "mean": mean, "rstd": rstd}


if __name__ == "__main__":  # a host for --exec: which kernel, and its contract
    if sys.argv[1] == "dies":
        sys.exit("no GPU here")
    normcheck.serve(globals()[sys.argv[1]], sys.argv[2])
