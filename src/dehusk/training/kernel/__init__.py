"""Training of `dehusk.methods.kernel`: pages with gold → examples → packed arrays → networks → a folder of weights.

pipeline.py          `train`, from corpora to the folder that `Kernel.load` reads, and its steps
examples.py          pages with gold → features and labels
variants.py          pages without some of their parts, so that a set teaches more than its own templates
grafts.py            the main text of a page in the template of another, likewise
vocabulary.py        the tokens of class, id, role and itemprop that count
packed.py            all examples as a few arrays
bins.py              the ranges in which a network sees each feature
recipe.py            the size of the networks and how they are trained
net/                 everything that needs torch: batches, the network, losses, fit
predictions.py       logits for pages that a model has not seen, in one file
cross_validation.py  folds by site, and sets left out
tuning.py            the few numbers that are chosen after training
"""

from dehusk.training.kernel.pipeline import load_features, train

__all__ = ["load_features", "train"]
