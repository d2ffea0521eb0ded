"""What is blanked, and what looks like it and stays."""

import pytest

from dehusk.corpus.blanks import BLANKS
from dehusk.corpus.settings import TextSettings
from dehusk.corpus.steps.text import edited

HEX = "9f86d081884c7d659a2feaa0c55ad015"
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N"
KEY = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMIIEpAIBAAKCAQEA7b+/=\n-----END RSA PRIVATE KEY-----"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from 192.168.10.25, again", "from ipblank, again"),
        ("It was 10.0.0.1.", "It was ipblank."),
        ("http://203.0.113.7:8080/a", "http://ipblank:8080/a"),
        ("2001:db8::1 and fe80::1%eth0", "ipblank and ipblank%eth0"),
        ("[2001:db8:85a3:0:0:8A2E:370:7334]:443", "[ipblank]:443"),
        ("::ffff:203.0.113.7", "::ffff:ipblank"),
    ],
)
def test_addresses_of_machines_are_blanked(text: str, expected: str) -> None:
    assert edited(text, TextSettings(blank=("ip",))) == expected


@pytest.mark.parametrize(
    "text",
    [
        "version 10.20.30.40", "Version 2.10.0.11", "v10.2.3.44", "Section 1.2.3.4", "Linux 2.6.32.64", "1.2.3.4.50",
        "120.0.6099.109", "256.10.10.10", "at 12:30:45", "std::vector, Foo::Bar, dead::beef", "10::30",
        "00:1a:2b:3c:4d:5e", "1:2:3:4:5:6:7:8:9:10", "the ::1 of this machine", "a 4:3 win, 10:2:1",
    ],
)  # fmt: skip
def test_versions_times_and_names_are_no_addresses(text: str) -> None:
    assert edited(text, TextSettings(blank=("ip",))) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("id AKIAIOSFODNN7EXAMPLE.", "id secretblank."),
        (f"ghp_{'a1B2' * 9} is mine", "secretblank is mine"),
        ("sk-proj-abc123DEF456ghi789JKL", "secretblank"),
        (f"sk_{'live'}_{'a1B2' * 6}", "secretblank"),
        (f"cookie {JWT};", "cookie secretblank;"),
        (f"Authorization: Bearer {HEX}", "Authorization: Bearer secretblank"),
        (f"API_KEY={HEX}", "API_KEY=secretblank"),
        (f'"password": "{HEX}"', '"password": "secretblank"'),
        (f"before {KEY} after", "before secretblank after"),
    ],
)
def test_secrets_are_blanked(text: str, expected: str) -> None:
    assert edited(text, TextSettings(blank=("secret",))) == expected


@pytest.mark.parametrize(
    "text",
    [
        "sk-learn-is-a-library-for-machine-learning", "The key: understanding_everything_2",
        "a bearer of-good-news-everywhere-2024", "password = hunter2", f"the checksum is {HEX}",
        "token: abcdefabcdefabcdefabcdef", "Write -----BEGIN PRIVATE KEY----- and then the key. It is easy.",
        "Keys: C sharp, F sharp; tokens=12345678901234567890",
        "key: 2024-01-02/2024-02-03", "key: chapter2b_of_the_story",
        "The secret: a_very_long_name_of_2_things", "password: docs/guides/page-12.html",
    ],
)  # fmt: skip
def test_prose_keeps_its_words(text: str) -> None:
    assert edited(text, TextSettings(blank=("secret",))) == text


def test_all_blanks_together() -> None:
    text = f"me@example.org from 203.0.113.7, +49 30 1234567, token={HEX}, https://example.org/a"
    assert edited(text, TextSettings(blank=tuple(BLANKS))) == (
        "emailblank from ipblank, phoneblank, token=secretblank, uriblank"
    )
