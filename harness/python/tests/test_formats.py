"""Conversions of bf16 as bits, over all 16-bit patterns."""

import unittest

import numpy as np

from normcheck import from_bf16, to_bf16
from normcheck.formats import ml_bfloat16

CODES = np.arange(1 << 16, dtype=np.uint16)
IS_NAN = (CODES & 0x7FFF) > 0x7F80


def value_of(code):
    """The value of a finite code by the definition: 8 exponent bits of bias 127, 7 significand bits."""
    exponent, significand = (code >> 7) & 0xFF, code & 0x7F
    magnitude = significand * 2.0**-133 if exponent == 0 else (128 + significand) * 2.0 ** (exponent - 134)
    return -magnitude if code & 0x8000 else magnitude


class FromBf16(unittest.TestCase):
    def test_every_code_has_its_value(self):
        wide = from_bf16(CODES)
        self.assertEqual(wide.dtype, np.float32)
        for code in range(1 << 16):
            if code & 0x7F80 != 0x7F80:
                self.assertEqual(float(wide[code]), value_of(code))
        self.assertTrue(np.isnan(wide[IS_NAN]).all())
        self.assertEqual(float(wide[0x7F80]), np.inf)
        self.assertEqual(float(wide[0xFF80]), -np.inf)

    def test_takes_strided_and_refuses_floats(self):
        self.assertEqual(from_bf16(CODES.reshape(256, 256)[::2, ::3])[1, 1], from_bf16(CODES)[515])
        with self.assertRaisesRegex(TypeError, "float32"):
            from_bf16(np.ones(3, np.float32))


class ToBf16(unittest.TestCase):
    def test_every_code_comes_back(self):
        back = to_bf16(from_bf16(CODES))
        self.assertTrue((back[~IS_NAN] == CODES[~IS_NAN]).all())
        self.assertTrue(((back[IS_NAN] & 0x7FFF) > 0x7F80).all())

    def test_rounds_to_nearest_even_round_every_midpoint(self):
        low = np.arange(0x7F80, dtype=np.uint32)  # all finite magnitudes, and the next one
        middle = (low << 16) | 0x8000
        for sign in (np.uint32(0), np.uint32(0x8000)):
            for step, expected in ((-1, low), (0, low + (low & 1)), (1, low + 1)):
                values = ((middle + np.uint32(step & 0xFFFFFFFF)) | (sign << 16)).astype(np.uint32).view(np.float32)
                self.assertTrue((to_bf16(values) == (expected | sign)).all(), (sign, step))

    def test_the_largest_values_round_to_infinity(self):
        self.assertEqual(to_bf16(np.float32([np.finfo(np.float32).max]))[0], 0x7F80)

    def test_a_nan_whose_payload_is_low_stays_one(self):
        self.assertEqual(to_bf16(np.uint32([0x7F800001]).view(np.float32))[0], 0x7FC0)

    def test_shapes_stay_and_other_dtypes_are_refused(self):
        self.assertEqual(to_bf16(np.ones((2, 3), np.float32)[:, ::2]).shape, (2, 2))
        self.assertEqual(to_bf16(np.float32(1)).shape, ())
        with self.assertRaisesRegex(TypeError, "float64"):
            to_bf16(np.ones(3))

    @unittest.skipIf(ml_bfloat16 is None, "ml_dtypes is not installed")
    def test_agrees_with_ml_dtypes(self):
        bits = (np.uint32(CODES) << 16) | np.uint32(0x8000)
        values = bits.view(np.float32)[~IS_NAN]
        with np.errstate(invalid="ignore"):
            expected = values.astype(ml_bfloat16).view(np.uint16)
        self.assertTrue((to_bf16(values) == expected).all())
        self.assertTrue((from_bf16(CODES.view(ml_bfloat16))[~IS_NAN] == from_bf16(CODES)[~IS_NAN]).all())


if __name__ == "__main__":
    unittest.main()
