"""What the English language model costs: its file, memory, loading and speed.

    python benchmarks/pyplexity.py

Seconds are CPU seconds of one core; the text is random, from words that the model knows and words that it does not.
"""

import resource
import subprocess
import sys
from collections.abc import Callable
from random import Random
from time import process_time
from typing import Final

from dehusk.lm import shipped
from dehusk.lm.tokens import tokens

ROUNDS: Final = 5
SENTENCES: Final = 40_000
KNOWN: Final = """
    the of and to in a was that it for on with as his he by at from not this they had are but or which one you were
    all her would there their been has when who more no if out so what time up go about than into could state only
    new year some take come these know see use get like then first any work now may such give over think most even
    find day also after way many must look before great back through long where much should well people down own
"""


def text(seed: int = 0) -> list[str]:
    """Return sentences of 5 to 35 words, of which one in twenty is unknown."""
    random, known = Random(seed), KNOWN.split()
    return [
        " ".join(
            random.choice(known) if random.random() < 0.95 else f"zq{random.randrange(10**6)}"
            for _ in range(random.randrange(5, 36))
        )
        + "."
        for _ in range(SENTENCES)
    ]


def rate(work: Callable[[], object], units: int) -> float:
    """Return units per second in the fastest round: the one that other processes disturbed least."""
    seconds = []
    for _ in range(ROUNDS):
        start = process_time()
        work()
        seconds.append(process_time() - start)
    return units / min(seconds)


def loading() -> tuple[float, float]:
    """Return the seconds and megabytes that a fresh process needs to load the model and score one sentence."""
    code = (
        "import time; from dehusk.lm import shipped; start = time.process_time();"
        "shipped.model('en').measured(['This is a sentence.']); seconds = time.process_time() - start;"
        "import resource; print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)"
    )
    runs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
        for _ in range(3)
    ]
    return min(float(seconds) for seconds, _ in runs), max(float(megabytes) for _, megabytes in runs)


def main() -> None:
    """Print all figures."""
    sentences, model = text(), shipped.model("en")
    count = sum(len(tokens(sentences[first : first + 2000])) for first in range(0, len(sentences), 2000))
    seconds, megabytes = loading()
    print(f"file                 {(shipped.folder() / 'en' / 'ngrams.npy').stat().st_size / 1e6:.1f} MB")
    print(f"load and first use   {seconds:.3f} s, {megabytes:.0f} MB of memory in a fresh process")
    print(f"perplexity           {rate(lambda: model.measured(sentences), count):,.0f} words per second")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"memory at the end    {peak:.0f} MB, including {count:,} words of text")


if __name__ == "__main__":
    main()
