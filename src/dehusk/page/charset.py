"""Decoding: from the bytes of a page to its characters, whatever encoding the page claims.

The order is WHATWG's (byte order mark, transport header, declaration in the page, detector), but no claim is trusted
against the evidence: bytes that are valid UTF-8 with characters beyond ASCII are UTF-8 whatever their label, and a
label under which most of the text is invalid gives way to the detector.
"""

import codecs
import re
from typing import Final

from turbohtml import parse
from turbohtml.detect import detect

BOMS: Final = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16le"), (codecs.BOM_UTF16_BE, "utf-16be"))
# The lengths are bounded so that a page full of "<meta" cannot make the search quadratic.
DECLARATION: Final = re.compile(
    rb"""<meta\s[^>]{0,400}?charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w:.+-]{2,40})|<\?xml\s[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([\w:.+-]{2,40})""",
    re.IGNORECASE,
)
DECLARATION_BYTES: Final = 65_536  # browsers look at 1,024 and parse again; real pages declare this late
DETECTOR_BYTES: Final = 262_144
REPLACEMENT: Final = "\ufffd"
# How a page in UTF-16 begins: a tag, a doctype or a prolog with a NUL next to each character.
WIDE_TAG: Final = re.compile(rb"(?P<little>(?:\s\x00)*<\x00[a-zA-Z!?]\x00)|(?:\x00\s)*\x00<\x00[a-zA-Z!?]")
LATIN: Final = re.compile(r"windows-125[02478]|iso-8859-(1|2|3|4|9|1[03456])|macintosh")


def decode(data: bytes, charset: str | None = None) -> tuple[str, str]:
    """Return the text of `data` and the name of the encoding that gave it.

    >>> decode("<meta charset=latin1>Müller".encode("utf-8"))
    ('<meta charset=latin1>Müller', 'utf-8')
    >>> decode("Привет, мир".encode("cp1251"), charset="windows-1251")
    ('Привет, мир', 'windows-1251')
    """
    for mark, name in BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(name, "replace"), name
    if wide := utf16_without_mark(data):
        return data.decode(wide, "replace"), wide
    claimed = label(charset) or declared(data)
    if data.isascii():
        # Only the escapes of ISO-2022-JP hide other characters behind ASCII bytes.
        name = "iso-2022-jp" if b"\x1b$" in data else claimed or "utf-8"
        return (_decode_as(data, name), name) if name == "iso-2022-jp" else (data.decode("ascii"), name)
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return _decode_legacy(data, claimed)


def label(name: str | None) -> str | None:
    """Return WHATWG's name for an encoding label, or None if there is no such encoding.

    >>> label("latin-1"), label("UTF8"), label("x-sjis"), label("klingon")
    ('windows-1252', 'utf-8', 'shift_jis', None)
    """
    if not name:
        return None
    plain = name.strip().lower()
    for candidate in (plain, plain.replace("_", "-"), _python_name(plain)):
        try:
            encoding = (parse(b"", encoding=candidate).encoding or candidate).lower()
        except (LookupError, ValueError):
            continue
        # Browsers refuse the encodings behind "replacement" for security; here the detector may still recognise them.
        return None if encoding == "replacement" else "windows-1252" if encoding == "x-user-defined" else encoding
    return None


def declared(data: bytes) -> str | None:
    """Return the encoding that a meta element or an XML declaration near the start of the page declares.

    >>> declared(b'<meta http-equiv="Content-Type" content="text/html; charset=gb2312">')
    'gbk'
    """
    for declaration in DECLARATION.finditer(data, 0, DECLARATION_BYTES):
        if name := label((declaration[1] or declaration[2]).decode("ascii", "ignore")):
            # A declaration that was read byte by byte cannot be in UTF-16: by the WHATWG standard it means UTF-8.
            return "utf-8" if name.startswith("utf-16") else name
    return None


def _decode_legacy(data: bytes, claimed: str | None) -> tuple[str, str]:
    """Decode bytes that are not valid UTF-8: as damaged UTF-8, by the claim if it fits, else by the detector."""
    text = data.decode("utf-8", "replace")
    broken = text.count(REPLACEMENT)
    beyond_ascii = len(text) - len(text.encode("ascii", "ignore"))
    # Other encodings seldom form valid UTF-8 sequences; three for each broken one are no coincidence.
    if broken * 4 <= beyond_ascii:
        return text, "utf-8"
    if claimed is None:
        return _detected(data)
    text = _decode_as(data, claimed)
    broken = text.count(REPLACEMENT)
    beyond_ascii = len(text) - len(text.encode("ascii", "ignore"))
    if broken * 2 > beyond_ascii or (LATIN.fullmatch(claimed) and beyond_ascii > 40):
        other, name = _detected(data)
        # Between two Latin encodings the label is more reliable than a detector; a damaged page keeps its label too.
        if other.count(REPLACEMENT) < broken or (other.count(REPLACEMENT) == broken and not LATIN.fullmatch(name)):
            return other, name
    return text, claimed


def _detected(data: bytes) -> tuple[str, str]:
    """Decode by content alone; the declaration is masked, since the detector would trust it."""
    sample = data[:DETECTOR_BYTES].replace(b"charset", b"-------").replace(b"encoding", b"--------")
    name = (detect(sample).encoding or "windows-1252").lower()
    return _decode_as(data, name), name


def _decode_as(data: bytes, name: str) -> str:
    return data.decode("utf-8", "replace") if name == "utf-8" else data.decode("whatwg-" + name)


def utf16_without_mark(data: bytes) -> str | None:
    """Return which UTF-16 without a byte order mark the bytes are, by the NULs of ASCII characters, or None."""
    if start := WIDE_TAG.match(data):
        return "utf-16le" if start["little"] else "utf-16be"
    sample = data[:4096]
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if odd > 0.2 * len(sample) and even < 0.1 * odd:
        return "utf-16le"
    if even > 0.2 * len(sample) and odd < 0.1 * even:
        return "utf-16be"
    return None


def _python_name(name: str) -> str:
    try:
        return codecs.lookup(name).name
    except (LookupError, ValueError):
        return name
