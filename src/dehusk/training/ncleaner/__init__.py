"""Training of `dehusk.methods.ncleaner`: pages with gold → segments → counts of n-grams → a folder of tables.

pipeline.py     `train`, from corpora or texts to the folder
examples.py     pages with gold, or pairs of raw and cleaned texts → segments with labels
counts.py       how often n-grams occur
bits.py         how many bits likelier an n-gram is clean than dirty
fit.py          a table from examples, with the bias and slope that are best on unseen pages
tables.py       which tables are made, and the folder that `Ncleaner.load` reads
"""

from dehusk.training.ncleaner.pipeline import train
from dehusk.training.ncleaner.tables import TableOptions

__all__ = ["TableOptions", "train"]
