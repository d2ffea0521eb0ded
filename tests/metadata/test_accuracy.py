"""Title, author and date on the half of the sites of wcxb-dev that no rule was chosen on: table in docs/metadata.md."""

import pytest

from dehusk import Extractor, Page
from dehusk.gold.corpora import open_corpus
from dehusk.metadata import read
from testing.metadata_accuracy import FIELDS, MetadataTally, chosen_on, gold_facts, our_facts

# `python benchmarks/metadata.py --other`, 15 November 2026: percent right of the pages whose gold has the field.
OURS = {"title": 81.5, "author": 82.7, "date": 89.6}
TRAFILATURA = {"title": 50.5, "author": 64.7, "date": 85.0}
INVENTED_BY_TRAFILATURA = {"title": 0, "author": 45, "date": 316}
PAGES = 671
NOISE = 1.0  # percent; a change of blocks or of the page's kind moves a few pages


@pytest.fixture(scope="module")
def tally() -> MetadataTally:
    found, extractor = MetadataTally(), Extractor()
    for gold in open_corpus("wcxb-dev").pages():
        if not chosen_on(gold.site):
            html = gold.html if isinstance(gold.html, str) else Page.from_bytes(gold.html).html
            document = extractor.extract(html, url=gold.url)
            ours = read(document.page, document.text, document.kind, language=False)
            found.add(gold_facts(gold), our_facts(ours))
    return found


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize("field", FIELDS)
def test_metadata_is_as_good_as_documented_and_better_than_trafilaturas(tally: MetadataTally, field: str) -> None:
    assert sum(count for (name, _), count in tally.counts.items() if name == field) == PAGES
    right = tally.percent(field)
    assert right > TRAFILATURA[field]
    assert right >= OURS[field] - NOISE
    assert tally.counts[field, "invented"] <= INVENTED_BY_TRAFILATURA[field]
