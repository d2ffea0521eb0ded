"""Training of `dehusk.methods.texrex`: feature vectors, or pages with gold → nets → a folder of weights.

rprop.py      perceptrons that learn by RPROP, many at once
vectors.py    nets from vectors in FANN's format, such as those that texrex's author published
examples.py   pages with gold as blocks with features and labels, in one file
pages.py      nets from such examples
export.py     the folder that `Texrex.load` reads
"""
