"""Small pages, and small recipes, that boilernet learns within seconds."""

import random
from dataclasses import replace
from typing import Final

from dehusk.gold.pages import GoldPage
from dehusk.training.boilernet import recipe
from dehusk.training.boilernet.examples import make_examples
from dehusk.training.boilernet.packed import BoilernetExample, BoilernetPacked

NOUNS = ("rain", "valley", "river", "town", "council", "bridge", "winter", "road", "farmer", "school", "market")
TINY: Final = replace(recipe.LARGE, width=16, epochs=30, batch=4, rate=0.02)
TINY_SMALL: Final = replace(TINY, cell="gru", layers=1)


def pages(count: int = 10) -> list[dict[str, str]]:
    """Return pages of different sites, with paragraphs of text between menus of links, and their gold."""
    chance = random.Random(1)
    found = []
    for number in range(count):
        lines = [" ".join(["The", *chance.choices(NOUNS, k=12)]) + "." for _ in range(5)]
        menu = "".join(f"<li><a href=/{word}>{word.title()}</a>" for word in chance.sample(NOUNS, 5))
        html = f"<ul>{menu}</ul>" + "".join(f"<p>{line}</p>" for line in lines) + f"<div><a href=/>{NOUNS[0]}</a></div>"
        found.append(
            {"id": str(number), "url": f"https://s{number}.example.org/", "html": html, "gold": "\n".join(lines)}
        )
    return found


def example(page: dict[str, str]) -> BoilernetExample:
    """Return the example of a page."""
    source = GoldPage("mine", page["id"], "all", page["html"], page["gold"], page["url"])
    return make_examples(source)[0][0]


def packed(count: int = 10) -> BoilernetPacked:
    """Return some of these pages, packed."""
    return BoilernetPacked.of(map(example, pages(count)), {"mine": "mine"}, {})
