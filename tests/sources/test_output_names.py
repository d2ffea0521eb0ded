import itertools
from pathlib import Path

import pytest

from dehusk.sources.output_names import output_name

HASH = "[0-9a-f]{16}"


@pytest.mark.parametrize(
    ("name", "output"),
    [
        ("a.html", "a"),
        ("./a.html", "a"),
        ("a.htm", "a.htm"),
        ("a.HTML", "a.HTML"),
        ("a.html.gz", "a.html.gz"),
        ("a.htm.html", "a.htm.html"),
        ("a.b.html", "a.b"),
        ("a", "a.page"),
        ("a.php", "a.php.page"),
        ("a.page.html", "a.page.html"),
        ("a.tei.html", "a.tei.html"),
        ("/abs/a.html", "_/abs/a"),
        ("../../a.html", "__/__/a"),
        ("__/a.html", "____/a"),
        (".html", ".html.page"),
        (":x.html", ":x"),
    ],
)
def test_an_output_is_named_after_its_page(name: str, output: str) -> None:
    assert output_name(name) == output


def test_of_plain_texts_another_ending_is_left_out() -> None:
    assert [output_name(name, left_out=".txt") for name in ("a.txt", "a.html", "a.md")] == ["a", "a.html", "a.md"]


def test_no_two_pages_have_the_same_output() -> None:
    # All names made of few parts, so that whatever one rule makes of a name, the others were tried on too.
    endings = ["", *map("".join, itertools.product(["", ".html", ".htm", ".page", ".gz", ".x"], repeat=3))]
    folders = ["", "/", "../", "_/", "__/", "____/", "../_/", "a/", "a/../"]
    names = {str(Path(f"{folder}a{ending}")) for folder in folders for ending in endings}
    names |= {f"{scheme}://{rest}" for scheme in ("http", "https") for rest in ("a", "a/", "a/b", "a-b", "a?b", "a#b")}
    for left_out in (".html", ".htm"):
        assert len({output_name(name, left_out=left_out) for name in names}) == len(names)


@pytest.mark.parametrize(
    "name", ["..", "../..", "/", "/../etc/passwd.html", "http://a/../../etc", "http://", "http://[::1", "http://a\0b"]
)
def test_an_output_stays_in_its_folder(name: str) -> None:
    output = Path(output_name(name))
    assert not output.is_absolute()
    assert ".." not in output.parts
    assert "\0" not in str(output)


@pytest.mark.parametrize("name", ["ж" * 120 + ".html", "x" * 251 + ".htm", "http://a.org/" + "ж" * 500])
def test_a_long_name_is_cut_to_what_file_systems_allow(name: str) -> None:
    output, other = (
        output_name(name),
        output_name(name.replace("http", "https").replace("x.", "y.").replace("ж.", "й.")),
    )
    assert len(output.encode()) < 230
    assert output != other


class TestContent:
    """JSON lines and standard input, whose names mean nothing in another run."""

    @pytest.mark.parametrize(
        ("line", "output"),
        [
            (b'{"html": "<p>x"}', "d/l.jsonl/{hash}"),
            (b'{"id": "n/7", "url": "http://a", "html": ""}', "d/l.jsonl/n-7-{hash}"),
            (b'{"id": 7}', "d/l.jsonl/7-{hash}"),
            (b'{"id": null, "url": "https://me:secret@a.org/b"}', "d/l.jsonl/a.org-b-{hash}"),
            (b'{"id": [7], "url": ""}', "d/l.jsonl/{hash}"),
            (b'{"id": "../../\\u0000\\ud800"}', "d/l.jsonl/{hash}"),
            (b'{"id": "' + b"x" * 300 + b'"}', "d/l.jsonl/" + "x" * 100 + "-{hash}"),
            (b"nonsense", "d/l.jsonl/{hash}"),
            (b"[" * 100_000, "d/l.jsonl/{hash}"),
            (b"[7]", "d/l.jsonl/{hash}"),
        ],
    )
    def test_a_line_has_the_id_or_the_url_and_a_hash(self, line: bytes, output: str) -> None:
        found = output_name("d/l.jsonl:3", line)
        assert found == output.format(hash=found[-16:])
        assert int(found[-16:], 16)

    def test_the_number_of_a_line_makes_no_difference(self) -> None:
        assert output_name("l.jsonl:1", b'{"id": 1}\n') == output_name("l.jsonl:20", b'{"id": 1}')

    def test_lines_with_the_same_id_and_other_content_have_other_names(self) -> None:
        assert output_name("l.jsonl:1", b'{"id": 1, "html": "a"}') != output_name(
            "l.jsonl:1", b'{"id": 1, "html": "b"}'
        )

    def test_standard_input(self) -> None:
        first, second = output_name("-", b"<p>a"), output_name("-", b"<p>b")
        assert first != second
        assert Path(first).parent == Path("stdin") == Path(output_name("-:1", b"{}")).parent
