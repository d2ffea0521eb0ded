"""Language models for dehusk, which finds them here: pyplexity/<language>/."""
