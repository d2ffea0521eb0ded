"""A harness that looks for the next fault: mutated pages, interrupted commands, growing shapes (see README.md)."""
