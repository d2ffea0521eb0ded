"""Inputs that are made to be slow, large, deep or broken, as functions, since some are megabytes long."""

from collections.abc import Callable

WORD = "kernel"
HOSTILE: dict[str, Callable[[], bytes | str]] = {
    "100,000 nested divs": lambda: "<div>" * 100_000 + WORD,
    "100,000 nested spans": lambda: "<span>" * 100_000 + WORD,
    "100,000 nested lists": lambda: "<ul><li>" * 50_000 + WORD,
    "50,000 nested tables": lambda: "<table><tr><td>" * 50_000 + WORD,
    "50,000 tables that foster": lambda: "<table>x" * 50_000 + WORD,
    "5 MB line": lambda: "<p>" + "a" * 5_000_000 + " " + WORD,
    "5 MB of words": lambda: "<p>" + "ab " * 1_600_000 + WORD,
    "5 MB of blanks": lambda: "<p>" + " " * 5_000_000 + WORD,
    "5 MB of blanks in pre": lambda: "<pre>" + "\n" * 5_000_000 + WORD,
    "NUL bytes": lambda: b"<p>" + b"\x00" * 1_000_000 + WORD.encode(),
    "invalid UTF-8": lambda: b"<meta charset=utf-8><p>" + b"\xff\xfe\xc0\x80" * 250_000 + WORD.encode(),
    "UTF-16 without a mark": lambda: f"<html><body><p>{WORD}</p></body></html>".encode("utf-16le"),
    "UTF-16 cut in the middle": lambda: f"<html><body><p>{WORD} </p></body></html>".encode("utf-16le")[:-1],
    "100,000 attributes": lambda: "<p " + " ".join(f"a{n}=b" for n in range(100_000)) + ">" + WORD,
    "5 MB attribute": lambda: f"<p title='{'x' * 5_000_000}'>" + WORD,
    "5 MB style attributes": lambda: "<p style='display:block;none'>x" * 150_000 + WORD,
    "unclosed 5 MB comment": lambda: f"<p>{WORD}<!--" + "x" * 5_000_000,
    "100,000 comments": lambda: "x<!-- -->" * 100_000 + WORD,
    "unclosed script": lambda: f"<p>{WORD}<script>" + "x<p>" * 1_000_000,
    "5 MB of <": lambda: "<" * 5_000_000 + f"<p>{WORD}",
    "5 MB of &": lambda: "&" * 5_000_000 + f"<p>{WORD}",
    "absurd colspan": lambda: "<table><tr><td colspan=9007199254740991 rowspan=9007199254740991>" + WORD,
    "100,000 absurd spans": lambda: "<table><tr>" + "<td colspan=1000 rowspan=65534>x" * 100_000 + f"<td>{WORD}",
    "reference beyond Unicode": lambda: f"<p>&#x110000;&#99999999999999999999;&bogus; {WORD}",
    "lone surrogates": lambda: f"<p>\ud800 {WORD} \udfff",
    "formatting that multiplies": lambda: "".join(f"<b id={n}><p>" for n in range(1_500)) + WORD,
    "100,000 meta elements": lambda: "<meta " * 100_000 + f"><p>{WORD}",
    "100,000 anchors": lambda: "<a href=x>y" * 100_000 + WORD,
    "200,000 blocks": lambda: "<p>x" * 190_000 + f"<p>{WORD}",
    "50,000 nested drawings": lambda: "<svg>" * 50_000 + "<text>" + WORD,
    "50,000 drawings": lambda: f"<svg><path></svg><svg><text>{WORD}</text></svg>" * 50_000,
    "100,000 noscripts": lambda: "<noscript><p>x</noscript>" * 100_000 + WORD,
    "100,000 line breaks": lambda: "x<br>" * 100_000 + WORD,
    "20 MB page": lambda: (f"<p>{WORD} is what people came for, and this is <b>bold</b>.</p>\n" * 330_000)[:19_900_000],
    "nothing": lambda: b"",
    "one byte": lambda: b"\xef",
}
# Pages that are refused, or cut off before the word.
REASONS: dict[str, tuple[Callable[[], bytes | str], str]] = {
    "over the byte limit": (lambda: b"x" * 20_000_001, "too large: more than 20,000,000 bytes"),
    "over the limit, as str": (lambda: "x" * 20_000_001, "too large: more than 20,000,000 characters"),
    "PDF as HTML": (lambda: b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n" + bytes(range(256)) * 4000, "not a page: PDF"),
    "5 million elements": (lambda: "<p>a" * 4_900_000, "cut off after 1,000,000 elements"),
    "8 million <": (lambda: "<" * 8_000_000, "cut off after 7,000,000 signs <"),
    "300,000 blocks": (lambda: "<p>x" * 300_000, "cut off after 200,000 blocks"),
    "2 million elements from 70 KB": (
        lambda: "".join(f"<b id={n}><p>" for n in range(5_000)) + WORD,
        "cut off after 1,000,000 elements",
    ),
}
