"""Training of `dehusk.methods.kernel`: pages with gold → examples → packed arrays → networks → a folder of weights.

examples.py     pages to examples: what the model sees, and what the gold says
variants.py     pages with parts taken away, so that a set teaches more than its own templates
grafts.py       a page's main text in another page's place, likewise
vocabulary.py   the tokens of class, id, role and itemprop that count
prepare.py      from pages to packed examples
packed.py       all examples as a few arrays, in one file
bins.py         the ranges in which a network sees each feature
recipe.py       what a training can be told
net/            everything that needs torch: batches, the network, losses, fit
predictions.py  what models said of pages that they had not seen, in one file
validate.py     folds by site, and sets left out
tuning.py       the few numbers that are chosen after the training
export.py       the folder that `Kernel.load` reads
"""
