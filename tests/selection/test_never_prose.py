"""Form fields, data, templates and what only screen readers get are not kept."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from dehusk import Page
from dehusk.blocks import cut
from dehusk.selection import signs
from dehusk.selection.fast_signs import fill_signs
from dehusk.selection.never_prose import is_markup
from dehusk.selection.signs import read_signs
from testing.growth import FACTOR, LINEAR, exponent
from tests.helpers.compiled import held, uncompiled
from tests.selection.documents import lines, without
from tests.test_invariants import markup

TEXT = "The first hay was late."


@pytest.mark.parametrize(
    "html",
    [
        "<form><textarea>&lt;iframe src=x></textarea></form>",
        '<p>[gallery ids="1,2"]',
        "<p>[vc_row][vc_column width=1/2]",
        "<p>[/caption]",
        "<p>{{ user.name }}",
        '<p>{"@context": "https://schema.org", "@type": "Event"}',
        '<p>[{"id": 7}]',
        "<div class='label sr-only'>Opens in a new window</div>",
        "<div class=visually-hidden><p>Table of three products</div>",
        f"<noscript><p>{TEXT}</p></noscript>",
        "<div role=alertdialog aria-modal=true><div><h2>Cookies</h2></div></div>",
        "<main><section aria-modal=true><p>Subscribe.</p></section></main>",
        "<p><button><span>Add to basket</span></button></p>",
    ],
)
def test_it_is_dropped(html: str) -> None:
    assert lines(without(f"<p>{TEXT}</p>{html}")) == [TEXT]


@pytest.mark.parametrize(
    "html",
    [
        "<h1 class=sr-only>Hay</h1>",  # the title of the page
        "<p><span class=sr-only>Read on:</span> Hay and straw</p>",  # the block goes on in sight
        "<div class='sr-only-focusable modal hidden'>Hay</div>",
        "<p>[edit]",
        "<p>[1] Ibid.",
        "<p>[Translated from the German]",
        "<p>{a, b, c} is a set.",
        "<p>[vc_row] is a shortcode.",
        "<p>Dear {{ name }}, hello",
        "<pre>x</pre><p>{{ name }}",  # the page shows code
        "<noscript><p>Only here.</p></noscript>",
        "<div role=dialog><p>Size and care</p></div>",
        "<div aria-modal=false><p>Size and care</p></div>",
        "<h3><button>When is hay cut?</button></h3>",
        "<button aria-expanded=false>When is hay cut?</button>",
        "<button aria-controls=answer>When is hay cut?</button>",
        f"<div aria-modal=true><p>{TEXT} An article that is read in a dialog.</p></div>",
    ],
)
def test_it_stays(html: str) -> None:
    assert lines(without(f"<p>{TEXT}</p>{html}"))[1:]


@pytest.mark.parametrize(
    "html",
    ["<textarea>Only this.</textarea>", "<div class=sr-only>Only this.</div>", "<button>Only this.</button>"],
)
def test_it_stays_where_the_page_has_nothing_else(html: str) -> None:
    assert lines(without(html)) == ["Only this."]


@pytest.mark.parametrize(
    ("head", "piece"),
    [
        ("", "[a"), ("", "["), ("", "[a b="), ("", "{"), ("{{", "x"), ("", "{{x}}"), ('[{"', "x"), ("[{", " "),
        ("", "[/a]"), ("", "[a_"),
    ],
)  # fmt: skip
def test_no_text_takes_long(head: str, piece: str) -> None:
    small, large = (head + piece * count for count in (25_000, 25_000 * FACTOR))
    assert exponent(lambda: is_markup(small), lambda: is_markup(large)) < LINEAR


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(markup)
def test_signs_are_the_same_compiled_and_as_plain_python(monkeypatch: pytest.MonkeyPatch, html: str) -> None:
    plain = uncompiled("dehusk.selection.fast_signs").fill_signs
    monkeypatch.setattr(signs, "fill_signs", held(fill_signs, plain))
    blocks = cut(Page.from_html(f"<div class=sr-only>{html}</div><table><tr><td>{html}</table><textarea>{html}"))
    read_signs(blocks, np.arange(len(blocks)) % 2 == 0)


def test_fields_of_a_template_stay_on_a_page_that_shows_code() -> None:
    page = "<p>{{ name }}<p>Write it like that."
    assert without(page).text == "Write it like that."
    assert without(page + "<pre>x = 1</pre>").text.startswith("{{ name }}")


def test_text_that_begins_like_json_and_goes_on_is_no_markup() -> None:
    assert is_markup('{"name": "hay"}')
    assert not is_markup('{"name": "hay"} is an object.')
