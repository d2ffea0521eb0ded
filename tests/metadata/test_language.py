import sys
from subprocess import run

import pytest

from dehusk import Page
from dehusk.metadata import language, read
from dehusk.metadata.language import Language, language_of

SENTENCES = {
    "en": "It rained all day, and nobody went out but the dog, who likes it.",
    "de": "Es regnete den ganzen Tag, und niemand ging hinaus außer dem Hund.",
    "fr": "Il a plu toute la journée et personne n'est sorti, sauf le chien.",
    "es": "Llovió todo el día y nadie salió de casa, excepto el perro.",
    "el": "Έβρεχε όλη μέρα και κανείς δεν βγήκε έξω εκτός από τον σκύλο.",
    "ru": "Весь день шёл дождь, и никто не выходил на улицу, кроме собаки.",
    "zh": "整天都在下雨，除了那只喜欢雨的狗以外，没有人出门去外面的街道上走一走看一看。",
    "ar": "هطل المطر طوال اليوم ولم يخرج أحد من البيت سوى الكلب الذي يحبه كثيرا.",
}


@pytest.mark.parametrize("code", SENTENCES)
def test_a_sentence_is_enough(code: str) -> None:
    found = language_of(SENTENCES[code], [("xx", "html lang")])
    assert (found.code, found.origin) == (code, "text")
    assert 0.7 <= found.confidence <= 1


def test_the_claim_of_the_page_decides_if_the_text_is_too_short() -> None:
    assert language_of("OK", [("", "html lang"), ("pt_BR", "opengraph")]) == Language("pt", 0.91, "opengraph")
    assert language_of("OK") == Language()
    assert language_of("1 2 3 " * 400) == Language()


@pytest.mark.parametrize(("confidence", "origin"), [(0.69, "html lang"), (0.7, "text")])
def test_the_claim_of_the_page_decides_if_the_detector_is_uncertain(
    monkeypatch: pytest.MonkeyPatch, confidence: float, origin: str
) -> None:
    monkeypatch.setattr(language, "_classify", lambda text: ("de", confidence))
    assert language_of(SENTENCES["de"], [("nl", "html lang")]).origin == origin


def test_the_language_is_claimed_in_four_places() -> None:
    for html in (
        "<html lang=fr><p>OK",
        '<meta property="og:locale" content="fr_FR"><p>OK',
        '<meta http-equiv="content-language" content="fr"><p>OK',
        '<script type="application/ld+json">{"@type": "Article", "inLanguage": "fr"}</script><p>OK',
    ):
        page = Page.from_html(html)
        assert read(page, page.text).language == "fr"


def test_a_clear_text_beats_a_wrong_claim() -> None:
    page = Page.from_html(f"<html lang=en><p>{SENTENCES['de']}")
    facts = read(page, page.text)
    assert (facts.language, facts.origin["language"]) == ("de", "text")
    assert facts.language_confidence is not None
    assert facts.language_confidence > 0.7


def test_the_model_is_loaded_only_on_request() -> None:
    code = (
        "import sys, dehusk; from dehusk.metadata import read\n"
        "page = dehusk.Page.from_html('<p>Some words')\n"
        "read(page, page.text, language=False)\n"
        "sys.exit('py3langid' in sys.modules)"
    )
    assert run([sys.executable, "-c", code], check=False).returncode == 0
