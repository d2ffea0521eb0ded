"""What the kernel promises, whatever its weights: they are retrained now and then, so no score is pinned here."""

import json
import pickle
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from dehusk import Extractor, ModelError, Page, extract
from dehusk.blocks import cut
from dehusk.methods.base import Explains, Method
from dehusk.methods.kernel import Kernel
from dehusk.methods.kernel.features import page_features
from dehusk.methods.kernel.network import inputs, run_ensemble
from dehusk.model_files import shipped_folder
from dehusk.models.registry import method
from dehusk.reasons import Code
from dehusk.scores import KINDS
from tests.golden import FOLDERS

golden = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
Arrays = dict[str, NDArray[Any]]
Change = Callable[[Arrays], object]

MENU = "".join(
    f'<li><a href="/{word.lower()}">{word}</a></li>' for word in ("Home", "News", "Sport", "Weather", "About")
)
NAV = f"<nav><ul>{MENU}</ul></nav>"
NOTICE = "We use cookies to give you the best experience on our site. By going on you agree to our use of cookies."
COOKIES = f'<div class="cookie-banner"><p>{NOTICE}</p><button>Accept all</button> <button>Reject</button></div>'
STORY = (
    "The harbour at Lowick froze over on Tuesday for the first time since 1987, and by noon half of the town was out "
    "on the ice. The harbour master, who had forbidden it, was seen there too.",
    "Old people said that the winter of 1963 had been harder. In those days, they said, one could walk to the island "
    "and back, and the post was brought over on a sledge.",
    "A thaw is expected at the weekend. Until then the ferry stays where it is, and the school, which most of the "
    "children reach by boat, stays closed.",
)
SAID = (
    "I remember the winter of 1963 well, we skated to school every day.",
    "Please stay off the ice, my brother fell in on Wednesday.",
    "Lovely pictures, thank you!",
)
TITLE = "The harbour is frozen"
FOOTER = '<footer><p>© 2026 The Lowick Herald. All rights reserved.</p><a href="/privacy">Privacy</a></footer>'


def paragraphs(texts: tuple[str, ...]) -> str:
    return "".join(f"<p>{text}</p>" for text in texts)


def article(below: str = "", notice: str = "") -> str:
    return (
        f"<!doctype html><html><head><title>{TITLE} - Lowick Herald</title></head><body>{NAV}"
        f"<main><article><h1>{TITLE}</h1>{paragraphs(STORY)}</article>{below}</main>{FOOTER}{notice}</body></html>"
    )


def comments() -> str:
    said = "".join(f'<li class="comment"><b>Reader {n}</b><p>{text}</p></li>' for n, text in enumerate(SAID))
    form = "<form><label>Your name</label><textarea>Write something</textarea><button>Send</button></form>"
    return f'<div class="comments"><h2>Comments</h2><ul>{said}</ul>{form}</div>'


def page_of(folder: Path) -> Page:
    return Page.from_bytes((folder / "source.html").read_bytes())


def test_the_kernel_keeps_the_contract_of_methods() -> None:
    kernel, page = method("kernel"), Page.from_html("<p>a")
    assert kernel is Kernel.shipped()
    assert isinstance(kernel, Method)
    assert isinstance(kernel, Explains)
    assert kernel.name == kernel.score(page, kernel.segment(page)).model == "kernel"


@golden
def test_scores_are_probabilities_and_the_verdict_is_one(folder: Path) -> None:
    page, kernel = page_of(folder), Kernel.shipped()
    blocks = kernel.segment(page)
    scores = kernel.score(page, blocks)
    assert scores.values.shape == (len(blocks),)
    assert ((scores.values >= 0) & (scores.values <= 1)).all()
    assert scores.verdict is not None
    assert scores.verdict.kind in KINDS
    assert 0 <= scores.verdict.confidence <= 1
    assert scores.comments is not None
    assert scores.comments.dtype == np.bool_
    # What is main text is no comment, and only what is kept can be relied on.
    assert not (scores.comments & (scores.values < 0.5)).any()
    assert (scores.verdict.confidence > 0) == bool((scores.values < 0.5).any())


@golden
def test_the_same_page_gets_the_same_answer_in_another_thread(folder: Path) -> None:
    data, extractor = (folder / "source.html").read_bytes(), Extractor("kernel")
    here = [extractor.extract(data).scores for _ in range(2)]
    with ThreadPoolExecutor(2) as threads:
        there = [document.scores for document in threads.map(extractor.extract, [data] * 4)]
    for scores in [*here[1:], *there]:
        assert scores.values.tobytes() == here[0].values.tobytes()
        assert scores.verdict == here[0].verdict


@golden
def test_every_block_is_explained_by_facts_for_it_and_against_it(folder: Path) -> None:
    page, kernel = page_of(folder), Kernel.shipped()
    blocks = kernel.segment(page)
    because = kernel.explain(page, blocks)
    assert len(because) == len(blocks)
    assert [fact for facts in because for fact in facts if fact[:2] not in ("+ ", "- ") or not fact[2:].strip()] == []
    assert all(len(facts) == len(set(facts)) <= 3 for facts in because)


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        (Page.from_html(""), "no text"),
        (Page.from_text(""), "no text"),
        (Page.from_bytes(b"%PDF-1.4"), "not a page: PDF"),
    ],
    ids=["empty", "empty text", "refused"],
)
def test_a_page_without_blocks_has_a_verdict_and_no_facts(page: Page, reason: str) -> None:
    document = Extractor("kernel", explain=True, comments=True).extract(page)
    assert (document.text, str(document.reason), document.because) == ("", reason, [])
    assert (document.kind, document.confidence) == ("other", 0)


@pytest.mark.parametrize(
    "page", [Page.from_html("<p>One"), Page.from_html("bare"), Page.from_text("One line.\nAnother.")]
)
def test_pages_of_a_block_or_without_a_tree_are_scored_and_explained(page: Page) -> None:
    document = Extractor("kernel", explain=True, comments=True).extract(page)
    assert len(document.scores) == len(document.because or []) == len(document.blocks)


def test_plain_text_is_judged_line_by_line() -> None:
    lines = ("Home", "News", "Contact", *STORY, "© 2026")
    scores = extract(Page.from_text("\n".join(lines)), method="kernel").scores.values
    assert scores[3:6].max() < min(scores[:3].min(), scores[6])


class TestArticle:
    """A page that every good model gets right."""

    def test_the_story_is_kept_and_menu_cookie_notice_and_footer_are_not(self) -> None:
        text = extract(article(notice=COOKIES), method="kernel").text
        assert all(part in text for part in STORY)
        assert not any(word in text for word in ("Weather", "cookies", "Accept", "All rights reserved"))

    def test_it_is_called_an_article_with_confidence(self) -> None:
        document = extract(article(), method="kernel")
        assert document.kind == "article"
        assert document.confidence is not None
        assert document.confidence > 0.5

    def test_names_of_classes_are_not_needed_nor_are_tags_that_mean_something(self) -> None:
        plain = article(notice=COOKIES).replace(' class="cookie-banner"', "")
        for tag in ("nav", "main", "article", "footer"):
            plain = plain.replace(f"<{tag}>", "<div>").replace(f"</{tag}>", "</div>")
        text = extract(plain, method="kernel").text
        assert all(part in text for part in STORY)
        assert not any(word in text for word in ("Weather", "cookies", "Accept"))

    def test_favouring_recall_keeps_no_less_and_precision_no_more(self) -> None:
        precise, plain, full = (
            Extractor("kernel", threshold).extract(article(comments())).kept for threshold in (0.25, 0.5, 0.75)
        )
        assert (precise <= plain).all()
        assert (plain <= full).all()

    def test_the_menu_is_explained_by_facts_against_it_and_the_story_by_facts_for_it(self) -> None:
        document = Extractor("kernel", explain=True).extract(article())
        assert document.because
        facts = dict(zip(document.blocks.strings(), document.because, strict=True))
        assert facts["Weather"][0].startswith("- ")
        assert facts[STORY[0]][0].startswith("+ ")


class TestComments:
    """Readers' comments under an article are told apart from it."""

    def test_they_are_left_out_by_default(self) -> None:
        text = extract(article(comments()), method="kernel").text
        assert all(part in text for part in STORY)
        assert not any(part in text for part in SAID)

    def test_they_are_kept_when_asked_for(self) -> None:
        text = extract(article(comments()), method="kernel", comments=True).text
        assert all(part in text for part in (*STORY, *SAID))
        assert "Weather" not in text

    def test_what_they_are_worked_with_is_none(self) -> None:
        scores = extract(article(comments()), method="kernel").scores
        assert scores.comments is not None
        marked = [text for text, is_one in zip(scores.blocks.strings(), scores.comments, strict=True) if is_one]
        assert set(SAID) <= set(marked)
        assert not {"Your name", "Write something", "Send", "Weather", *STORY} & set(marked)

    def test_a_page_without_any_has_none_marked(self) -> None:
        scores = extract(article(), method="kernel").scores
        assert scores.comments is not None
        assert not scores.comments.any()


def front(*parts: str) -> str:
    return f"<!doctype html><title>Lowick Herald</title>{''.join(parts)}"


@pytest.mark.parametrize("page", [front(NAV), front(NAV, FOOTER)])
def test_a_page_of_menu_and_footer_has_no_main_text(page: str) -> None:
    document = extract(page, method="kernel")
    assert (document.text, str(document.reason), document.confidence) == ("", "no main text", 0)


@pytest.mark.parametrize("name", ["", ' class="cookie-banner"'])
def test_of_a_page_of_menu_and_notice_at_most_the_notice_is_kept_and_with_less_confidence(name: str) -> None:
    # Little but its words tells such a notice from a short story, and words the kernel does not know.
    document = extract(front(NAV, COOKIES.replace(' class="cookie-banner"', name), FOOTER), method="kernel")
    assert document.text in ("", NOTICE)
    assert (document.confidence or 0) < (extract(article(), method="kernel").confidence or 0)


class TestPickling:
    """Workers read the weights from the file; nobody sends them through a pipe."""

    def test_a_pickle_holds_no_weights(self) -> None:
        assert len(pickle.dumps(Kernel.shipped())) < 1000
        assert len(pickle.dumps(Extractor("kernel"))) < 2000

    def test_a_pickle_comes_back_as_the_one_that_is_loaded_already(self) -> None:
        assert pickle.loads(pickle.dumps(Kernel.shipped())) is Kernel.shipped()

    def test_workers_give_the_same_answers(self) -> None:
        pages = [article(), article(comments()), NAV, ""]
        results = list(Extractor("kernel").extract_many(pages, jobs=2))
        assert [result.output for result in results] == [extract(page, method="kernel").text for page in pages]
        assert [result.reason and result.reason.code for result in results] == [
            None,
            None,
            Code.NO_MAIN_TEXT,
            Code.NO_TEXT,
        ]


def cut_features(arrays: Arrays) -> None:
    few = arrays["1/column"] <= 10
    arrays.update({f"1/{name}": arrays[f"1/{name}"][few] for name in ("column", "low", "slope", "numbers")})


def lengthen_vocabulary(arrays: Arrays) -> None:
    longer = np.frombuffer(b"\nonemore", np.uint8)
    arrays.update(vocabulary=np.concatenate((arrays["vocabulary"], longer)))


OTHER_FEATURES = r"was trained on .* features, this version computes .*; retrain it"


class TestFolders:
    """Other weights come from a folder; a folder that cannot be used is reported."""

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        return Path(shutil.copytree(shipped_folder("kernel"), tmp_path / "mine"))

    def test_the_same_weights_elsewhere_give_the_same_scores(self, folder: Path) -> None:
        mine = Extractor(Kernel.loaded(folder))
        assert mine.extract(article()).scores.values.tolist() == extract(article()).scores.values.tolist()

    @pytest.mark.parametrize("name", ["model.json", "weights.npz"])
    def test_a_missing_file_is_reported(self, folder: Path, name: str) -> None:
        (folder / name).unlink()
        with pytest.raises(ModelError, match=f"{name} cannot be read: No such file or directory; expected"):
            Kernel.load(folder)

    @pytest.mark.parametrize(("offset", "value"), [(10, 99), (8, 1)], ids=["unknown", "encrypted"])
    def test_weights_with_one_byte_changed_are_reported(self, folder: Path, offset: int, value: int) -> None:
        data = bytearray((folder / "weights.npz").read_bytes())
        data[data.index(b"PK\x01\x02") + offset] = value  # in the table of contents
        (folder / "weights.npz").write_bytes(data)
        with pytest.raises(ModelError, match=r"weights\.npz is damaged: "):
            Kernel.load(folder)

    @pytest.mark.parametrize("content", [b"", b"nonsense", b"PK\x03\x04 cut off"])
    def test_damaged_weights_are_reported(self, folder: Path, content: bytes) -> None:
        (folder / "weights.npz").write_bytes(content)
        with pytest.raises(ModelError, match=r"weights\.npz is damaged: .*reinstall dehusk or retrain it"):
            Kernel.load(folder)

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            *((each, "is not what `dehusk train kernel` writes") for each in ("", "[]", "nonsense", '{"format": 3}')),
            ('{"format": 3, "tuning": {"scale": 1}}', "is not what `dehusk train kernel` writes"),
            ('{"format": 99}', "has format 99, this version reads 3; retrain it"),
        ],
    )
    def test_another_model_json_is_reported(self, folder: Path, content: str, message: str) -> None:
        (folder / "model.json").write_text(content)
        with pytest.raises(ModelError, match=rf"model\.json {message}"):
            Kernel.load(folder)

    @pytest.mark.parametrize("name", ["scale", "offset", "cut", "least", "confidence"])
    @pytest.mark.parametrize("value", ["1", None, True, [], [1], [1, "2"], [1, 2, 3], {}, float("nan"), 10**400])
    def test_a_tuning_of_other_types_is_reported(self, folder: Path, name: str, value: object) -> None:
        description = json.loads((folder / "model.json").read_text())
        description["tuning"][name] = value
        (folder / "model.json").write_text(json.dumps(description))
        with pytest.raises(ModelError, match=r"model\.json is not what `dehusk train kernel` writes: .*; retrain it"):
            Kernel.load(folder)

    @pytest.mark.parametrize(
        "name", ["vocabulary", "0/column", "0/steps", "0/low", "1/bits", "1/kind", "1/gain0", "1/layer_page1"]
    )
    def test_a_missing_array_is_named(self, folder: Path, name: str) -> None:
        missing = name.rpartition("/")[2]
        self.refused(folder, lambda arrays: arrays.pop(name), f"weights lack '{missing}'; reinstall dehusk")

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            (lambda arrays: [arrays.pop(name) for name in list(arrays) if "/" in name], "weights lack 'steps'"),
            (lambda arrays: arrays.update(vocabulary=np.full(9, 255, np.uint8)), "do not fit together"),
            (lengthen_vocabulary, OTHER_FEATURES),
            (cut_features, OTHER_FEATURES),
        ],
        ids=["no network", "vocabulary that is not text", "longer vocabulary", "fewer features"],
    )
    def test_other_weights_are_reported(self, folder: Path, change: Change, message: str) -> None:
        self.refused(folder, change, message)

    def refused(self, folder: Path, change: Change, message: str) -> None:
        """Change the arrays of a folder, and check how loading it fails."""
        with np.load(folder / "weights.npz") as file:
            arrays: Arrays = {name: file[name] for name in file.files}
        change(arrays)
        np.savez(folder / "weights.npz", **cast(dict[str, Any], arrays))
        with pytest.raises(ModelError, match=message):
            Kernel.load(folder)

    def test_the_networks_are_averaged(self, folder: Path) -> None:
        page = Page.from_html(article())
        features = page_features(page, cut(page), Kernel.loaded(folder).vocabulary)
        networks = Kernel.loaded(folder).networks
        assert len(networks) > 1
        each = [run_ensemble([network], inputs([network], features, 372))[0] for network in networks]
        together, _ = run_ensemble(networks, inputs(networks, features, 372))
        likely = [1 / (1 + np.exp(-logits)) for logits in (*each, together)]
        assert not np.allclose(likely[0], likely[1], atol=0.01)
        assert np.allclose(np.mean(likely[:-1], axis=0), likely[-1], atol=1e-5)
