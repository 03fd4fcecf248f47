"""Calls of a kernel on tensors in shared memory: what it is given, what becomes of what it returns, what is refused."""

import functools
import unittest
import warnings

import numpy as np
import stub

import normcheck
from normcheck import Kernel
from normcheck.memory import SharedMemory
from normcheck.protocol import Status, unpack_call


def run(fn, tensors, memory, returns="y", eps=1e-6, threads=1, **options):
    kernel = Kernel(fn, "rms", returns=returns, **options)
    message = stub.call_message(tensors, eps=eps, threads=threads, memory_bytes=memory.size)
    return kernel.run(unpack_call(message), SharedMemory(memory.descriptor))[0]


def untouched(memory, tensors):
    """The bytes of the memory, those of the tensors' elements apart."""
    kept = memory.bytes.copy()
    for tensor in tensors:
        rows, cols = tensor.shape
        size = tensor.array.itemsize
        for row in range(rows):
            for col in range(cols):
                start = tensor.offset + size * (row * tensor.strides[0] + col * tensor.strides[1])
                kept[start : start + size] = 0xA5
    return (kept == 0xA5).all()


class Inputs(unittest.TestCase):
    def setUp(self):
        self.memory = stub.Memory()
        self.x = self.memory.place("f32", (2, 3), [[1, 2, 3], [4, 5, 6]])
        self.y = self.memory.place("f32", (2, 3))

    def test_arguments_go_by_name_and_absent_ones_are_none(self):
        seen = {}

        def fn(x, gamma=0, beta=0, residual=0, eps=0, threads=0):
            seen.update(gamma=gamma, beta=beta, residual=residual, eps=eps, threads=threads, x=x.copy())
            return x

        gamma = self.memory.place("f32", (1, 3), [[7, 8, 9]])
        reply = run(fn, {"x": self.x, "y": self.y, "gamma": gamma}, self.memory, eps=0.5, threads=3)
        self.assertEqual((reply.status, reply.rules), (Status.RETURNED, ()))
        self.assertEqual(seen["x"].tolist(), [[1, 2, 3], [4, 5, 6]])
        self.assertEqual(seen["gamma"].tolist(), [7, 8, 9])
        self.assertIsNone(seen["beta"])
        self.assertIsNone(seen["residual"])
        self.assertEqual((seen["eps"], seen["threads"]), (0.5, 3))
        self.assertEqual(self.y.array.tolist(), [[1, 2, 3], [4, 5, 6]])

    def test_only_what_it_takes_is_passed_unless_a_tensor_is_there(self):
        tensors = {"x": self.x, "y": self.y}
        self.assertEqual(run(lambda data, eps: data, tensors, self.memory).status, Status.RETURNED)
        self.assertEqual(run(lambda *, eps, x: x, tensors, self.memory).status, Status.RETURNED)
        seen = {}
        self.assertEqual(run(lambda x, **rest: seen.update(rest) or x, tensors, self.memory).status, Status.RETURNED)
        self.assertEqual(seen, {"gamma": None, "beta": None, "residual": None, "eps": 1e-6})
        tensors["beta"] = self.memory.place("f32", (1, 3), [[0, 0, 0]])
        reply = run(lambda x, eps: x, tensors, self.memory)
        self.assertIn("unexpected keyword argument 'beta'", reply.rules[0])

    def test_strides_and_offsets_are_honoured_and_nothing_else_is_written(self):
        x = self.memory.place("f16", (3, 4), np.arange(12).reshape(3, 4), row_stride=17, col_stride=3, first=5)
        y = self.memory.place("f16", (3, 4), np.zeros((3, 4)), row_stride=11, col_stride=2, first=1)

        def fn(x, eps):
            self.assertEqual(x.strides, (34, 6))
            return (x * np.float16(2)).astype(np.float16)

        tensors = {"x": x, "y": y}
        self.assertEqual(run(fn, tensors, self.memory, formats="f16").status, Status.RETURNED)
        self.assertEqual(y.array.tolist(), (2 * np.arange(12).reshape(3, 4)).tolist())
        self.assertTrue(untouched(self.memory, [self.x, self.y, x, y]))

    def test_a_kernel_that_writes_to_its_input_is_seen(self):
        def fn(x, eps):
            x += 1
            return x

        run(fn, {"x": self.x, "y": self.y}, self.memory)
        self.assertEqual(self.x.array[0, 0], 2)

    def test_y_on_x_may_overlap(self):
        reply = run(lambda x, eps: x[:, ::-1], {"x": self.x, "y": self.x}, self.memory)
        self.assertEqual(reply.status, Status.RETURNED)
        self.assertEqual(self.x.array.tolist(), [[3, 2, 1], [6, 5, 4]])

    def test_every_pattern_of_16_bits_goes_through_unchanged(self):
        for form in ("f16", "bf16"):
            memory = stub.Memory(1 << 19)
            codes = np.arange(1 << 16, dtype=np.uint16).reshape(256, 256)
            x = memory.place(form, (256, 256))
            x.array.view(np.uint16)[...] = codes
            y = memory.place(form, (256, 256), row_stride=300)
            reply = run(lambda x, eps: x, {"x": x, "y": y}, memory, formats=form)
            self.assertEqual(reply.status, Status.RETURNED)
            self.assertTrue((y.array.view(np.uint16) == codes).all())

    def test_memory_that_has_grown_is_mapped_anew(self):
        shared = SharedMemory(self.memory.descriptor)
        kernel = Kernel(lambda x, eps: x, "rms")
        kernel.run(unpack_call(stub.call_message({"x": self.x, "y": self.y})), shared)
        self.memory.grow(1 << 20)
        self.memory.next = (1 << 20) - 256
        y = self.memory.place("f32", (2, 3))
        message = stub.call_message({"x": self.x, "y": y}, memory_bytes=1 << 20)
        self.assertEqual(kernel.run(unpack_call(message), shared)[0].status, Status.RETURNED)
        self.assertEqual(y.array.tolist(), self.x.array.tolist())


class Outputs(unittest.TestCase):
    def setUp(self):
        self.memory = stub.Memory()
        self.tensors = {
            "x": self.memory.place("f32", (2, 3), np.ones((2, 3))),
            "y": self.memory.place("f32", (2, 3)),
            "mean": self.memory.place("f64", (2, 1)),
            "rstd": self.memory.place("f64", (2, 1)),
        }
        self.only_y = {name: self.tensors[name] for name in ("x", "y")}

    def rule(self, result, tensors=None, returns="y", formats=None):
        reply = run(lambda x, eps: result, tensors or self.only_y, self.memory, returns, formats=formats)
        self.assertEqual(reply.status, Status.FAILED)
        self.assertEqual(len(reply.rules), 1)
        self.assertTrue(untouched(self.memory, [self.tensors["x"]]), "something was written")
        return reply.rules[0]

    def test_another_dtype_is_refused_naming_both(self):
        rule = self.rule(np.ones((2, 3)))
        self.assertIn("y has dtype float64; the call asks for float32 (f32)", rule)
        self.assertIn("float16", self.rule(np.ones((2, 3), np.float16)))
        self.assertIn("uint16", self.rule(np.ones((2, 3), np.uint16)))

    def test_another_shape_is_refused_naming_both(self):
        self.assertIn("y has shape (6,); the call asks for (2, 3)", self.rule(np.ones(6, np.float32)))
        self.assertIn("y has shape (1, 3)", self.rule(np.ones((1, 3), np.float32)))

    def test_what_is_no_array_is_refused(self):
        self.assertIn("y is no array but 'text' of type str", self.rule("text"))
        self.assertIn("y is missing", self.rule(None))
        self.assertIn("2 values; the kernel says that it returns y", self.rule((1, 2)))

    def test_several_outputs_by_place_or_by_name(self):
        y = np.full((2, 3), 2, np.float32)
        mean, rstd = np.array([3.0, 4.0]), np.array([[5.0], [6.0]])
        returns = "y, mean, rstd"
        for result in ((y, mean, rstd), {"rstd": rstd, "mean": mean, "y": y}):
            self.tensors["mean"].array[...] = 0
            reply = run(lambda x, eps: result, self.tensors, self.memory, returns)
            self.assertEqual((reply.status, reply.rules), (Status.RETURNED, ()))
            self.assertEqual(self.tensors["mean"].array.tolist(), [[3], [4]])
            self.assertEqual(self.tensors["rstd"].array.tolist(), [[5], [6]])

    def test_outputs_that_are_wrong_as_a_whole(self):
        y, one = np.ones((2, 3), np.float32), np.ones(2)
        returns = ("y", "mean", "rstd")
        self.assertIn("not y, mean, rstd", self.rule(y, self.tensors, returns))
        self.assertIn("mean is missing", self.rule({"y": y, "rstd": one}, self.tensors, returns))
        self.assertIn("there is no output std", self.rule({"y": y, "std": one}, self.tensors, returns))
        rule = self.rule((y, one, one.astype(np.float32)), self.tensors, returns)
        self.assertIn("rstd has dtype float32; the call asks for float64 (f64)", rule)
        self.assertIn("mean has shape (3,)", self.rule((y, np.ones(3), one), self.tensors, returns))

    def test_big_endian_arrays_have_the_same_values(self):
        reply = run(lambda x, eps: x.astype(">f4"), self.only_y, self.memory)
        self.assertEqual(reply.status, Status.RETURNED)
        self.assertEqual(self.tensors["y"].array.tolist(), [[1, 1, 1], [1, 1, 1]])

    def test_an_array_of_another_library_comes_by_dlpack(self):
        class Other:
            def __init__(self, array):
                self.array = array

            def __dlpack__(self, **options):
                return self.array.__dlpack__(**options)

            def __dlpack_device__(self):
                return self.array.__dlpack_device__()

        reply = run(lambda x, eps: Other(np.full((2, 3), 7, np.float32)), self.only_y, self.memory)
        self.assertEqual((reply.status, reply.rules), (Status.RETURNED, ()))
        self.assertEqual(self.tensors["y"].array.tolist(), [[7, 7, 7], [7, 7, 7]])

    def test_calls_without_elements_write_nothing(self):
        for shape in ((0, 3), (2, 0), (0, 0)):
            tensors = {name: self.memory.place("f32", shape) for name in ("x", "y")}
            tensors["rstd"] = self.memory.place("f32", (shape[0], 1))
            reply = run(lambda x, eps: (x, np.zeros(len(x), np.float32)), tensors, self.memory, "y,rstd")
            self.assertEqual((reply.status, reply.rules), (Status.RETURNED, ()))
            self.assertTrue(untouched(self.memory, [self.tensors["x"]]))


class Endings(unittest.TestCase):
    def setUp(self):
        self.memory = stub.Memory()
        self.tensors = {"x": self.memory.place("f32", (1, 1), 1), "y": self.memory.place("f32", (1, 1))}

    def reply(self, error):
        def fn(x, eps):
            raise error

        return run(fn, self.tensors, self.memory)

    def test_an_exception_is_a_rule_of_one_line(self):
        reply = self.reply(ValueError("bad\x1b[31m\nsecond line"))
        self.assertEqual(reply.status, Status.FAILED)
        self.assertRegex(reply.rules[0], r"^the kernel raised ValueError: bad \[31m \(test_kernel.py, line \d+\)$")

    def test_an_exit_ends_the_call_only(self):
        self.assertIn("raised SystemExit: 3", self.reply(SystemExit(3)).rules[0])

    def test_unsupported_is_a_refusal(self):
        reply = self.reply(normcheck.Unsupported("no rows"))
        self.assertEqual((reply.status, reply.text, reply.rules), (Status.REFUSED, "no rows", ()))
        self.assertNotEqual(self.reply(normcheck.Unsupported()).text, "")

    def test_floating_point_warnings_are_off(self):
        def fn(x, eps):
            np.mean(x[:0])
            return x / np.float32(0)

        with np.errstate(all="raise"), warnings.catch_warnings():
            warnings.simplefilter("error")
            reply = run(fn, self.tensors, self.memory)
        self.assertEqual((reply.status, reply.rules), (Status.RETURNED, ()))


class Declarations(unittest.TestCase):
    def fn(self, x, gamma=None, eps=0):
        return x

    def test_formats_are_those_of_the_contract_unless_named(self):
        self.assertEqual(Kernel(self.fn, "rms").formats, ("f32",))
        self.assertEqual(Kernel(self.fn, "layer x=bf16").formats, ("bf16",))
        self.assertEqual(Kernel(self.fn, "layer x=bf16", formats="f16, f64").supports, 4 + 1 + 256 + 512)
        self.assertEqual(Kernel(self.fn, "rms", returns="y,residual_out,rstd").supports, 2)

    def test_names(self):
        self.assertEqual(Kernel(functools.partial(self.fn, gamma=None), "rms").name, "fn")
        self.assertEqual(Kernel(lambda x, eps: x, "rms").name, "lambda")
        self.assertEqual(Kernel(self.fn, "rms", name="my.norm-2").name, "my.norm-2")

    def test_what_cannot_be_used_is_named(self):
        wrong = (
            (dict(fn=3), "not callable"),
            (dict(fn=lambda x: x), "takes no argument eps"),
            (dict(contract=""), "expected a text"),
            (dict(contract="rms " * 300), "longer than 1000 bytes"),
            (dict(name="a b"), "'a b'; expected 1 to 64 letters"),
            (dict(formats="f32,f8"), "'f8' is none; expected some of f64, f32, f16, bf16"),
            (dict(formats=[]), "names none"),
            (dict(returns="y,std"), "'std' is no output"),
            (dict(returns="mean,rstd"), "expected y among them"),
            (dict(returns="y,y"), "each once"),
            (dict(returns="y,mean"), "mean without rstd"),
            (dict(arrays="cupy"), "'cupy' is not known; expected one of 'numpy', 'torch', 'jax'"),
            (dict(device="cuda"), "NumPy has none"),
        )
        for change, text in wrong:
            with self.assertRaises(normcheck.InputError) as raised:
                Kernel(**{**dict(fn=self.fn, contract="rms"), **change})
            self.assertIn(text, str(raised.exception))


if __name__ == "__main__":
    unittest.main()
