"""The documentation site: its pages are gathered with working links, its references lack nothing, and it builds."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

import dehusk
from dehusk.cli import command_line
from docs.site.assemble import assemble, on_site, site_paths
from docs.site.commands import command_reference
from docs.site.python_reference import python_reference
from testing.chromium import chromium

ROOT = Path(__file__).parents[1]


def test_links_follow_their_targets_and_code_is_left_alone() -> None:
    paths = {
        "docs/a/b.md": "a/b.md",
        "research/c/README.md": "research/c/index.md",
        "CONTRIBUTING.md": "contributing.md",
    }
    page = "[c](../../research/c/README.md#d) ![x](https://e.org/x.png)\n```text\n[c](nowhere.md)\n```\n[e](../../CONTRIBUTING.md)"
    expected = page.replace("../../research/c/README.md", "../research/c/index.md")
    assert on_site(page, "docs/a/b.md", paths) == expected.replace("../../CONTRIBUTING.md", "../contributing.md")


def test_a_link_to_what_is_not_on_the_site_names_both() -> None:
    with pytest.raises(SystemExit, match=r"docs/a\.md links to \.\./setup\.py"):
        on_site("[s](../setup.py)", "docs/a.md", {"docs/a.md": "a.md"})


def test_the_folder_of_the_site_holds_every_page_and_nothing_old(tmp_path: Path) -> None:
    (tmp_path / "old.md").write_text("old")
    assemble(tmp_path)
    found = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert found == set(site_paths().values())
    assert {"index.md", "research/kernel/index.md", "reference/python.md", "contributing.md"} <= found


def test_every_command_and_every_option_is_in_the_reference() -> None:
    text = command_reference()

    def check(context: click.Context) -> int:
        command, name = context.command, context.command_path
        count = 0
        if isinstance(command, click.Group):
            inside = {each: command.get_command(context, each) for each in command.list_commands(context)}
            count = sum(check(click.Context(inner, context, each)) for each, inner in inside.items() if inner)
            if not command.invoke_without_command:
                return count
        section = text.split(f"\n## {name}\n")[1].split("\n## ")[0]
        for each in command.get_params(context):
            if isinstance(each, click.Option) and not each.hidden:
                assert all(f"{option}" in section for option in each.opts), (name, each.opts)
        return count + 1

    assert check(click.Context(command_line(), info_name="dehusk")) >= 13


def test_every_public_name_is_in_the_reference() -> None:
    entries = re.findall(r"^::: dehusk\.(?:\w+\.)*(\w+)$", python_reference(), re.MULTILINE)
    assert sorted(entries) == sorted(dehusk.__all__)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the built site; a warning is an error."""
    # Fails without it, since a test that is skipped would look like one that passed.
    assert importlib.util.find_spec("mkdocs"), "no MkDocs here; `make test` installs it"
    folder = tmp_path_factory.mktemp("site")
    assemble(ROOT / "build/docs")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.slow
def test_the_site_builds_without_a_warning_and_loads_nothing_from_elsewhere(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 30
    reference = (site / "reference/python.html").read_text(encoding="utf-8")
    assert "language-pycon" in reference  # examples are code,
    assert "<blockquote>" not in reference  # not quotations
    loaded = re.compile(
        r'<(?:script|img|iframe)[^>]+src="(?:https?:)?//|<link[^>]+rel="(?:stylesheet|preconnect)"[^>]+//'
    )
    assert [str(page) for page in pages if loaded.search(page.read_text(encoding="utf-8"))] == []


@pytest.mark.slow
def test_search_works_in_a_page_opened_from_disk_and_leads_to_markdown_with_metadata(site: Path) -> None:
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto((site / "index.html").as_uri())
        page.get_by_role("textbox", name="Search").fill("front matter")
        page.locator(".md-search-result__link", has_text="Markdown for retrieval").first.wait_for()
        page.goto((site / "index.html").as_uri())
        page.get_by_role(
            "link", name="Get Markdown with metadata"
        ).click()  # the first of two clicks that may be needed
        assert "--with-metadata" in page.inner_text("article")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["index", "methods/results", "reference/command-line", "research/texrex/index"])
def test_no_page_is_wider_than_a_phone(site: Path, name: str) -> None:
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 390, "height": 844})
        page.goto((site / f"{name}.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
