"""Models: the weights, a folder each, and the table of all methods."""
