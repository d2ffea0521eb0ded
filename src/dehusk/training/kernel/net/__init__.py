"""Everything that needs torch: batches, the network, losses, fit. Nothing outside of this folder imports it."""
