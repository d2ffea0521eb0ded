"""Training of `dehusk.methods.texrex`: feature vectors, or pages with gold → nets → a folder of weights.

pipeline.py   `train` and `train_on_vectors`, from corpora or files to the folder that `Texrex.load` reads
rprop.py      perceptrons that learn by RPROP, many at once
vectors.py    nets from vectors in FANN's format, such as those that texrex's author published
page_folds.py folds of vectors by page, and the number of epochs that is best on them
examples.py   pages with gold → blocks with features and labels
pages.py      nets from such examples
"""

from dehusk.training.texrex.pipeline import NetOptions, train, train_on_vectors

__all__ = ["NetOptions", "train", "train_on_vectors"]
