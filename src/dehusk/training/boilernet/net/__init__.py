"""Everything that needs torch: batches, the network, fit, ONNX; imported only inside functions elsewhere."""
