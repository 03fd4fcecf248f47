"""LayerNormalization of ONNX Runtime, where it and onnx, which writes the model, are installed."""

import functools
import unittest

import numpy as np

import normcheck

try:
    import onnxruntime
    from onnx import TensorProto, helper
except ImportError as error:
    raise unittest.SkipTest(f"ONNX Runtime or onnx is not installed: {error}") from None


@functools.lru_cache(maxsize=None)
def session(eps, inputs):
    def value(name, shape):
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)

    outputs = ["y", "mean", "rstd"]
    node = helper.make_node("LayerNormalization", list(inputs), outputs, axis=-1, epsilon=eps)
    places = [value(name, ["rows", "cols"] if name == "x" else ["cols"]) for name in inputs]
    results = [value(name, ["rows", "cols" if name == "y" else 1]) for name in outputs]
    model = helper.make_model(
        helper.make_graph([node], "norm", places, results), opset_imports=[helper.make_opsetid("", 17)], ir_version=8
    )
    return onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])


def layer_norm(x, gamma=None, beta=None, eps=0):
    if x.shape[1] == 0:
        raise normcheck.Unsupported("ONNX Runtime takes no rows without columns")
    given = {"x": np.ascontiguousarray(x), "gamma": np.ones(x.shape[1], np.float32) if gamma is None else gamma}
    if beta is not None:
        given["beta"] = beta
    return session(eps, tuple(given)).run(None, given)


class OnnxRuntime(unittest.TestCase):
    def test_layer_normalization(self):
        report = normcheck.verify(layer_norm, "layer beta=add variance=welford", returns="y,mean,rstd", cases=200)
        self.assertEqual(report.verdict, "pass")


if __name__ == "__main__":
    unittest.main()
