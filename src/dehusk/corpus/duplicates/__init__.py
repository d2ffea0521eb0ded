"""Duplicates: documents that are the same, or nearly so, among any number of them, in bounded memory.

Keys are sorted per part when the part is written. A range of keys is a stretch of each of these files, so that one
range after the other fits into memory, whatever the size of the corpus; the result does not depend on the ranges.
"""
