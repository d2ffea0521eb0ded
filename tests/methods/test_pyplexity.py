"""pyplexity: the sentences of a page, scored by the model of its language."""

import math
import pickle
from pathlib import Path

import numpy as np
import pytest

import dehusk
from dehusk import Extractor, Page, formats
from dehusk.lm.model import LanguageModel
from dehusk.methods.pyplexity import Pyplexity, language
from dehusk.methods.pyplexity.sentences import cut_sentences
from dehusk.models.registry import adjusted, method
from dehusk.training.lm.build import tables
from dehusk.training.lm.counts import NgramCounts
from tests.golden import PAGES, document, misses
from tests.test_golden import expected

RUSSIAN = "Он вышел из дома рано утром и долго шёл по дороге, которая вела к реке. " * 6
ENGLISH = (
    "<ul><li><a href=/>Home</a><li><a href=/x>Contact us</a></ul><h1>Nine days of rain</h1>"
    "<p>It had rained for nine days, and the road to the village was under water. Nobody had seen the postman since "
    "the beginning of the week.<p>Then the wind went round to the north, and in the morning the sky was clear."
    "<footer>© 2024 Example | Imprint | Terms</footer>"
)


def sentences(html: str) -> list[str]:
    return cut_sentences(Page.from_html(html)).strings()


class TestCut:
    def test_a_sentence_never_crosses_the_edge_of_a_block(self) -> None:
        assert sentences("<p>This one has no stop<p>and so it ends here. Next.") == [
            "This one has no stop",
            "and so it ends here.",
            "Next.",
        ]

    def test_inline_tags_do_not_end_sentences(self) -> None:
        assert sentences("<p>A <b>bold. </b>Word<i>s</i> here. <a href=/>Link</a>") == [
            "A bold.",
            "Words here.",
            "Link",
        ]

    def test_a_line_break_ends_a_sentence_unless_it_goes_on(self) -> None:
        assert sentences("<p>First line<br>goes on here.<br>12 Mill Lane<br>Anytown") == [
            "First line\ngoes on here.",
            "12 Mill Lane",
            "Anytown",
        ]

    def test_columns_hold_leaves_links_and_kinds(self) -> None:
        blocks = cut_sentences(Page.from_html("<h2>Top. More</h2><p hidden>One. <a href=/>Two three.</a> Four."))
        assert blocks.strings() == ["Top.", "More", "One.", "Two three.", "Four."]
        assert blocks.link_chars.tolist() == [0, 0, 0, 10, 0]
        assert blocks.hidden.tolist() == [False, False, True, True, True]
        assert [(block.kind.label, block.level) for block in blocks][:3] == [
            ("heading", 2),
            ("heading", 2),
            ("paragraph", 0),
        ]
        assert blocks.first_leaf.tolist() == [0, 0, 1, 2, 3]
        assert blocks.last_leaf.tolist() == [1, 1, 2, 3, 4]

    def test_the_limit_on_blocks_holds(self) -> None:
        page = Page.from_html("<p>" + "One. " * 50, limits=dehusk.Limits(blocks=7))
        assert len(cut_sentences(page)) == 7
        assert str(Extractor("pyplexity").extract(page).reason).endswith("cut off after 7 blocks")

    def test_an_empty_page_has_no_sentences(self) -> None:
        assert sentences("") == []
        assert str(Extractor("pyplexity").extract("").reason) == "no text"


class TestPlain:
    """The paper's method: its formula, its cut-off, and nothing else."""

    @pytest.fixture
    def model(self, tmp_path: Path) -> LanguageModel:
        """Return a model of three sentences, whose cut-off and doubt are those of nobody."""
        counts = NgramCounts(tmp_path, 2)
        counts.add(["the cat sat", "the dog sat", "the cat ran"])
        return LanguageModel("en", tuple(tables(counts, 10**6)[0]), cutoff=5.0, doubt=8.0)

    def test_perplexities_and_scores_by_hand(self, model: LanguageModel) -> None:
        # Nine words and three ends of sentences were counted: P(the) = P(end) = 3/12, P(cat) = P(sat) = 2/12.
        likely = [
            0.8 * 3 / 3 + 0.2 * 3 / 12,
            0.8 * 2 / 3 + 0.2 * 2 / 12,
            0.8 * 1 / 2 + 0.2 * 2 / 12,
            0.8 + 0.2 * 3 / 12,
        ]
        unknown = [1e-6, 0.2 * 3 / 12]
        cat, login = (math.prod(each) ** (-1 / len(each)) for each in (likely, unknown))
        assert (round(cat, 2), round(login)) == (1.54, 4472)
        limited = adjusted(Pyplexity(model), {"limit": 3000})
        page = Page.from_html("<p>The cat sat<p>Login")
        found = [float(each.partition("perplexity ")[2].split()[0].replace(",", "")) for (each,) in
                 limited.explain(page, limited.segment(page))]  # fmt: skip
        assert found == [round(cat), pytest.approx(login, rel=0.03)]  # probabilities are rounded to a byte
        expected = [0.5 * math.log(cat) / math.log(3000), 0.5 + 0.5 * math.log(login / 3000) / math.log(1e6 / 3000)]
        assert limited.score(page, limited.segment(page)).values == pytest.approx(expected, rel=0.05)
        assert Extractor(limited).extract(page).text == "The cat sat"

    def test_the_papers_cut_off_is_that_of_every_language(self) -> None:
        plain = Pyplexity.shipped("pyplexity-plain")
        for text in ("It had rained for nine days.", "Es hatte neun Tage lang geregnet, und die Straße war nicht da."):
            model = plain.model_for(Page.from_text(text))
            assert (model.cutoff, model.doubt) == (8000, 0)
        assert method("pyplexity-plain").name == "pyplexity-plain"
        assert pickle.loads(pickle.dumps(plain)).limit == 8000

    def test_a_short_sentence_is_not_doubted(self) -> None:
        page = "<p>It was a good day.<p>I do not know."
        assert dehusk.extract(page, method="pyplexity-plain").text == "It was a good day.\nI do not know."
        tuned, plain = (dehusk.extract(page, method=name).scores.values for name in ("pyplexity", "pyplexity-plain"))
        assert (plain < tuned).all()


class TestMethod:
    def test_sentences_stay_and_menus_go(self) -> None:
        text = dehusk.extract(ENGLISH, method="pyplexity").text
        assert text.splitlines()[-1] == "Then the wind went round to the north, and in the morning the sky was clear."
        assert "Nobody had seen the postman since the beginning of the week." in text
        assert not any(word in text for word in ("Home", "Contact", "Imprint"))

    @pytest.mark.parametrize("name", ["german", "french", "polish"])
    def test_golden_pages_in_other_languages(self, name: str) -> None:
        folder = PAGES / f"pyplexity-{name}"
        pinned = expected(folder)
        assert misses(pinned, document(folder, "pyplexity").text) == []
        # The wrong model fails.
        english = Extractor(Pyplexity(dehusk.Perplexity("en").model)).extract((folder / "source.html").read_bytes())
        assert misses(pinned, english.text) != []

    def test_dropped_sentences_leave_the_rest_of_their_paragraph(self) -> None:
        html = "<p>It had rained for nine days and nights. Kqx zzw FAQ §§ vvb! Then the sun came out again at last."
        found = dehusk.extract(html, method="pyplexity")
        assert found.text == "It had rained for nine days and nights. Then the sun came out again at last."

    def test_a_language_without_a_model_is_not_scored(self) -> None:
        found = dehusk.extract(f"<p>{RUSSIAN}", method="pyplexity")
        assert np.isnan(found.scores.values).all()
        assert found.text == " ".join(RUSSIAN.split())
        assert str(found.reason).startswith("there is no language model for 'ru'; there are de, en")

    def test_a_page_that_is_not_scored_counts_as_failed(self) -> None:
        (result,) = Extractor("pyplexity").extract_many([f"<p>{RUSSIAN}"], jobs=1)
        assert result.failed
        assert "no language model for 'ru'" in str(result.reason)

    def test_it_explains_itself(self) -> None:
        found = Extractor("pyplexity", explain=True).extract(ENGLISH)
        assert found.because
        assert found.because[0][0].startswith("- perplexity ")
        assert found.because[0][0].endswith("by the model en")
        assert any(facts[0].startswith("+ perplexity ") for facts in found.because)

    def test_it_can_be_pickled(self) -> None:
        assert pickle.loads(pickle.dumps(Pyplexity())) == Pyplexity()

    def test_all_formats_render_sentences(self) -> None:
        found = dehusk.extract(ENGLISH, method="pyplexity")
        for name in formats.names():
            assert "postman" in formats.render(found, name), name


class TestLanguage:
    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("It is not the rain that we fear, it is the wind that comes with it.", "en"),
            ("No es la lluvia lo que tememos, sino el viento que viene con ella por la noche.", "es"),
            ("Non è la pioggia che temiamo, ma il vento che viene con essa durante la notte.", "it"),
            ("Não é a chuva que tememos, mas o vento que vem com ela durante a noite.", "pt"),
            ("Ce n’est pas la pluie que nous craignons, mais le vent qui vient avec elle.", "fr"),
            ("Det är inte regnet som vi fruktar, utan vinden som kommer med det.", "sv"),
            ("OK", "en"),
            ("", "en"),
        ],
    )
    def test_the_language_of_a_page(self, text: str, code: str) -> None:
        assert language(Page.from_text(text)) == code

    def test_the_declared_language_of_a_short_page_counts(self) -> None:
        assert language(Page.from_html("<html lang=fr-CA><p>Bonjour")) == "fr"


class TestPlainText:
    WRAPPED = (
        "Home\nNews\nContact\n\n"
        "It had rained for nine days, and the road to the village of Lower\n"
        "Hadley was under water. Nobody had seen the postman since Monday.\n"
        "Then the wind went round.\n\n"
        "* one thing\n* another thing\n"
    )

    def test_wrapped_lines_are_one_block_and_no_sentence_is_cut(self) -> None:
        page = Page.from_text(self.WRAPPED)
        assert cut_sentences(page).strings() == [
            "Home",
            "News",
            "Contact",
            "It had rained for nine days, and the road to the village of Lower\nHadley was under water.",
            "Nobody had seen the postman since Monday.",
            "Then the wind went round.",
            "* one thing",
            "* another thing",
        ]

    def test_nothing_is_lost(self) -> None:
        assert Page.from_text(self.WRAPPED).text.split() == self.WRAPPED.split()

    def test_one_line_per_paragraph_stays_so(self) -> None:
        lines = ["A long paragraph on one line, " * 8 + "ends.", "Another one follows it here. " * 9]
        page = Page.from_text("\n".join(lines))
        assert len(dehusk.Extractor("alltext").extract(page).blocks) == 2

    def test_the_longest_item_of_a_list_is_a_block_of_its_own(self) -> None:
        items = [
            "Two men were seen on the old bridge at night",
            "Rain",
            "Mill to be sold after nine years",
            "Post late",
        ]
        page = Page.from_text("\n".join(items))
        assert dehusk.Extractor("alltext").extract(page).blocks.strings() == items

    def test_bytes_are_decoded(self) -> None:
        assert Page.from_text("Größe".encode("cp1252"), charset="windows-1252").text == "Größe"
        assert Page.from_text("\ufeffGröße".encode()).text == "Größe"

    def test_data_that_is_not_text_is_refused(self) -> None:
        assert str(Page.from_text(b"%PDF-1.7 ...").reason) == "not text: PDF"
        assert str(Page.from_text("x" * 20, limits=dehusk.Limits(bytes=10)).reason).startswith("too large")
