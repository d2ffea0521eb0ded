"""Networks for dehusk, which finds them here: one folder per network."""
