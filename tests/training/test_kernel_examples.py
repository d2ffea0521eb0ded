"""Examples for the kernel: variants of pages, the vocabulary, packing."""

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from dehusk.errors import InputError
from dehusk.features.tokens import TokenVocabulary, unpacked
from dehusk.gold.pages import GoldPage
from dehusk.page import Page
from dehusk.training.examples import NO_BLOCKS, NO_GOLD, parse
from dehusk.training.kernel import packed as packed_module
from dehusk.training.kernel.bins import bins_of
from dehusk.training.kernel.examples import EMPTIED, GRAFTED, THINNED, UNALIGNED, KernelExample, examples, make_examples
from dehusk.training.kernel.grafts import CANDIDATES, PageWithHosts, graft, make_host, take_guest, with_hosts
from dehusk.training.kernel.packed import KernelPacked
from dehusk.training.kernel.predictions import Predictions
from dehusk.training.kernel.variants import emptied, thinned
from dehusk.training.kernel.vocabulary import cut_tokens, page_tokens

STORY = [f"Sentence number {number} of the story says that it rained in the valley all day." for number in range(8)]
MENU = "".join(f"<li><a href=/{name}>menu{name}</a></li>" for name in "abcdefgh")
HTML = (
    f"<body class=page><nav class='main-nav'><ul>{MENU}</ul></nav><div id=story>"
    + "".join(f"<p>{sentence}</p>" for sentence in STORY)
    + "</div><aside><p>asideone words here</p><p>asidetwo words here</p></aside><footer><p>footerword 2024</p></footer>"
)
WORDS = TokenVocabulary.of(["main", "nav", "story"])


def gold_page(
    id_: str,
    html: str = HTML,
    gold: str | None = "\n".join(STORY),
    corpus: str = "mine",
    site: str = "example.org",
    kind: str | None = "forum",
) -> GoldPage:
    return GoldPage(corpus, id_, "all", html, gold, f"http://{site}/", kind=kind)


def words(html: str) -> set[str]:
    return set(re.findall(r"\w+", Page.from_html(html).text))


def examples_of(page: GoldPage, *hosts: GoldPage) -> list[KernelExample]:
    return make_examples(WORDS, PageWithHosts(page, hosts))[0]


def with_emptied() -> GoldPage:
    """A page whose id makes it one of those that are shown without their main text."""
    pages = (gold_page(str(number)) for number in range(100))
    return next(page for page in pages if any(one.info.variant == EMPTIED for one in examples_of(page)))


@pytest.mark.parametrize("seed", range(5))
def test_a_thinned_page_lacks_whole_parts_and_has_nothing_new(seed: int) -> None:
    html = thinned(Page.from_html(HTML), seed)
    assert html is not None
    before, after = words(HTML), words(html)
    assert after < before
    assert html == thinned(Page.from_html(HTML), seed)


def test_different_seeds_take_different_parts() -> None:
    assert len({thinned(Page.from_html(HTML), seed) for seed in range(8)}) > 2


def test_an_emptied_page_has_its_menu_but_not_its_story() -> None:
    page = Page.from_html(HTML)
    lines = page.text.split("\n")
    html = emptied(page, np.array([len(line.split()) if line in STORY else 0 for line in lines], np.float64))
    assert html is not None
    left = words(html)
    assert {"menua", "footerword", "asideone"} <= left
    assert not {"rained", "valley"} & left


def test_a_story_in_many_places_is_not_removed() -> None:
    html = "".join(f"<div><p>{line}</p></div><div><a href=/>menu</a></div>" for line in STORY)
    page = Page.from_html(html)
    gold = np.array([14.0 if line in STORY else 0.0 for line in page.text.split("\n")])
    assert emptied(page, gold) is None


@pytest.mark.parametrize("html", ["", "<p></p>"])
def test_a_page_without_text_has_no_variants(html: str) -> None:
    assert thinned(Page.from_html(html), 0) is None
    assert emptied(Page.from_html(html), np.zeros(0)) is None


def test_the_example_without_main_text_has_no_gold_left() -> None:
    found = {one.info.variant: one for one in examples_of(with_emptied())}
    assert set(found) == {0, *THINNED, EMPTIED}
    assert found[EMPTIED].info.empty
    assert not found[EMPTIED].shares.any()
    assert len(found[EMPTIED].view) == len(found[0].view) - len(STORY)
    assert not found[0].info.empty
    assert found[0].shares.sum() == len(STORY)


def test_main_text_that_cannot_be_removed_makes_no_example_without_it() -> None:
    # The content of noscript is parsed on its own, so that removing it from that tree changes nothing on the page.
    hidden = HTML.replace("<div id=story>", "<noscript><div id=story>").replace(
        "</div><aside>", "</div></noscript><aside>"
    )
    page = gold_page(with_emptied().id, hidden)
    assert EMPTIED not in [one.info.variant for one in examples_of(page)]


@pytest.mark.parametrize(
    ("page", "count", "reason"),
    [
        (gold_page("1", gold=None), 0, NO_GOLD),
        (gold_page("1", html="<p> </p>"), 0, NO_BLOCKS),
        (gold_page("1", gold="Quite another text stood here once upon a time."), 1, UNALIGNED),
    ],
)
def test_pages_left_out_have_a_reason(page: GoldPage, count: int, reason: str) -> None:
    found, given = make_examples(WORDS, PageWithHosts(page))
    assert (len(found), given) == (count, reason)
    assert not any(one.info.usable for one in found)


@pytest.mark.parametrize("gold", ["", " \n— "])
def test_an_empty_gold_is_an_example_of_no_main_text(gold: str) -> None:
    found, reason = make_examples(WORDS, PageWithHosts(gold_page("1", gold=gold)))
    assert reason == ""
    assert found[0].info.empty
    assert found[0].info.usable


MORE = "More of what nobody came for: old prices, older prices, and the weather of the week before last."
OTHER = (
    "<title>Barley prices | The Daily Grain</title><div class=top><h1>Barley prices</h1></div>"
    "<table><tr><td class=left><a href=/>otherlink</a></td><td class=body>"
    + "".join(
        f"<p>Barley sold for {number} shillings a sack at the market in the town today.</p>" for number in range(6)
    )
    + f"</td></tr></table><div class=more><p>{MORE}</p></div>"
)
BARLEY = "\n".join(f"Barley sold for {number} shillings a sack at the market in the town today." for number in range(6))


def wanted(page: Page, gold: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array([len(line.split()) if line in gold else 0 for line in page.text.split("\n")], np.float64)


@pytest.mark.parametrize("heading", ["Rain & wind", ""])
def test_a_graft_has_one_pages_text_in_the_others_place(heading: str) -> None:
    tag = f"<h2>{heading}</h2>" if heading else ""  # without a heading on the page there is none in the graft
    scion, other = parse(f"<title>Rain & wind | Weather</title>{tag}{HTML}"), parse(OTHER)
    main, stock = take_guest(scion, wanted(scion, "\n".join(STORY))), make_host(other, wanted(other, BARLEY))
    assert main is not None
    assert stock is not None
    page = parse(graft(main, stock))
    assert page.text.split("\n") == [*([heading] if heading else []), "otherlink", *STORY, MORE]
    assert page.title == "Rain & wind | Weather"


def test_a_cells_text_moves_without_its_cell() -> None:
    scion = parse(OTHER)
    main = take_guest(scion, wanted(scion, BARLEY))
    assert main is not None
    assert main.main.startswith("<div><p>Barley sold")
    assert main.heading == "Barley prices"


def test_a_heading_that_moves_with_its_text_is_not_repeated() -> None:
    html = HTML.replace("<div id=story>", "<div id=story><h1>Rain in the valley</h1>")
    scion, other = parse(f"<title>Rain in the valley</title>{html}"), parse(OTHER)
    main = take_guest(scion, wanted(scion, "Rain in the valley\n" + "\n".join(STORY)))
    stock = make_host(other, wanted(other, BARLEY))
    assert main is not None
    assert stock is not None
    assert parse(graft(main, stock)).text.count("Rain in the valley") == 1


@pytest.mark.parametrize("html", ["", "<p>Short.</p>", "<body>" + "".join(f"<p>{line}</p>" for line in STORY)])
def test_a_page_that_is_all_main_text_is_no_host(html: str) -> None:
    page = parse(html)
    assert make_host(page, wanted(page, "\n".join(STORY)) if html else np.zeros(0)) is None


def test_grafts_are_labelled_by_the_guests_gold_and_name_their_host() -> None:
    other = gold_page("2", OTHER, BARLEY, corpus="yours", site="example.net")
    nowhere = gold_page("3", "<p>no gold on this page</p>", "Another text", site="example.com")
    found = [one for one in examples_of(gold_page("1"), nowhere, other, other) if one.info.host]
    assert [(one.info.variant, one.info.host) for one in found] == [(5, "yours/2"), (6, "yours/2")]
    assert all(one.info.id == "1" and one.shares.sum() == len(STORY) for one in found)
    assert found[0].info.variant in GRAFTED


def test_hosts_are_of_the_same_kind_and_of_other_sites() -> None:
    pages = [
        gold_page(str(number), site=f"{number % 4}.org", kind=kind) for number in range(8) for kind in ("forum", None)
    ]
    found = list(
        with_hosts([*pages, gold_page("x", gold=None), gold_page("y", kind="product")], lambda page: int(page.id, 36))
    )
    assert [each.page for each in found][:-2] == pages
    for each in found[:-2]:
        assert len(each.hosts) == CANDIDATES
        assert all(other.kind == each.page.kind and other.site != each.page.site and other.gold for other in each.hosts)
    assert found[-1].hosts == ()


def test_workers_give_the_same_examples_in_the_same_order() -> None:
    pages = [gold_page(str(number)) for number in range(6)]
    skipped: Counter[str] = Counter()
    found = list(examples([*pages, gold_page("none", gold=None)], WORDS, 2, skipped))
    here = [one for page in pages for one in examples_of(page)]
    assert [one.info for one in found] == [one.info for one in here]
    assert all((one.view.matrix == other.view.matrix).all() for one, other in zip(found, here, strict=True))
    assert skipped == {NO_GOLD: 1}


def test_tokens_are_those_above_text() -> None:
    html = "<div class='mainNav x'><p id=Story_1>text</p></div><div class=empty></div><i role=note>a</i>"
    assert page_tokens(parse(html)) == {"main", "nav", "story", "note"}


@pytest.mark.parametrize("text", ["main-nav2 SubItem", "HTMLBox", "aB cD ABc", "x" * 14, "post_12-entryTitle", "ÄNav"])
def test_the_vocabulary_is_cut_as_the_features_cut_it(text: str) -> None:
    tokens = cut_tokens(text)
    known = TokenVocabulary.of(dict.fromkeys([*tokens, "unrelated"]))
    assert set(known.known(text)) == set(tokens)


def packed_examples() -> tuple[list[KernelExample], KernelPacked]:
    found = [one for number in range(4) for one in examples_of(gold_page(str(number)))]
    return found, KernelPacked.of(found, WORDS.words, {"mine": "my own"}, {"no gold text": 2})


def test_grafts_on_held_out_pages_are_not_learnt_from() -> None:
    other = gold_page("2", OTHER, BARLEY, corpus="yours", site="example.net")
    found = [*examples_of(gold_page("1"), other), *examples_of(other)]
    packed = KernelPacked.of(found, WORDS.words, {"mine": "my own", "yours": "yours"}, {})
    mine, yours = packed.plain()
    graft = next(number for number, info in enumerate(packed.info) if info.host)
    assert graft in packed.variants([mine, yours])[0]
    assert packed.variants([mine]) == [[number for number in range(yours) if number != graft]]


def test_packing_keeps_what_was_seen() -> None:
    found, packed = packed_examples()
    start = packed.start
    for number, example in enumerate(found):
        blocks = slice(start[number], start[number + 1])
        seen = packed.numbers[:, blocks] / 65535 * packed.high[:, None]
        wanted = np.minimum(example.view.matrix, packed.high[:, None])
        assert np.abs(seen - wanted).max() <= packed.high.max() / 65535
        bits = np.unpackbits(packed.anywhere[blocks], axis=1, bitorder="little")[:, : len(WORDS)]
        assert (bits == unpacked(example.view.tokens.anywhere, len(WORDS))).all()
        assert np.array_equal(packed.labels[blocks], example.shares, equal_nan=True)
        assert (packed.groups[:, blocks] == example.view.groups).all()


def test_a_packed_file_is_read_back(tmp_path: Path) -> None:
    _, packed = packed_examples()
    packed.save(tmp_path / "new" / "features.npz")
    again = KernelPacked.load(tmp_path / "new" / "features.npz")
    assert (again.info, again.vocabulary, again.licences, again.skipped) == (
        packed.info, packed.vocabulary, packed.licences, packed.skipped,
    )  # fmt: skip
    assert again.digest == packed.digest
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["features.npz"]


def test_damaged_files_and_features_of_another_version_are_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, packed = packed_examples()
    packed.save(tmp_path / "features.npz")
    (tmp_path / "broken.npz").write_bytes(b"not zipped")
    with pytest.raises(InputError, match="does not contain the kernel's examples"):
        KernelPacked.load(tmp_path / "broken.npz")
    monkeypatch.setattr("dehusk.training.kernel.packed.NAMES", ("another",))
    with pytest.raises(InputError, match="other features than this version"):
        KernelPacked.load(tmp_path / "features.npz")
    monkeypatch.undo()
    KernelPacked.load(tmp_path / "features.npz")
    probe = packed_module._probe()
    monkeypatch.setattr(packed_module, "_probe", lambda: probe + 1)  # the same names, computed in another way
    with pytest.raises(InputError, match="other features than this version"):
        KernelPacked.load(tmp_path / "features.npz")
    with pytest.raises(InputError, match="no page can be trained on"):
        KernelPacked.of([], (), {}, {})


def test_bins_of_a_feature_meet_and_end_at_its_highest_value() -> None:
    _, packed = packed_examples()
    bins = bins_of(packed, packed.plain(), 4)
    high = bins.low + 1 / bins.slope
    for column in range(len(packed.high)):
        mine = bins.column == column
        assert 1 <= mine.sum() <= 5
        assert np.allclose(bins.low[mine][1:], high[mine][:-1], atol=1e-4)
        assert high[mine][-1] == pytest.approx(1, abs=1e-4)


def test_predictions_are_read_back(tmp_path: Path) -> None:
    pages = [(("mine", "ä"), np.array([0.5, -3.0])), (("other", "b"), np.array([1.0]))]
    found = Predictions.of(pages, "maker")
    found.save(tmp_path / "predictions.npz")
    again = Predictions.load(tmp_path / "predictions.npz")
    assert again.maker == "maker"
    assert [(name, logits.tolist()) for name, logits in again] == [(name, logits.tolist()) for name, logits in pages]
    assert [name for name, _ in again.without("mine")] == [("other", "b")]
    assert list(Predictions.of([])) == []


def test_markup_and_bytes_are_read_alike() -> None:
    assert parse(HTML).text == parse(HTML.encode()).text
