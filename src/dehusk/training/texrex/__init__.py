"""Training of `dehusk.methods.texrex`: feature vectors, or pages with gold → nets → a folder of weights.

pipeline.py   `train` and `train_on_vectors`, from corpora or files to the folder
rprop.py      perceptrons that learn by RPROP, many at once
vectors.py    nets from vectors in FANN's format, such as those that texrex's author published
examples.py   pages with gold → blocks with features and labels
pages.py      nets from such examples
export.py     the folder that `Texrex.load` reads
"""

from dehusk.training.texrex.pipeline import train, train_on_vectors

__all__ = ["train", "train_on_vectors"]
