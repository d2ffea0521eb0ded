"""Benchmarks: run them with `make bench`; tests/test_speed.py holds what they measure to the project's targets."""
