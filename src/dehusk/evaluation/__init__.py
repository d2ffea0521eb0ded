"""Evaluation: corpora, metrics, other tools side by side, and reports."""
