"""Engines: where the work on a corpus is done. What is done, and so the corpus, is the same on all of them."""
