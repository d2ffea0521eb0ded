"""ONNX: a trained network as a file for onnxruntime, with numbers of 32 bits or of 8."""

import logging
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

from dehusk.training.boilernet.net.network import Net

OPSET = 17
LEAVES = 7  # of the page that the export is traced on; any number will do


def write_onnx(net: Net, path: Path) -> None:
    """Write a network as it is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    net = net.cpu().eval()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the older exporter says so; the newer one fixes the number of leaves
        torch.onnx.export(
            net,
            (torch.zeros(LEAVES, net.recipe.width),),
            str(path),
            input_names=["dense"],
            output_names=["scores"],
            dynamic_axes={"dense": {0: "leaves"}, "scores": {0: "leaves"}},
            dynamo=False,
            opset_version=OPSET,
        )
    onnx.save(_anonymous(_with_entries(onnx.load(str(path)), net)), str(path))


def write_eight_bits(net: Net, path: Path) -> None:
    """Write a network with the weights of its LSTM layers in 8 bits; the table of tags and words stays."""
    with TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.onnx"
        write_onnx(net, whole)
        path.parent.mkdir(parents=True, exist_ok=True)
        logging.disable(logging.WARNING)  # which recommends a step that changes nothing here
        try:
            quantize_dynamic(str(whole), str(path), weight_type=QuantType.QInt8, op_types_to_quantize=["LSTM"])
        finally:
            logging.disable(logging.NOTSET)
    onnx.save(_anonymous(onnx.load(str(path))), str(path))


def _with_entries(model: onnx.ModelProto, net: Net) -> onnx.ModelProto:
    """Put the dense layer before the rest, as sums of the few rows of its table that a leaf needs.

    Of a thousand inputs some twenty are not 0, so that adding those up takes a fiftieth of the time of a product.
    """
    table = net.dense.weight.detach().numpy().T.copy()
    constants = {"table": table, "shift": net.dense.bias.detach().numpy(), "width": np.array([net.recipe.width])}
    nodes = [
        helper.make_node("Gather", ["table", "columns"], ["gathered"]),
        helper.make_node("Mul", ["gathered", "values"], ["parts"]),
        helper.make_node("Concat", ["leaves", "width"], ["shape"], axis=0),
        helper.make_node("ConstantOfShape", ["shape"], ["zeros"]),
        helper.make_node("ScatterND", ["zeros", "rows", "parts"], ["sums"], reduction="add"),
        helper.make_node("Add", ["sums", "shift"], ["dense"]),
    ]
    graph = model.graph
    old = list(graph.node)
    del graph.node[:], graph.input[:]
    graph.node.extend([*nodes, *old])
    graph.initializer.extend(numpy_helper.from_array(value, name) for name, value in constants.items())
    graph.input.extend(
        [
            helper.make_tensor_value_info("rows", TensorProto.INT64, ["entries", 1]),
            helper.make_tensor_value_info("columns", TensorProto.INT64, ["entries"]),
            helper.make_tensor_value_info("values", TensorProto.FLOAT, ["entries", 1]),
            helper.make_tensor_value_info("leaves", TensorProto.INT64, [1]),
        ]
    )
    helper.set_model_props(model, {"width": str(len(table))})
    onnx.checker.check_model(model)
    return model


def _anonymous(model: onnx.ModelProto) -> onnx.ModelProto:
    """Take out what names the machine's folders, so that the same weights give the same file anywhere."""
    for node in model.graph.node:
        node.ClearField("doc_string")
        del node.metadata_props[:]
    return model
