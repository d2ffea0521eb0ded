"""Training of `dehusk.methods.boilernet`: pages with labelled text nodes or gold text → examples → networks → folders.

pipeline.py   `train` and `train_paper`, from corpora to the folders
examples.py   a page's text nodes: their tags, words and labels
packed.py     those of many pages as columns
inputs.py     the vocabulary of some pages, and all pages as counts of its tags and words
paper.py      the splits of a set, and what the paper's network sees of them
recipe.py     the size of a network and how it is trained
net/          everything that needs torch: batches, the network, fit, ONNX, the folder that `Boilernet.load` reads
tuning.py     the threshold, and figures by leaf and by word
"""

from dehusk.training.boilernet.pipeline import PaperOptions, train, train_paper

__all__ = ["PaperOptions", "train", "train_paper"]
