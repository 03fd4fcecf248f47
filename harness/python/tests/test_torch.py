"""PyTorch callables, unchanged, where PyTorch is installed."""

import unittest

import numpy as np
import stub

import normcheck
from normcheck.memory import SharedMemory
from normcheck.protocol import Status, unpack_call

try:
    import torch
except ImportError as error:
    raise unittest.SkipTest(f"PyTorch is not installed: {error}") from None

SOME = dict(rows=[1, 3], cols=[1, 5, 128])


def layer_norm(x, gamma=None, beta=None, eps=0):
    return torch.nn.functional.layer_norm(x, (x.shape[1],), gamma, beta, eps)


def layer_norm_16(x, gamma=None, beta=None, eps=0):
    wide = (None if one is None else one.float() for one in (x, gamma, beta))
    return layer_norm(*wide, eps).to(x.dtype)


class Torch(unittest.TestCase):
    def run_once(self, fn, form, shape=(256, 256), **options):
        memory = stub.Memory(1 << 20)
        x = memory.place(form, shape, row_stride=2 * shape[1] + 5, col_stride=2)
        y = memory.place(form, shape)
        x.array.view(np.uint16)[...] = np.arange(shape[0] * shape[1], dtype=np.uint16).reshape(shape)
        kernel = normcheck.Kernel(fn, "rms", arrays="torch", formats=form, **options)
        message = stub.call_message({"x": x, "y": y}, memory_bytes=memory.size)
        reply, _ = kernel.run(unpack_call(message), SharedMemory(memory.descriptor))
        return reply, x.array.view(np.uint16), y.array.view(np.uint16)

    def test_every_pattern_of_16_bits_goes_through_unchanged_with_its_strides(self):
        for form, dtype in (("f16", torch.float16), ("bf16", torch.bfloat16)):
            for device in (None, "cpu"):
                seen = []
                reply, x, y = self.run_once(
                    lambda x, eps: seen.append((x.dtype, x.stride())) or x.clone(), form, device=device
                )
                self.assertEqual((reply.status, reply.rules), (Status.RETURNED, ()))
                self.assertEqual(seen, [(dtype, (517, 2))])
                self.assertTrue((x == y).all())

    def test_another_dtype_is_refused_naming_both(self):
        reply, _, _ = self.run_once(lambda x, eps: x.double(), "bf16", (2, 2))
        self.assertIn("y has dtype float64; the call asks for bfloat16 (bf16)", reply.rules[0])

    def test_tensors_that_require_gradients_will_do(self):
        weight = torch.nn.Parameter(torch.ones(1, dtype=torch.float16))
        reply, x, y = self.run_once(lambda x, eps: x * weight, "f16", (2, 2))
        self.assertEqual((reply.status, reply.rules), (Status.RETURNED, ()))

    def test_layer_norm_of_torch(self):
        contract = "layer beta=add variance=welford apply=folded"
        normcheck.verify(layer_norm, contract, arrays="torch", **SOME)
        normcheck.verify(layer_norm_16, contract, arrays="torch", formats="f16,bf16", **SOME)

    def test_an_exception_of_torch_is_a_finding(self):
        with self.assertRaisesRegex(normcheck.KernelFailed, "raised RuntimeError"):
            normcheck.verify(lambda x, gamma, eps: x @ x, "rms", arrays="torch", cols=[4], rows=[3], cases=3)


if __name__ == "__main__":
    unittest.main()
