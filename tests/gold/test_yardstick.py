"""The yardstick never changes."""

import pytest

from dehusk.gold.yardstick import in_yardstick, site_of, stable_hash

YARDSTICK_OF_40 = [4, 6, 16, 17, 20, 24, 26, 29, 30, 34, 39]


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://WWW.Example.org:8080/a?b", "example.org"),
        ("http://news.sina.com.hk/x", "sina.com.hk"),
        ("http://abcnews.go.com/", "go.com"),
        ("http://t.co/x", "t.co"),
        ("http://www.co.uk/", "co.uk"),
        ("http://localhost/x", "localhost"),
        ("http://192.168.0.1/x", "192.168.0.1"),
        ("http://[broken", "the-id"),
        ("no address", "the-id"),
        ("", "the-id"),
    ],
)
def test_a_site_is_the_registrable_part_of_the_host(url: str, site: str) -> None:
    assert site_of(url, "the-id") == site


def test_the_yardstick_stays_as_it_is() -> None:
    sites = [f"site{number}.org" for number in range(40)]
    assert [number for number, site in enumerate(sites) if in_yardstick(site)] == YARDSTICK_OF_40


def test_the_hash_is_the_same_in_every_process_and_version() -> None:
    assert stable_hash("example.org") == 2655631250893057461
