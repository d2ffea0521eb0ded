import contextlib
import itertools
import logging
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import pytest

from dehusk.errors import UsageError
from dehusk.evaluation.peers import PEERS, STOPLISTS, Hints, NodePeer, Peer, find_peer, installed_peers
from dehusk.extras import install_command
from testing.needed import skip_unless

SENTENCES = (
    "The ferry to the island leaves at seven in the morning, and it is the only one of the day.",
    "Most of the people on board are on their way to the market, where they sell what they have grown.",
    "It was raining when we came to the harbour, so we waited in the small café at the end of the pier.",
    "The woman who runs it told us that the winters are long, and that nobody comes before the end of May.",
    "When the sun came out at last, the whole village was on the beach to see the boats come back.",
)
# jusText trusts a paragraph of more than 200 characters, and the shorter ones only beside it.
BODY = "".join(f"<p>{one} {two} {one}</p>\n" for one, two in itertools.pairwise((*SENTENCES, SENTENCES[0])))
ARTICLE = f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>The ferry to the island</title></head><body>
<nav><ul><li><a href="/">Home</a></li><li><a href="/sport">Sport</a></li><li><a href="/art">Art</a></li></ul></nav>
<main><article><h1>The ferry to the island</h1>{BODY}</article></main>
<footer><p><a href="/imprint">Imprint</a> <a href="/privacy">Privacy</a></p></footer></body></html>"""
HERE = [name for name, peer in PEERS.items() if peer.module and find_spec(peer.module.partition(".")[0])]
IN_NODE = [name for name, peer in PEERS.items() if isinstance(peer, NodePeer)]
PACKAGES = Path(__file__).parents[2] / "web" / "peers" / "node_modules"
RUNNING = [*HERE, *(pytest.param(name, marks=pytest.mark.slow) for name in IN_NODE)]  # `make check` has no Node
TRAFILATURA = pytest.mark.skipif(not find_spec("trafilatura"), reason="trafilatura is not installed")


@pytest.fixture(autouse=True)
def _node(request: pytest.FixtureRequest) -> None:
    if request.node.get_closest_marker("slow"):
        skip_unless(shutil.which("node") and PACKAGES.is_dir(), "Node and what `make peers` installs")


@pytest.mark.parametrize("name", RUNNING)
def test_every_installed_peer_finds_the_body_of_a_plain_article(name: str) -> None:
    peer = PEERS[name]
    text = peer.run(ARTICLE, "en")
    assert isinstance(text, str)
    assert sum(sentence in " ".join(text.split()) for sentence in SENTENCES) >= 4
    assert peer.version()[0].isdigit()


@pytest.mark.parametrize("name", RUNNING)
def test_a_peer_s_answer_does_not_depend_on_the_page_before(name: str) -> None:
    peer = PEERS[name]
    before = peer.run(ARTICLE)
    for _ in range(3):
        peer.run(ARTICLE.replace("ferry", "bus"))
    assert peer.run(ARTICLE) == before


@pytest.mark.parametrize("name", RUNNING)
def test_a_peer_logs_and_prints_nothing(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    logging.basicConfig(level=logging.DEBUG)
    peer = PEERS[name]
    peer.load()
    for page in (ARTICLE, "<p>x", '<?xml version="1.0" encoding="utf-8"?><html><p>x</p></html>'):
        with contextlib.suppress(Exception):  # what a peer raises is no concern of this test
            peer.run(page)
    assert capfd.readouterr() == ("", "")


def test_peers_that_cannot_be_imported_are_named_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "inscriptis", None)
    monkeypatch.setitem(sys.modules, "magic_html", None)
    available, missing = installed_peers(["turbohtml", "inscriptis", "magic-html"])
    assert list(available) == ["turbohtml"]
    assert missing["inscriptis"].endswith(f"; {install_command('peers')}")
    assert ("needs Python 3.12" in missing["magic-html"]) == (sys.version_info < (3, 12))


def test_a_wheel_for_one_python_is_named_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rs_trafilatura", None)
    for version, remedy in (
        ((3, 11, 7), "rs-trafilatura needs Python 3.12"),
        ((3, 12, 1), install_command("peers")),
        ((3, 13, 0), "rs-trafilatura needs Python 3.12"),
    ):
        monkeypatch.setattr(sys, "version_info", version)
        assert installed_peers(["rs-trafilatura"])[1]["rs-trafilatura"].endswith(f"; {remedy}")


def test_rs_trafilatura_is_given_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    def extract(html: str, url: str | None) -> SimpleNamespace:
        return SimpleNamespace(main_content=f"{html} of {url}")

    monkeypatch.setitem(sys.modules, "rs_trafilatura", SimpleNamespace(extract=extract))
    assert PEERS["rs-trafilatura"].run("A page", url="https://example.org/") == "A page of https://example.org/"


def test_every_peer_is_either_available_or_missing() -> None:
    available, missing = installed_peers()
    assert [name for name in PEERS if name in available or name in missing] == list(PEERS)
    assert not available.keys() & missing.keys()
    assert {*HERE, *IN_NODE} >= available.keys()


def test_an_unknown_peer_is_a_wrong_argument() -> None:
    with pytest.raises(UsageError, match="there is no peer 'lynx'; choose from trafilatura"):
        find_peer("lynx")


def test_what_a_peer_raises_reaches_the_caller() -> None:
    def fail(tool: object, html: str, hints: Hints) -> str:
        raise RecursionError(html)

    with pytest.raises(RecursionError, match="deep"):
        Peer("failing", "turbohtml", "turbohtml", fail).run("deep")


@pytest.mark.skipif(not find_spec("justext"), reason="jusText is not installed")
def test_justext_has_every_list_of_the_table_and_does_without_for_other_languages() -> None:
    justext = PEERS["justext"].load()
    assert set(STOPLISTS.values()) <= justext.get_stoplists()
    german = "<p>" + "Der Hund und die Katze sind mit dem Kind in den Garten gegangen, weil es nicht mehr regnet. " * 4
    chinese = "<p>" + "雨下了一整天，没有人出门，直到晚上才停下来。" * 20
    assert PEERS["justext"].run(german, "de")
    assert not PEERS["justext"].run(german, "en")
    assert PEERS["justext"].run(chinese, "zh")


@pytest.mark.parametrize("name", [name for name in HERE if PEERS[name].languages])
def test_a_peer_says_which_languages_it_knows_and_takes_others(name: str) -> None:
    peer = PEERS[name]
    assert peer.knows("de")
    assert peer.knows("pt-BR")
    assert not peer.knows("tlh")
    assert not peer.knows(None)
    for language in ("de", "pt-BR", "tlh", None):
        assert isinstance(peer.run(ARTICLE, language), str)


@TRAFILATURA
@pytest.mark.parametrize("mode", ["fast", "precision", "recall"])
def test_trafilatura_s_modes_are_known_to_it(mode: str) -> None:
    assert PEERS[f"trafilatura-{mode}"].run(ARTICLE)
