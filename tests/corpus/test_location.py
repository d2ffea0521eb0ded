"""Where servers are, by a database that the user has: here one that is made for the test, of addresses for examples."""

from pathlib import Path

import pytest
from mmdb_writer import MMDBWriter
from netaddr import IPSet

from dehusk.corpus import steps
from dehusk.corpus.build import build
from dehusk.corpus.case import Case
from dehusk.corpus.settings import Extraction, Location, Settings
from dehusk.errors import ConfigError
from dehusk.sources.raw_page import RawPage
from dehusk.sources.record import Record
from tests.helpers.articles import article


@pytest.fixture
def database(tmp_path: Path) -> str:
    writer = MMDBWriter(6, "Test", languages=["en"], ipv4_compatible=True)
    city = {
        "country": {"iso_code": "DE"},
        "subdivisions": [{"names": {"en": "Hesse"}}],
        "city": {"names": {"en": "Kassel"}},
    }
    writer.insert_network(IPSet(["192.0.2.0/25"]), city)
    writer.insert_network(IPSet(["2001:db8::/32"]), {"registered_country": {"iso_code": "NL"}})
    writer.to_db_file(str(tmp_path / "places.mmdb"))
    return str(tmp_path / "places.mmdb")


@pytest.mark.parametrize(
    ("ip", "expected"),
    [
        ("192.0.2.7", ("DE", "Hesse", "Kassel")),
        ("2001:db8::7", ("NL", None, None)),
        ("198.51.100.7", (None, None, None)),
        ("no address", (None, None, None)),
        (None, (None, None, None)),
    ],
)
def test_the_place_of_an_address(database: str, ip: str | None, expected: tuple[str | None, ...]) -> None:
    settings = Settings(extraction=Extraction(method="bte"), location=Location(database))
    record = Record("a.warc", 0, status=200, type="text/html", ip=ip)
    columns = steps.run(Case(RawPage("a.warc:0", article(1), record=record)), settings).columns
    assert tuple(columns.get(name) for name in ("country", "region", "city")) == expected


def test_without_a_database_nothing_is_looked_up() -> None:
    record = Record("a.warc", 0, status=200, type="text/html", ip="192.0.2.7")
    page = RawPage("a.warc:0", article(1), record=record)
    assert "country" not in steps.run(Case(page), Settings(extraction=Extraction(method="bte"))).columns


@pytest.mark.parametrize("content", [None, b"", b"not a database"])
def test_what_is_no_database_is_an_error_before_anything_is_read(tmp_path: Path, content: bytes | None) -> None:
    path, page = tmp_path / "places.mmdb", tmp_path / "a.html"
    page.write_text(article(1))
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigError, match="expected a database in MaxMind's format"):
        build([str(page)], tmp_path / "corpus", Settings(location=Location(str(path))))
    assert not (tmp_path / "corpus").exists()
