"""ONNX: a trained network as a file for onnxruntime, with weights of 32 or 8 bits."""

import logging
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

from dehusk.methods.boilernet.onnx import TABLE
from dehusk.training.boilernet.net.narrow import NarrowNet
from dehusk.training.boilernet.net.network import LeafNet
from dehusk.training.columns import Floats

OPSET = 17
LEAVES = 7  # of the page that is traced; any number will do


def write_onnx(net: LeafNet, path: Path) -> None:
    """Write a network with its first layer in the same file: all that a browser needs."""
    _trace(net, path)
    onnx.save(_anonymous(_with_entries(onnx.load(str(path)), net)), str(path))


def write_eight_bits(net: NarrowNet, path: Path) -> None:
    """Write a network with the weights of its LSTM layers in 8 bits, and the table of tags and words beside it."""
    with TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.onnx"
        _trace(net, whole)
        path.parent.mkdir(parents=True, exist_ok=True)
        logging.disable(logging.WARNING)  # recommends a step that changes nothing here
        try:
            quantize_dynamic(str(whole), str(path), weight_type=QuantType.QInt8, op_types_to_quantize=["LSTM"])
        finally:
            logging.disable(logging.NOTSET)
    _save_beside_table(net, onnx.load(str(path)), path)


def write_eight_bit_weights(net: LeafNet, path: Path) -> None:
    """Write a network with the weights of its LSTM layers in 8 bits, one scale per row, and all products in 32 bits.

    Inputs that are counts can be large, and 8 bits for those would be too few.
    """
    _trace(net, path)
    model = onnx.load(str(path))
    graph = model.graph
    layers = {name for node in graph.node if node.op_type in ("LSTM", "GRU") for name in node.input[1:3]}
    weights = {each.name: numpy_helper.to_array(each) for each in graph.initializer if each.name in layers}
    others = [each for each in graph.initializer if each.name not in weights]
    nodes = []
    for name, weight in weights.items():
        rows = weight.reshape(-1, weight.shape[-1])
        scale = np.maximum(np.abs(rows).max(axis=1), 1e-12).astype(np.float32) / 127
        parts = {
            "rows": np.rint(rows / scale[:, None]).astype(np.int8),
            "scale": scale,
            "shape": np.array(weight.shape),
        }
        others += [numpy_helper.from_array(value, f"{name}.{part}") for part, value in parts.items()]
        inside = [f"{name}.{part}" for part in ("rows", "scale")]
        nodes.append(helper.make_node("DequantizeLinear", inside, [f"{name}.whole"], axis=0))
        nodes.append(helper.make_node("Reshape", [f"{name}.whole", f"{name}.shape"], [name]))
    old = list(graph.node)
    del graph.node[:], graph.initializer[:]
    graph.node.extend([*nodes, *old])
    graph.initializer.extend(others)
    _save_beside_table(net, model, path)


def _save_beside_table(net: LeafNet | NarrowNet, model: onnx.ModelProto, path: Path) -> None:
    table = _table(net)
    helper.set_model_props(model, {"width": str(len(table))})
    onnx.checker.check_model(model)
    onnx.save(_anonymous(model), str(path))
    np.savez(path.with_name(TABLE), added=table, begin=net.dense.bias.detach().numpy())


def _trace(net: LeafNet | NarrowNet, path: Path) -> None:
    """Write everything after the dense layer."""
    path.parent.mkdir(parents=True, exist_ok=True)
    net = net.cpu().eval()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about the older exporter; the newer one fixes the number of leaves
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


def _table(net: LeafNet | NarrowNet) -> Floats:
    """Return the weights of the dense layer, one row per input."""
    table: Floats = net.dense.weight.detach().numpy().T.copy()
    return table


def _with_entries(model: onnx.ModelProto, net: LeafNet) -> onnx.ModelProto:
    """Prepend the dense layer, as sums of the few rows of its table that a leaf needs.

    Of a thousand inputs some twenty are not 0, so summing those takes a fiftieth of the time of a product.
    """
    table = _table(net)
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
    """Remove the paths of this machine, so that the same weights give the same file anywhere."""
    for node in model.graph.node:
        node.ClearField("doc_string")
        del node.metadata_props[:]
    return model
