import json
import re
from pathlib import Path

from tests.cli.conftest import Run

# What the page says, and nothing else.
TEXT = """\
The lens that made lighthouses bright
Around 1800, the light of a lighthouse came from oil lamps in front of curved mirrors. The metal tarnished, and even a \
freshly polished mirror swallowed about half of the light that fell on it. From a ship a few miles off the coast, many \
of these lights could hardly be told from a star near the horizon.
The French physicist Augustin-Jean Fresnel proposed to bend the light instead of reflecting it. A glass lens large \
enough for a lighthouse would have been far too thick and too heavy, and much of the light would have been lost inside \
it. But only the surface of a lens bends light. Fresnel kept the curved surface, cut it into rings, and left out most \
of the glass behind it.
A first light at Cordouan
The first lens of this kind was lit in July 1823 in the tower of Cordouan, which stands on a rock off the mouth of the \
Gironde, on the Atlantic coast of France. Sailors could see it from more than 20 miles away: as far as the curve of \
the Earth allows for a tower of that height.
Fresnel did not live to see how far his invention would travel. He died of tuberculosis in 1827, at the age of 39. His \
brother Léonor carried on the work, and within a few decades the lenses stood on coasts all over the world.
Large lenses and small ones
Lenses were made in sizes called orders. The order says how far the flame is from the glass:
Order
Focal length
Typical place
First
920 mm
sea coasts
Third
500 mm
bays and large lakes
Sixth
150 mm
harbours and piers
Three things made the design last:
It gathers light that a mirror would let escape above and below the flame.
Panels that turn around the lamp send out flashes, so that each tower has a rhythm of its own.
A broken ring can be replaced without taking the whole lens apart.
Most lighthouses have small electric lamps today, and many of the old lenses stand in museums. The idea is still all \
around us, pressed into plastic: in the headlights of cars, in overhead projectors, and in the flat magnifiers that \
fit into a wallet.
"""


def test_the_demo_shows_what_was_dropped_the_clean_text_and_what_to_do_next(dehusk: Run) -> None:
    ended = dehusk("demo")
    assert (ended.status, ended.err) == (0, "")
    before, after, following = re.split(r"── (?:After|Next) ─+\n", ended.out)
    assert "We and our 312 partners use cookies" in before
    assert re.search(r"^  0\.\d\d  ", before, re.MULTILINE)
    words = re.sub(r"[|#*-]+", " ", after).split()
    assert words == TEXT.replace("Augustin-Jean", "Augustin Jean").split()
    assert following.startswith("dehusk extract https://")
    assert max(map(len, (*before.splitlines(), *following.splitlines()))) < 110


def test_the_page_of_the_demo_can_be_piped_into_other_commands(dehusk: Run) -> None:
    page = dehusk("demo", "--html").out
    assert dehusk("extract", stdin=page.encode()) == (0, TEXT, "")
    metadata = json.loads(dehusk("extract", "-f", "json", stdin=page.encode()).out)["metadata"]
    assert (metadata["authors"], metadata["published"]) == (["Nora Fielding"], "2024-05-17")


def test_the_page_of_the_demo_comes_with_the_package() -> None:
    settings = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    assert '"**/*.html"' in settings
