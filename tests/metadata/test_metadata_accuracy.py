import pytest

from dehusk.metadata import Metadata
from testing.metadata_accuracy import Facts, MetadataTally, chosen_on, our_facts, trafilatura_facts, verdict


@pytest.mark.parametrize(
    ("field", "gold", "found", "expected"),
    [
        ("title", "Rain & Snow!", "rain  snow", "right"),
        ("title", "Rain", "Rain | News", "wrong"),
        ("title", "Rain", "", "missing"),
        ("author", "Ann Example, MD", "Ann Example", "right"),
        ("author", "Ann Example and Bob Nobody", "Bob Nobody; Ann Example", "right"),
        ("author", "Ann Example and Bob Nobody", "Ann Example", "wrong"),
        ("author", "", "Ann Example", "invented"),
        ("author", "", "", "nothing"),
        ("date", "2024-05-02", "2024-05-02T10:20:30Z", "right"),
        ("date", "2024-05-02", "2024-05-03", "wrong"),
    ],
)
def test_a_verdict_folds_what_does_not_matter(field: str, gold: str, found: str, expected: str) -> None:
    assert verdict(field, gold, found) == expected


def test_percent_counts_the_pages_whose_gold_has_the_field() -> None:
    tally = MetadataTally()
    tally.add(Facts(title="a"), Facts(title="a"))
    tally.add(Facts(title="a"), Facts())
    tally.add(Facts(), Facts(title="b"))
    assert tally.percent("title") == 50
    assert tally.counts["title", "invented"] == 1
    assert MetadataTally().percent("title") == 0


def test_halves_are_halves_by_site() -> None:
    chosen = sum(chosen_on(f"site{number}.example") for number in range(1000))
    assert 450 < chosen < 550


def test_our_date_is_that_of_publication_if_it_is_known() -> None:
    assert our_facts(Metadata(published="2024-05-02", modified="2024-06-03")).date == "2024-05-02"
    assert our_facts(Metadata(modified="2024-06-03")).date == "2024-06-03"
    assert our_facts(Metadata(authors=("Ann", "Bob"))) == Facts("", "Ann; Bob", "")


def test_trafilatura_is_asked_on_the_same_page() -> None:
    pytest.importorskip("trafilatura")
    html = '<title>Rain</title><meta name="author" content="Ann Example"><h1>Rain</h1><p>It rained all day long.</p>'
    assert trafilatura_facts(html, "https://example.org/").author == "Ann Example"
