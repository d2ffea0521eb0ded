"""Training of `dehusk.methods.fiasco`: pages with gold → targets with labels → a machine → a folder of weights.

pipeline.py   `train`, from corpora to the folder that `Fiasco.load` reads
lexicon.py    word classes from tagged text
keywords.py   words that are typical of clean or of dirty text
examples.py   pages with gold → targets with features, words and labels
svm.py        machines, the few vectors that stand for all support vectors, and folds by site
grid.py       the search for cost and gamma
"""

from dehusk.training.fiasco.pipeline import train
from dehusk.training.fiasco.svm import SvmRecipe

__all__ = ["SvmRecipe", "train"]
