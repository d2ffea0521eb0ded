"""Training of language models (`dehusk.lm`): text → counts → tables → a folder. Memory is bounded.

pipeline.py    `train`, from files to the folder that `LanguageModel.load` reads
text_files.py  files of running text → sentences
counts.py      how often n-grams occur in each source
build.py       counts → tables that fit into a size
fit.py         tables and the cut-off
"""

from dehusk.training.lm.fit import LmRecipe
from dehusk.training.lm.pipeline import train

__all__ = ["LmRecipe", "train"]
