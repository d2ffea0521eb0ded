"""Training: one folder per method, each with a `train` function, above the parts that all methods share.

progress.py      what a training reports while it runs
examples.py      pages with gold → examples, in worker processes
columns.py       names for the types of arrays
packed.py        examples of many pages as columns, in one file
figures.py       folds by site, F1 in words, the best threshold
model_folder.py  a folder of weights with model.json
"""
