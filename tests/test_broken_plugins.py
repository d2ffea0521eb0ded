"""Plug-ins with mistakes: what each costs, whom it concerns, and what its author reads."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dehusk.errors import UsageError
from dehusk.evaluation.peers import PEERS
from dehusk.formats import FORMATS
from testing.server import server
from tests.helpers.plugins import LONG, PAGE, Run, describe, environment, runner, write_pages

HEAD = """
import sys
import numpy as np
from dehusk import Scores
from dehusk.blocks import cut
from dehusk.formats import PLAIN, Format, Stream
from dehusk.models.registry import Entry


class Plain:
    name = "plain"

    def segment(self, page):
        return cut(page)

    def score(self, page, blocks):
        return Scores(blocks, np.zeros(len(blocks)), self.name)


def render(document, *, every=False, look=PLAIN):
    return document.text


"""


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """Return a folder with two pages."""
    return write_pages(tmp_path)


@pytest.fixture
def command(pages: Path) -> Callable[..., Run]:
    """Return a function that installs a plug-in of this code and returns the command line that finds it."""

    def install(code: str, **groups: dict[str, str]) -> Run:
        (pages / "site").mkdir()
        (pages / "site" / "plug.py").write_text(HEAD + code, encoding="utf-8")
        describe(pages / "site", "odd-plugin", {f"dehusk.{group}": points for group, points in groups.items()})
        run = runner(environment(pages / "site"), pages)
        return lambda *arguments, stdin="": run("-m", "dehusk", *arguments, stdin=stdin)

    return install


UNSCORED = """
class Unscored(Plain):
    def score(self, page, blocks):
        return Scores(blocks, np.full(len(blocks), np.nan), self.name)


ENTRY = Entry("unscored", Unscored, "a block", "scores nothing")
"""


def test_a_page_of_which_no_block_has_a_score_fails_with_a_reason(command: Callable[..., Run], pages: Path) -> None:
    run_dehusk = command(UNSCORED, methods={"unscored": "plug:ENTRY"})
    ended = run_dehusk("extract", "-m", "unscored", "a.html")
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, "", "dehusk: a.html: no block could be scored\n")
    ended = run_dehusk("extract", "-m", "unscored", "-o", "out", "a.html", "b.html")
    assert (ended.returncode, "2 not scored" in ended.stderr) == (1, True)
    assert list((pages / "out").glob("*.txt")) == []
    record = json.loads(run_dehusk("extract", "-m", "unscored", stdin=json.dumps({"html": PAGE}) + "\n").stdout)
    assert (record["reason_code"], record["reason"]) == ("not-scored", "no block could be scored")


def test_the_server_reports_a_page_of_which_no_block_has_a_score(tmp_path: Path) -> None:
    pytest.importorskip("fastapi")
    (tmp_path / "plug.py").write_text(HEAD + UNSCORED + BYTES, encoding="utf-8")
    points = {"dehusk.methods": {"unscored": "plug:ENTRY"}, "dehusk.formats": {"bytes": "plug:BYTES"}}
    describe(tmp_path, "odd-plugin", points)
    with server("--jobs", "1", **environment(tmp_path)) as started:
        reply = started.ask("/v1/extract?method=unscored", PAGE)
        assert (reply.status, reply.json["code"], reply.json["reason_code"]) == (422, "page-failed", "not-scored")
        reply = started.ask("/v1/extract?format=bytes", PAGE)
        assert (reply.status, reply.json["code"], reply.json["reason_code"]) == (422, "page-failed", "failed")


BYTES = 'BYTES = Format("bytes", lambda document, **_: b"bytes", (".bin",))\n'


def test_a_format_that_returns_no_string_is_the_reason_of_a_page_that_failed(command: Callable[..., Run]) -> None:
    run_dehusk = command(BYTES, formats={"bytes": "plug:BYTES"})
    message = "failed: TypeError: format 'bytes' returned bytes, expected a string"
    ended = run_dehusk("extract", "-f", "bytes", "a.html")
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, "", f"dehusk: a.html: {message}\n")
    ended = run_dehusk("extract", "-f", "bytes", "-q", "a.html", "b.html")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == f"dehusk: a.html: {message}\ndehusk: b.html: {message}\n"
    record = json.loads(run_dehusk("extract", "-f", "bytes", stdin=json.dumps({"html": PAGE}) + "\n").stdout)
    assert record["reason"] == message


def test_what_a_plug_in_prints_on_import_is_not_between_the_pages(command: Callable[..., Run]) -> None:
    upper = 'UPPER = Format("upper", lambda document, **_: document.text.upper(), (".up",))\nprint("loaded")\n'
    run_dehusk = command(upper, formats={"upper": "plug:UPPER"})
    ended = run_dehusk("extract", "-f", "upper", "a.html")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, f"MENU\n{LONG.upper()}\n", "loaded\n")


@pytest.mark.parametrize("output", ["plain text", "[1, 2]", '{"a":\\n1}'], ids=["text", "list", "two lines"])
def test_a_format_that_writes_no_json_object_though_it_says_so_fails(output: str, command: Callable[..., Run]) -> None:
    code = f"""ODD = Format("odd", lambda document, **_: '{output}', (".odd",), is_object=True)"""
    run_dehusk = command(code, formats={"odd": "plug:ODD"})
    for pages in (["a.html"], ["a.html", "b.html"]):
        ended = run_dehusk("extract", "-f", "odd", *pages)
        assert (ended.returncode, ended.stdout) == (1, "")
        assert "a.html: failed: ValueError: format 'odd' returned '" in ended.stderr
        assert "expected one JSON object on one line" in ended.stderr


@pytest.mark.parametrize("piece", ["1 / 0", "None", "b''"], ids=["raises", "none", "bytes"])
def test_a_format_that_fails_to_join_a_page_is_an_error_of_one_line(piece: str, command: Callable[..., Run]) -> None:
    code = f"""ODD = Format("odd", render, (".odd",), several=Stream("", lambda index, name, output: {piece}, ""))"""
    ended = command(code, formats={"odd": "plug:ODD"})("extract", "-q", "-f", "odd", "a.html", "b.html")
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (2, "", 1)
    assert ended.stderr.startswith("dehusk: format 'odd' cannot join several pages: ")


@pytest.mark.parametrize(
    "statement", ["sys.exit(7)", "raise GeneratorExit", "class Stop(BaseException): pass\nraise Stop"]
)
def test_a_plug_in_that_ends_python_on_import_disturbs_no_one_else(statement: str, command: Callable[..., Run]) -> None:
    points = {"quitting": "plug:X"}
    run_dehusk = command(statement, methods=points, formats=points, extractors=points)
    ended = run_dehusk("extract", "-o", "x.num", "a.html")  # searches all formats for the suffix
    assert (ended.returncode, ended.stderr) == (0, "")
    listed = run_dehusk("models")
    assert (listed.returncode, "kernel*" in listed.stdout) == (0, True)
    assert "odd-plugin 1.0 adds 'quitting' to dehusk.methods, but does not load" in listed.stderr
    ended = run_dehusk("extract", "-f", "quitting", "a.html")
    assert (ended.returncode, "odd-plugin 1.0 adds 'quitting' to dehusk.formats" in ended.stderr) == (2, True)


BROKEN_METHODS = """
class NeedsArgument(Plain):
    def __init__(self, x):
        pass


class Odd(Plain):
    capabilities = {"refines": True}


class OddSettings(Plain):
    settings = ("a",)


class WithoutWeights(Plain):
    @classmethod
    def shipped(cls, name):
        raise FileNotFoundError("weights.npz")


class ShipsNothing(Plain):
    @classmethod
    def shipped(cls, name):
        return None


class Quits(Plain):
    @classmethod
    def shipped(cls, name):
        sys.exit(7)


ENTRIES = {
    "lazy": lambda: Entry("lazy", "no_such_module:C", "a block", "does"),
    "argument": lambda: Entry("argument", NeedsArgument, "a block", "does"),
    "object": lambda: Entry("object", Plain(), "a block", "does"),
    "weights": lambda: Entry("weights", WithoutWeights, "a block", "does"),
    "nothing": lambda: Entry("nothing", ShipsNothing, "a block", "does"),
    "quits": lambda: Entry("quits", Quits, "a block", "does"),
    "odd": lambda: Entry("odd", Odd, "a block", "does"),
    "settings": lambda: Entry("settings", OddSettings, "a block", "does"),
    "none": lambda: Entry("none", Plain, None, None),
    "variant": lambda: Entry("variant", Plain, "a block", "does", variant_of="no-such-method"),
    "extra": lambda: Entry("extra", Plain, "a block", "does", extra="torchy"),
}


def __getattr__(name):
    return ENTRIES[name]()
"""
LISTED_AS_BROKEN = {
    "lazy": "ModuleNotFoundError: No module named 'no_such_module'",
    "object": "UsageError: method_class must be a class, or a string that names one, got <plug.Plain object",
    "odd": "UsageError: capabilities of a method must be a Capabilities, got {'refines': True}",
    "settings": "UsageError: settings must be a tuple of Setting, got ('a',)",
    "none": "UsageError: block must be a string, got None",
    "variant": "UsageError: variant_of must be the name of another method, got 'no-such-method'",
    "extra": "UsageError: extra must be one of those of dehusk itself, got 'torchy'",
}
BROKEN_IN_USE = LISTED_AS_BROKEN | {
    "argument": "TypeError: NeedsArgument.__init__() missing 1 required positional argument: 'x'",
    "weights": "FileNotFoundError: weights.npz",
    "nothing": "TypeError: expected a method, an object with name, segment and score, got None",
    "quits": "SystemExit: 7",
}


def test_methods_with_wrong_content_are_named_in_one_line_where_they_are_used(
    command: Callable[..., Run], pages: Path
) -> None:
    run_dehusk = command(BROKEN_METHODS, methods={name: f"plug:{name}" for name in BROKEN_IN_USE})
    listed = run_dehusk("models")
    assert (listed.returncode, "kernel*" in listed.stdout, "argument " in listed.stdout) == (0, True, True)
    assert len(listed.stderr.splitlines()) == len(LISTED_AS_BROKEN)
    for name, problem in BROKEN_IN_USE.items():
        message = f"odd-plugin 1.0 adds '{name}' to dehusk.methods, but does not load: {problem}"
        assert (message in listed.stderr) is (name in LISTED_AS_BROKEN)
        ended = run_dehusk("extract", "-m", name, "a.html")
        assert (ended.returncode, ended.stdout, len(ended.stderr.splitlines())) == (2, "", 1)
        assert message in ended.stderr


def test_the_server_lists_its_methods_though_some_are_broken(tmp_path: Path) -> None:
    pytest.importorskip("fastapi")
    (tmp_path / "plug.py").write_text(HEAD + BROKEN_METHODS, encoding="utf-8")
    describe(tmp_path, "odd-plugin", {"dehusk.methods": {name: f"plug:{name}" for name in BROKEN_IN_USE}})
    with server("--jobs", "1", **environment(tmp_path)) as started:
        names = [method["name"] for method in started.ask("/v1/methods").json["methods"]]
        assert set(names) & set(BROKEN_IN_USE) == set(BROKEN_IN_USE) - set(LISTED_AS_BROKEN)
        reply = started.ask("/v1/extract?method=weights", PAGE)
        assert (reply.status, reply.json["code"]) == (422, "method-unavailable")
        assert "".join(started.log).count("odd-plugin 1.0 adds") == len(LISTED_AS_BROKEN)


def test_a_model_folder_that_a_plug_in_cannot_read_is_an_error_of_one_line(
    command: Callable[..., Run], pages: Path
) -> None:
    code = """
class Loads(Plain):
    @classmethod
    def load(cls, folder):
        return 1 / 0


LOADS = Entry("loads", Loads, "a block", "does")
PLAIN_ENTRY = Entry("plain", Plain, "a block", "does")
"""
    run_dehusk = command(code, methods={"loads": "plug:LOADS", "plain": "plug:PLAIN_ENTRY"})
    (pages / "mine").mkdir()
    for name, problem in {
        "loads": "odd-plugin 1.0 adds 'loads' to dehusk.methods, but does not load: ZeroDivisionError: division",
        "plain": "is for the method 'plain', which has no trained models; those of kernel, texrex,",
        "short": "is for the method 'short', which is not installed; this version knows kernel, texrex,",
    }.items():
        (pages / "mine" / "model.json").write_text(json.dumps({"format": 1, "method": name}), encoding="utf-8")
        ended = run_dehusk("extract", "-m", "mine", "a.html")
        assert (ended.returncode, ended.stdout, len(ended.stderr.splitlines())) == (2, "", 1)
        assert problem in ended.stderr


def test_a_method_that_calls_exit_fails_with_that_reason(command: Callable[..., Run]) -> None:
    code = """
class Exits(Plain):
    def score(self, page, blocks):
        sys.exit("no more")


EXITS = Entry("exits", Exits, "a block", "does")
"""
    ended = command(code, methods={"exits": "plug:EXITS"})("extract", "-m", "exits", "a.html")
    assert (ended.returncode, ended.stderr) == (1, "dehusk: a.html: failed: SystemExit: no more\n")


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"suffixes": ".up"}, "suffixes must be a tuple of strings, got '.up'; is a comma missing?"),
        ({"suffixes": ()}, r"suffixes must be at least one, each with its dot, got \(\)"),
        ({"suffixes": ("up",)}, r"suffixes must be at least one, each with its dot, got \('up',\)"),
        ({"aliases": "up"}, "aliases must be a tuple of strings, got 'up'; is a comma missing?"),
        ({"options": "nfc"}, "options must be a tuple of strings, got 'nfc'; is a comma missing?"),
        ({"media_type": None}, "media_type must be a string, got None"),
        ({"media_type": "text"}, "a media type must be like text/plain, got 'text'"),
        ({"media_type": "text/füm"}, "a media type must be like text/plain, got 'text/füm'"),
        ({"other_media_types": ("text/plain; charset=utf-8",)}, "a media type must be like text/plain, got 'text/pl"),
        ({"name": 1}, "name must be a string, got 1"),
    ],
)
def test_a_format_with_wrong_fields_cannot_be_made(fields: dict[str, Any], problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        replace(FORMATS["text"], **fields)


@pytest.mark.parametrize("fields", [{"name": None}, {"package": 1}, {"module": None}, {"function": "text"}])
def test_a_peer_with_wrong_fields_cannot_be_made(fields: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=f"{next(iter(fields))} must be"):
        replace(PEERS["turbohtml"], **fields)


def test_a_format_that_cannot_join_pages_writes_one_page_and_of_two_nothing(command: Callable[..., Run]) -> None:
    code = """
LOST = Format("lost", render, (".bs",), several="no_such_module:X")
ARITY = Format("arity", render, (".bs",), several=Stream("begin", lambda index: "x", "end"))
BEGIN = Format("begin", render, (".bs",), several=Stream(None, lambda index, name, output: output, ""))
LAZY = Format("lazy", "plug:no_such_function", (".bs",))
"""
    run_dehusk = command(code, formats={name.lower(): f"plug:{name}" for name in ("LOST", "ARITY", "BEGIN", "LAZY")})
    for name in ("lost", "arity", "begin"):
        assert run_dehusk("extract", "-f", name, "a.html").returncode == 0
        ended = run_dehusk("extract", "-f", name, "a.html", "b.html")
        assert (ended.returncode, ended.stdout, len(ended.stderr.splitlines())) == (2, "", 1)
        assert f"format '{name}' cannot join several pages: " in ended.stderr
    ended = run_dehusk("extract", "-f", "lazy", "a.html")
    assert (ended.returncode, ended.stdout, len(ended.stderr.splitlines())) == (2, "", 1)
    assert "odd-plugin 1.0 adds 'lazy' to dehusk.formats, but does not load: AttributeError" in ended.stderr


def test_names_and_aliases_of_built_in_formats_are_not_replaced(command: Callable[..., Run], pages: Path) -> None:
    code = """
MD = Format("md", lambda document, **_: "mine", (".mine",))
MINE = Format("mine", lambda document, **_: "mine", (".mine",), aliases=("md", "text", "own"))
"""
    run_dehusk = command(code, formats={"md": "plug:MD", "mine": "plug:MINE"})
    assert run_dehusk("extract", "-f", "md", "-m", "alltext", stdin="<h1>Rain</h1>").stdout == "# Rain\n"
    assert run_dehusk("extract", "-f", "own", "a.html").stdout == "mine\n"
    run = runner(environment(pages / "site"), pages)
    ended = run("-c", "from dehusk.formats import FORMATS, names\nprint(names(), *FORMATS.usable()[1], sep='\\n')")
    listed, *problems = ended.stdout.splitlines()
    assert listed == "['cleaneval', 'html', 'json', 'markdown', 'mine', 'report', 'tei', 'text', 'xml']"
    assert problems == [
        "odd-plugin 1.0 adds 'md' to dehusk.formats, which is built in: not used",
        "odd-plugin 1.0 adds 'mine' to dehusk.formats, whose alias 'md' is built in: not used",
        "odd-plugin 1.0 adds 'mine' to dehusk.formats, whose alias 'text' is built in: not used",
    ]
    pytest.importorskip("fastapi")
    offered = run("-c", "from dehusk.serve.offered import FORMAT_NAMES as n\nprint(len(n) - len(set(n)), 'own' in n)")
    assert offered.stdout == "0 True\n"


def test_a_peer_with_the_name_of_a_method_or_of_another_peer_is_reported_and_not_measured(
    command: Callable[..., Run], pages: Path
) -> None:
    run_dehusk = command("", extractors={"bte": "plug:X", "turbohtml": "plug:X", "oracle": "plug:X"})
    (pages / "mine.jsonl").write_text(json.dumps({"id": "a", "html": PAGE, "gold": LONG}) + "\n", encoding="utf-8")
    measured = run_dehusk("compare", "--corpus", "mine.jsonl", "-m", "alltext")
    assert measured.returncode == 0, measured.stderr
    assert not re.search("^ *(bte|oracle) ", measured.stdout, re.MULTILINE)
    for name in ("bte", "turbohtml", "oracle"):
        assert f"odd-plugin 1.0 adds '{name}' to dehusk.extractors, which is built in: not used" in measured.stderr
    measured = run_dehusk("evaluate", "--corpus", "mine.jsonl", "-m", "bte", "--jobs", "1")
    assert measured.returncode == 0
    assert "adds 'bte' to dehusk.extractors" in measured.stderr
    assert "adds 'turbohtml'" not in measured.stderr
