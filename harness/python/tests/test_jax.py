"""JAX callables, unchanged, where JAX is installed."""

import unittest

import numpy as np
import stub

import normcheck
from normcheck.memory import SharedMemory
from normcheck.protocol import Status, unpack_call

try:
    import jax
    import jax.numpy as jnp
except ImportError as error:
    raise unittest.SkipTest(f"JAX is not installed: {error}") from None


@jax.jit
def rms(x, gamma=None, eps=0):
    wide = x.astype(jnp.float32)
    y = wide * jax.lax.rsqrt(jnp.mean(wide * wide, axis=1, keepdims=True) + eps)
    return (y if gamma is None else y * gamma.astype(jnp.float32)).astype(x.dtype)


class Jax(unittest.TestCase):
    def test_every_pattern_of_16_bits_goes_through_unchanged(self):
        for form, dtype in (("f16", jnp.float16), ("bf16", jnp.bfloat16)):
            memory = stub.Memory(1 << 20)
            x, y = memory.place(form, (256, 256), col_stride=2), memory.place(form, (256, 256))
            x.array.view(np.uint16)[...] = np.arange(1 << 16, dtype=np.uint16).reshape(256, 256)
            seen = []
            kernel = normcheck.Kernel(lambda x, eps: seen.append(x.dtype) or x, "rms", arrays="jax", formats=form)
            message = stub.call_message({"x": x, "y": y}, memory_bytes=memory.size)
            reply, _ = kernel.run(unpack_call(message), SharedMemory(memory.descriptor))
            self.assertEqual((reply.status, reply.rules), (Status.RETURNED, ()))
            self.assertEqual(seen, [dtype])
            self.assertTrue((x.array.view(np.uint16) == y.array.view(np.uint16)).all())

    def test_rms_of_jax(self):
        contract = "rms rsqrt=ulp:2 subnormals=flush_both"
        normcheck.verify(rms, contract, arrays="jax", formats="f32,f16,bf16", rows=[1, 3], cols=[1, 5, 128])

    def test_f64_is_refused_unless_jax_has_it(self):
        if jax.config.jax_enable_x64:
            self.skipTest("jax_enable_x64 is set")
        report = normcheck.verify(rms, "rms", arrays="jax", formats="f64", cases=3, check=False)
        self.assertEqual(report.verdict, "unsupported")
        self.assertIn("JAX has no f64 unless jax_enable_x64 is set", report.reasons("unsupported"))


if __name__ == "__main__":
    unittest.main()
