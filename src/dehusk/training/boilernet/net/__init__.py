"""Everything that needs torch: batches, the network, fit, ONNX. Nothing outside of this folder imports it."""
