"""Everything that needs torch: batches, the network, losses, fit; imported only inside functions elsewhere."""
