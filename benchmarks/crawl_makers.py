"""How the files of the faulty crawl are made: functions that return what makes a file with a fault of some kind."""

from collections.abc import Callable
from random import Random
from typing import Final

import brotli

from benchmarks.crawl_pieces import Maker, Piece, damaged_block, flipped
from testing.made_archives import (
    BGZIP_END,
    PACKS,
    WARC,
    WARCINFO,
    Known,
    Warc,
    arc,
    arc_head,
    bgzip,
    cdxj_lines,
    gzip_member,
    http,
    json_line,
    parquet,
    wacz,
)  # fmt: skip

EMPTY: Final = Piece(gzip_member(b""))
NULS: Final = b"\0" * 10_240
LINE: Final = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 5\r\n\r\nnever\r\n\r\n"
Make = Callable[[Maker], list[Piece]]


# Nothing is wrong with these.


def packed(pack: str, style: Warc = WARC) -> Make:
    """Return what makes a file without faults."""
    return lambda maker: maker.sound(maker.count, pack, style)


def arcs(version: int, pack: str) -> Make:
    """Return what makes an ARC file."""

    def make(maker: Maker) -> list[Piece]:
        known = maker.pages(maker.count)
        head, *frames = PACKS[pack]([arc_head(version), *(arc(each, version) for each in known)])
        return [
            Piece(head, others=1),
            *(Piece(*pair) for pair in zip(frames, ((each,) for each in known), strict=True)),
        ]

    return make


def without_html(style: Warc, block: bytes, pack: str = ".gz", *, is_text: bool = False) -> Make:
    """Return what makes an archive of records that hold no HTML, such as a WET or WAT file."""

    def make(maker: Maker) -> list[Piece]:
        known = maker.pages(maker.count)
        records = [style.record(each.url, block % each.text.encode()) for each in known]
        info, *frames = PACKS[pack]([WARCINFO, *records])
        if is_text:  # which are pages, too
            pieces = [Piece(frame, (each,)) for frame, each in zip(frames, known, strict=True)]
        else:
            pieces = [Piece(frame, others=1) for frame in frames]
        return [Piece(info, others=1), *pieces]

    return make


def zipped(maker: Maker) -> list[Piece]:
    """Return a WACZ file with two archives."""
    pieces = maker.sound(maker.count)
    half = len(pieces) // 2
    files = {
        f"{n}.warc.gz": b"".join(each.data for each in some) for n, some in enumerate((pieces[:half], pieces[half:]))
    }
    return [Piece(wacz(files), tuple(known for piece in pieces for known in piece.readable), others=1)]


def indexed(lines: Callable[[list[Known], list[bytes], str], list[bytes]]) -> Make:
    """Return what makes an index, whose archive is in a folder beside it."""

    def make(maker: Maker) -> list[Piece]:
        known = maker.pages(maker.count)
        frames = [gzip_member(WARC.response(each)) for each in known]
        target = maker.folder / "indexed" / f"{maker.name}.warc.gz"
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(b"".join(frames))
        index = b"".join(lines(known, frames, f"indexed/{target.name}"))
        return [Piece(index, tuple(known))]

    return make


def json_lines(compress: Callable[[bytes], bytes]) -> Make:
    """Return what makes a file of JSON lines."""

    def make(maker: Maker) -> list[Piece]:
        known = maker.pages(maker.count)
        return [Piece(compress(b"".join(map(json_line, known))), tuple(known))]

    return make


def table(maker: Maker) -> list[Piece]:
    """Return a Parquet file."""
    known = maker.pages(maker.count)
    return [Piece(parquet(known), tuple(known))]


def mixed(maker: Maker) -> list[Piece]:
    """Return files of several compressions one after the other, as `cat` leaves them."""
    return [piece for pack in (".gz", "", ".zst", ".lz4", ".gz whole") for piece in maker.sound(maker.count // 5, pack)]


def large(maker: Maker) -> list[Piece]:
    """Return a file of more than one part at 16 MB, whose large records hold what looks like records."""
    quoted = (b"<pre>" + LINE * 10 + b"</pre>") * 60
    pieces = []
    for piece in maker.sound(maker.count, ""):
        pieces.append(piece)
        known = maker.page()
        body = Known(known.url, b"<!-- " + LINE.replace(b"-", b"_") * 3_300 + b" -->" + known.body, known.text)
        pieces.append(Piece(WARC.record(body.url, http(body.body)), (body,)))
        resource = Warc(kind="resource", content_type="text/plain")
        pieces.append(Piece(resource.record(known.url + "/quoted.txt", quoted), others=1))
    return pieces


def holding(inner: Callable[[Known], bytes], pack: str) -> Make:
    """Return what makes a file in which records hold archives."""

    def make(maker: Maker) -> list[Piece]:
        def one() -> Piece:
            hidden = Maker(maker.random, f"hidden.{maker.host}", 0, "", maker.folder)
            block = b"".join(inner(each) for each in hidden.pages(60))
            style = Warc(kind="resource", content_type="application/warc")
            (frame,) = PACKS[pack]([style.record(f"{maker.page().url}/archive", block)])
            return Piece(frame, others=1)

        return maker.spread(one, pack, every=12)

    return make


def quoting(maker: Maker) -> list[Piece]:
    """Return pages about WARC files."""
    pieces = []
    for piece in maker.sound(maker.count, ""):
        for known in piece.readable:
            body = known.body.replace(b"</body>", b"<!--\r\n\r\n" + LINE + b"-->\r\n\r\nWARC/1.0\r\n</body>")
            text = known.text + "\nWARC/1.0"
            pieces.append(Piece(WARC.record(known.url, http(body)), (Known(known.url, body, text),)))
    return pieces


def lying(maker: Maker) -> list[Piece]:
    """Return pages whose addresses and types are odd in ways that no reader minds."""
    known = [
        maker.page(url=f"https://{maker.host}.example/{path}") for path in ("a b", "ü", "%ff", "a" * 40_000, "?" * 9)
    ]
    return [Piece(gzip_member(WARC.response(each)), (each,)) for each in known] + maker.sound(maker.count)


# HTTP. A page whose body is complete must come out; one that is cut, as far as it goes.


def bodies(encode: Callable[[bytes, Random], tuple[list[str], bytes]], *, whole: bool) -> Make:
    """Return what makes a file in which the bodies of some pages are sent in an odd way."""

    def make(maker: Maker) -> list[Piece]:
        def one() -> Piece:
            known = maker.page(60)
            headers, body = encode(known.body, maker.random)
            frame = gzip_member(WARC.record(known.url, http(body, headers=headers)))
            return Piece(frame, (known,)) if whole else Piece(frame, salvaged=(known.url,), is_sound=False)

        return maker.spread(one)

    return make


def cut_gzip(body: bytes, random: Random) -> tuple[list[str], bytes]:
    """Return a compressed body of which the end is missing."""
    return ["Content-Encoding: gzip"], (data := gzip_member(body))[: len(data) * 2 // 3]


def cut_brotli(body: bytes, random: Random) -> tuple[list[str], bytes]:
    """Return a body compressed with brotli of which the end is missing."""
    return ["Content-Encoding: br"], (data := brotli.compress(body, quality=1))[: len(data) * 2 // 3]


def chunks(body: bytes) -> bytes:
    """Return a body in chunks."""
    pieces = [body[start : start + 500] for start in range(0, len(body), 500)]
    return b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


def cut_chunks(body: bytes, random: Random) -> tuple[list[str], bytes]:
    """Return a body in chunks of which the end is missing."""
    return ["Transfer-Encoding: chunked"], chunks(body)[: len(body) * 2 // 3]


def label(
    *headers: str, compress: Callable[[bytes], bytes] = lambda body: body
) -> Callable[..., tuple[list[str], bytes]]:
    """Return what sends a body with headers that need not be true."""
    return lambda body, random: (list(headers), compress(body))


# Damage.


def damaged(change: Callable[[bytes, Random], bytes], pack: str = ".gz") -> Make:
    """Return what makes a file in which some records are changed."""
    return lambda maker: maker.spread(lambda: maker.broken(change, pack), pack)


def stated(style: Warc, pack: str = "") -> Make:
    """Return what makes a file in which some records state another length than they have."""
    return lambda maker: maker.spread(lambda: maker.odd(style, pack), pack)


def ended(change: Callable[[bytes, Random], bytes], pack: str = ".gz") -> Make:
    """Return what makes a file whose last record is cut."""
    return lambda maker: [*maker.sound(maker.count, pack), maker.broken(change, pack)]


def among(*junk: bytes, pack: str = ".gz", sound: bool = False) -> Make:
    """Return what makes a file with other bytes in its middle."""
    return lambda maker: maker.between(*(Piece(each, is_sound=sound) for each in junk), pack=pack)


def around(before: bytes, after: bytes, pack: str = ".gz", *, sound: bool = False) -> Make:
    """Return what makes a file with other bytes at its ends."""
    return lambda maker: [
        *([Piece(before, is_sound=sound)] if before else []),
        *maker.sound(maker.count, pack),
        Piece(after, is_sound=sound),
    ]


def inside(position: float, change: Callable[[bytes, int], bytes]) -> Callable[[bytes, Random], bytes]:
    """Return a change at a place in a record: a share of its length, or the number of a byte from one of its ends."""
    return lambda data, random: change(
        data, int(len(data) * position) if 0 < position < 1 else int(position) % len(data)
    )


def off_by(count: int) -> Make:
    """Return what makes a file in which lengths are a little wrong, which no reader should mind."""

    def make(maker: Maker) -> list[Piece]:
        def one() -> Piece:
            known = maker.page()
            block = http(known.body + b"\n\n")
            return Piece(Warc(length=str(len(block) + count)).record(known.url, block), (known,), is_sound=False)

        return maker.spread(one, "")

    return make


def blocks(maker: Maker) -> list[Piece]:
    """Return a file of bgzip with a damaged block."""
    known = maker.pages(maker.count)
    records = [WARC.response(each) for each in known]
    data = b"".join(records)
    size = 4_000
    pieces = [bgzip(data[start : start + size]) for start in range(0, len(data), size)]
    return [damaged_block(maker, pieces, records, known, size), Piece(BGZIP_END)]


def short_arc(length: int) -> Make:
    """Return what makes an ARC file in which some records state a wrong length."""

    def make(maker: Maker) -> list[Piece]:
        pieces = arcs(1, "")(maker)
        bad = maker.page()
        return [*pieces[:20], Piece(arc(bad, 1, length), damaged=(bad,), is_sound=False), *pieces[20:]]

    return make


def bad_lines(maker: Maker) -> list[Piece]:
    """Return JSON lines of which some are none."""
    bad = [
        b"{\n",
        b"[1, 2]\n",
        b'{"html": 7}\n',
        b'{"url": "x"}\n',
        b"\xff\xfe\n",
        b'{"html": "' + b"\\ud800" + b'"}\n',
        b"\0\n",
    ]
    pieces = [Piece(json_line(each), (each,)) for each in maker.pages(maker.count)]
    for number, line in enumerate(bad):
        pieces.insert(5 * number + 3, maker.junk(line))
    return pieces


def bad_index(maker: Maker) -> list[Piece]:
    """Return an index of which some lines cannot be followed."""
    (index,) = indexed(cdxj_lines)(maker)
    form = 'org,example)/ 20240502100000 {"url": "https://x.example/", "offset": %s, "length": %s, "filename": %s}\n'
    file = f'"indexed/{maker.name}.warc.gz"'
    bad = [
        (f'"{10**30}"', '"5"', file), ('"0"', f'"{10**30}"', file), ("Infinity", '"5"', file), ('"-5"', '"5"', file),
        ('"0"', "NaN", file), ('"0"', '"500"', '"a\\u0000b"'), ('"0"', '"500"', '"\\ud800"'),
        ('"0"', '"500"', '"/dev/zero"'),
        ('"0"', '"500"', '"../../../../etc/passwd"'), ('"0"', '"500"', '"file://x::http://127.0.0.1:9/x"'),
        ('"0"', '"500"', '"webhdfs://127.0.0.1:9/x"'), ('"0"', '"500"', '"absent.warc.gz"'), ('"3"', '"50"', file),
    ]  # fmt: skip
    return [index, *(maker.junk((form % each).encode()) for each in bad), maker.junk(b"no index line\n")]


def flip(position: float, pack: str = ".gz") -> Make:
    """Return what makes a file in which a byte of some records is another."""
    return damaged(inside(position, flipped), pack)


def cut(position: float, pack: str = ".gz") -> Make:
    """Return what makes a file that ends within its last record."""
    return ended(inside(position, lambda data, at: data[:at]), pack)


def doubled(data: bytes, at: int) -> bytes:
    """Return bytes of which some are there twice."""
    return data[: at + 90] + data[at:]
