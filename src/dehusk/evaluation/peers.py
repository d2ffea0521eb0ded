"""Peers: other extraction tools, each as one function from a decoded page to its main text.

Every peer runs as the first example of its documentation shows; an option is set only if the default would access the
network or let the result depend on earlier pages, and the language and the address if the tool takes them. Nothing is
imported before a peer is used, and the caller handles what a peer raises.
"""

import logging
import shlex
import sys
import warnings
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module, metadata
from pathlib import Path
from typing import Any, Final

from turbohtml import parse

from dehusk.errors import UsageError
from dehusk.evaluation.node import Node
from dehusk.extras import find_clone, install_command
from dehusk.models.registry import METHODS
from dehusk.plugins import Table, check_types

ORACLE: Final = "oracle"  # the name of the upper bound, which is no peer


@dataclass(frozen=True, slots=True)
class Hints:
    """What is known about a page apart from its HTML; None = unknown."""

    language: str | None = None
    url: str | None = None


# The imported module, the page, what is known about it. The module is passed as Any: most peers have no types, and type
# checking must not depend on which of them are installed.
PeerFunction = Callable[[Any, str, Hints], str]


@dataclass(frozen=True, slots=True)
class Peer:
    """One tool in one setting: `package` is what pip installs, `module` what Python imports."""

    name: str
    package: str
    module: str
    function: PeerFunction
    python: tuple[int, int] = (3, 11)
    only_python: bool = False  # whether later versions cannot install it either
    # From the imported module to the languages whose words it knows; None if it takes no language.
    languages: Callable[[Any], Collection[str]] | None = None

    def __post_init__(self) -> None:
        check_types(self, name=str, package=str, module=str)
        if not callable(self.function):
            raise UsageError(f"function must be one, got {self.function!r:.100}")

    def knows(self, language: str | None) -> bool:
        """Return whether it knows the words of a language, or needs none.

        >>> PEERS["turbohtml"].knows("tlh")
        True
        """
        return self.languages is None or _primary(language) in self.languages(self.load())

    def version(self) -> str:
        """Return the installed version."""
        return metadata.version(self.package)

    def load(self) -> Any:
        """Import the tool, so that its first page is timed like any other, and silence its log messages.

        Raises ImportError if the tool, or something it needs, is missing.
        """
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tool = import_module(self.module)
        # Nothing is logged above CRITICAL, and the loggers of submodules inherit the level.
        logging.getLogger(self.module.partition(".")[0]).setLevel(logging.CRITICAL + 1)
        return tool

    def remedy(self) -> str:
        """Return what to do if the tool cannot be loaded."""
        if sys.version_info < self.python or (self.only_python and sys.version_info[:2] != self.python):
            return f"{self.package} needs Python {self.python[0]}.{self.python[1]}"
        return install_command("peers") if self.name in PEERS.built_in else f"pip install {self.package}"

    def run(self, html: str, language: str | None = None, url: str | None = None) -> str:
        r"""Return what the tool considers the main text.

        `language` (such as "de") helps those with word lists, `url` those that know sites or kinds of addresses.

        >>> PEERS["turbohtml"].run("<article><h1>Rain</h1><p>It rained all day, and nobody went out.</p></article>")
        'Rain\n\nIt rained all day, and nobody went out.'
        """
        tool = sys.modules.get(self.module) or self.load()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self.function(tool, html, Hints(language, url))


@dataclass(frozen=True, slots=True)
class NodePeer(Peer):
    """A tool that runs in Node: `package` is what npm installs."""

    def version(self) -> str:
        """Return the installed version."""
        return self.load().load(self.package)

    def load(self) -> Node:
        """Load the tool in the process of Node, which all such peers share; raises ImportError if it cannot."""
        node = shared_node()
        node.load(self.package)
        return node

    def remedy(self) -> str:
        """Return what to do if the tool cannot be loaded."""
        clone, _ = find_clone()
        folder = "" if clone in (None, Path.cwd()) else f" -C {shlex.quote(str(clone))}"
        return f"with Node 18 or newer, in a clone of dehusk: make{folder} peers"


@cache
def shared_node() -> Node:
    """Return the process of Node, which starts when the first tool is loaded."""
    clone, _ = find_clone()
    return Node(clone / "web" / "peers" if clone else None)


def installed_peers(names: Iterable[str] | None = None) -> tuple[dict[str, Peer], dict[str, str]]:
    """Return the peers that can run here, loaded, and for each of the others the reason why it cannot.

    >>> available, missing = installed_peers(["turbohtml"])
    >>> list(available), missing
    (['turbohtml'], {})
    """
    available: dict[str, Peer] = {}
    missing: dict[str, str] = {}
    for name in PEERS if names is None else names:
        try:
            peer = PEERS[name]
            peer.load()
        except UsageError as error:  # a plug-in that does not load
            missing[name] = str(error)
        except ImportError as error:
            missing[name] = f"{error}; {peer.remedy()}"
        else:
            available[name] = peer
    return available, missing


def find_peer(name: str) -> Peer:
    """Return the peer of that name.

    >>> find_peer("readable")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    dehusk.errors.UsageError: there is no peer 'readable'; choose from trafilatura, trafilatura-fast, ...
    """
    if name not in PEERS:
        raise UsageError(f"there is no peer {name!r}; choose from {', '.join(PEERS)}", setting="method")
    return PEERS[name]


def _trafilatura(tool: Any, html: str, hints: Hints, mode: str | None = None) -> str:
    # Its memory of segments seen before is shared by the whole process: with it, a page's text would depend on the
    # order of the pages. It is off by default; set here so that it stays off.
    return tool.extract(html, deduplicate=False, **({mode: True} if mode else {})) or ""


def _justext(tool: Any, html: str, hints: Hints) -> str:
    words = _stoplist(_primary(hints.language) or "en")
    # Without a list its manual sets both thresholds to 0, so that words play no part in the decision.
    thresholds = {} if words else {"stopwords_low": 0.0, "stopwords_high": 0.0}
    paragraphs = tool.justext(html, words, **thresholds)
    return "\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate)


@cache
def _stoplist(language: str) -> frozenset[str]:
    """Return jusText's frequent words of a language, none if it has no list."""
    name = STOPLISTS.get(language)
    return frozenset(import_module("justext").get_stoplist(name)) if name else frozenset()


def _primary(language: str | None) -> str:
    """Return the code of a language without its region.

    >>> _primary("pt-BR"), _primary(None)
    ('pt', '')
    """
    return (language or "").partition("-")[0].lower()


def _text_of(html: str) -> str:
    r"""Return the plain text of a peer that returns HTML: words stay whole, blocks and cells stay separate.

    >>> _text_of("<div><p><b>W</b>ord</p><p>Next</p></div>")
    'Word\n\nNext'
    """
    return parse(html).to_text()


def _boilerpy3(tool: Any, html: str, hints: Hints, extractor: str = "ArticleExtractor") -> str:
    return str(getattr(tool, extractor)().get_content(html))


def _newspaper4k(tool: Any, html: str, hints: Hints) -> str:
    # The address must not be empty, but nothing is fetched: the page is passed in, and images are off.
    # Without a language that it knows it trusts the page's own claim, then English.
    code = _primary(hints.language)
    known = {"language": code} if code in _newspaper4k_languages(tool) else {}
    article = tool.Article("https://page.invalid/", fetch_images=False, **known)
    article.download(input_html=html)
    article.parse()
    return str(article.text)


def _goose3(tool: Any, html: str, hints: Hints) -> str:
    # Without a language that it knows it trusts the page's own claim, then English.
    code = _primary(hints.language)
    known = {"target_language": code, "use_meta_language": False} if code in _goose3_languages(tool) else {}
    with tool.Goose({"enable_image_fetching": False, **known}) as goose:
        return str(goose.extract(raw_html=html).cleaned_text)


@cache
def _newspaper4k_languages(tool: Any) -> Collection[str]:
    return frozenset(import_module(f"{tool.__name__}.article").get_available_languages())


@cache
def _goose3_languages(tool: Any) -> Collection[str]:
    files = Path(tool.__file__).parent.glob("resources/text/stopwords-*.txt")
    return frozenset(path.stem.removeprefix("stopwords-") for path in files)


def _node_peer(name: str, package: str) -> NodePeer:
    return NodePeer(name, package, "", lambda tool, html, hints: _text_of(tool.extract(package, html, hints.url)))


PEERS: Final = Table(
    "dehusk.extractors",
    Peer,
    UsageError,
    (
        Peer("trafilatura", "trafilatura", "trafilatura", _trafilatura),
        Peer("trafilatura-fast", "trafilatura", "trafilatura", partial(_trafilatura, mode="fast")),
        Peer("trafilatura-precision", "trafilatura", "trafilatura", partial(_trafilatura, mode="favor_precision")),
        Peer("trafilatura-recall", "trafilatura", "trafilatura", partial(_trafilatura, mode="favor_recall")),
        Peer(
            "resiliparse",
            "resiliparse",
            "resiliparse.extract.html2text",
            lambda tool, html, hints: str(tool.extract_plain_text(html, main_content=True)),
        ),
        Peer("justext", "jusText", "justext", _justext, languages=lambda tool: STOPLISTS),
        Peer(
            "readability-lxml",
            "readability-lxml",
            "readability",
            lambda tool, html, hints: _text_of(tool.Document(html).summary(html_partial=True)),
        ),
        Peer("boilerpy3", "boilerpy3", "boilerpy3.extractors", _boilerpy3),
        Peer(
            "boilerpy3-default", "boilerpy3", "boilerpy3.extractors", partial(_boilerpy3, extractor="DefaultExtractor")
        ),
        Peer("newspaper4k", "newspaper4k", "newspaper", _newspaper4k, languages=_newspaper4k_languages),
        Peer("goose3", "goose3", "goose3", _goose3, languages=_goose3_languages),
        Peer(
            "magic-html",
            "magic-html",
            "magic_html",
            lambda tool, html, hints: _text_of(tool.GeneralExtractor().extract(html)["html"] or ""),
            python=(3, 12),
        ),
        Peer("inscriptis", "inscriptis", "inscriptis", lambda tool, html, hints: str(tool.get_text(html))),
        Peer("turbohtml", "turbohtml", "turbohtml", lambda tool, html, hints: str(tool.parse(html).main_text())),
        Peer(
            "rs-trafilatura",
            "rs-trafilatura",
            "rs_trafilatura",
            lambda tool, html, hints: str(tool.extract(html, url=hints.url).main_content),
            python=(3, 12),
            only_python=True,
        ),
        _node_peer("defuddle", "defuddle"),
        _node_peer("readability-js", "@mozilla/readability"),
    ),
    reserved=(*METHODS.built_in, ORACLE),
)

# Primary language subtag → the name of jusText's list; it has none for Chinese, Japanese and Thai.
# fmt: off
STOPLISTS: Final[dict[str, str]] = {
    "af": "Afrikaans", "ar": "Arabic", "az": "Azerbaijani", "be": "Belarusian", "bg": "Bulgarian", "bn": "Bengali",
    "bs": "Bosnian", "ca": "Catalan", "cs": "Czech", "cy": "Welsh", "da": "Danish", "de": "German", "el": "Greek",
    "en": "English", "eo": "Esperanto", "es": "Spanish", "et": "Estonian", "eu": "Basque", "fa": "Persian",
    "fi": "Finnish", "fr": "French", "ga": "Irish", "gl": "Galician", "gu": "Gujarati", "he": "Hebrew", "hi": "Hindi",
    "hr": "Croatian", "hu": "Hungarian", "hy": "Armenian", "id": "Indonesian", "is": "Icelandic", "it": "Italian",
    "ka": "Georgian", "kk": "Kazakh", "ko": "Korean", "lb": "Luxembourgish", "lt": "Lithuanian", "lv": "Latvian",
    "mk": "Macedonian", "ms": "Malay", "nb": "Norwegian_Bokmal", "nl": "Dutch", "nn": "Norwegian_Nynorsk",
    "no": "Norwegian_Bokmal", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sk": "Slovak",
    "sl": "Slovenian", "sq": "Albanian", "sr": "Serbian", "sv": "Swedish", "sw": "Swahili", "ta": "Tamil",
    "te": "Telugu", "tl": "Tagalog", "tr": "Turkish", "uk": "Ukrainian", "ur": "Urdu", "vi": "Vietnamese",
}
# fmt: on
