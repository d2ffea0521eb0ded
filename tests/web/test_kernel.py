"""The kernel in TypeScript: held to the vectors in Node and in Chromium, and to Python on other pages."""

import json
import os
import re
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import dehusk
from dehusk import Page
from testing.needed import skip_unless
from tests.web import vectors
from tests.web.pages import IN_BROWSERS, LONG, random_page
from tests.web.parity import compare, real_pages
from tests.web.traces import BUNDLE, ROOT, Reader, differences, node_traces, python_trace, reader

pytestmark = pytest.mark.slow

WEB = ROOT / "web"
PAGES = vectors.markup()
IN_NODE = [name for name in PAGES if name.split("/")[1] not in IN_BROWSERS]
MOST_BYTES = 2_000_000  # of the package
RANDOM_PAGES = 250


@pytest.fixture(scope="module", autouse=True)
def _built() -> None:
    skip_unless(BUNDLE.exists(), "the built package")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Reader]:
    with reader() as running:
        yield running


def npm(*arguments: str | Path, folder: Path) -> str:
    result = subprocess.run(arguments, cwd=folder, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.mark.parametrize("project", ["kernel", "extension"])
def test_types_are_strict(project: str) -> None:
    npm("node_modules/.bin/tsc", "--project", project, folder=WEB)


def test_node_computes_the_vectors() -> None:
    expected = vectors.read()
    traces = zip(IN_NODE, node_traces([PAGES[name] for name in IN_NODE]), strict=True)
    assert {name: found for name, trace in traces if (found := differences(expected[name], trace))} == {}


def test_chromium_computes_the_vectors(chromium: Reader) -> None:
    expected = vectors.read()
    found = {name: differences(expected[name], chromium.trace(html)) for name, html in PAGES.items()}
    assert {name: each for name, each in found.items() if each} == {}


def test_random_pages_are_the_same_to_both(chromium: Reader) -> None:
    for seed in range(RANDOM_PAGES):
        html = random_page(seed)
        assert differences(python_trace(Page.from_html(html)), chromium.trace(html)) == [], f"random_page({seed})"


@pytest.mark.data
def test_real_pages_are_the_same_to_both(chromium: Reader) -> None:
    """A small part of `make web-parity`."""
    folder = Path(os.environ["DEHUSK_DATA"]) / "data" / "pages"
    for name, html in real_pages(folder, 25, sets=("canola", "fundus")):  # small ones, which are quickly read
        assert compare(html, chromium).good, name


def test_text_nodes_that_touch_are_one(chromium: Reader) -> None:
    html = f"<title>Late hay</title><main><p>{LONG}</p></main>"
    split = """(document) => {
        document.querySelector("p").firstChild.splitText(9).splitText(20);
        return dehusk.trace(document, {}, true);
    }"""
    assert differences(python_trace(Page.from_html(html)), chromium.evaluate(html, split)) == []


def test_facts_that_decided_are_those_of_python(chromium: Reader) -> None:
    html = PAGES["golden/news-article"]
    because = dehusk.Extractor(explain=True).extract(html).because
    assert because is not None
    found = chromium.evaluate(html, "(document) => dehusk.explain(document)")
    same = sum(list(one) == two for one, two in zip(because, found, strict=True))
    assert same >= 0.95 * len(because)  # two facts that weigh the same may come in either order


@pytest.mark.parametrize("name", [name for name in PAGES if name.startswith("golden/")])
def test_markdown_and_html_have_the_words_of_the_text(chromium: Reader, name: str) -> None:
    script = """(document) => {
        const annotation = dehusk.annotate(document);
        const kept = annotation.keep();
        return [annotation.text(kept), annotation.markdown(kept), annotation.html(kept)];
    }"""
    text, markdown, html = chromium.evaluate(PAGES[name], script)
    if "`" not in text:  # of text that is Markdown itself, marks cannot be told apart
        assert _letters(_plain(markdown)) == _letters(text)
    assert _letters(dehusk.extract(f"<body>{html}", method="alltext").text) == _letters(text)


def _plain(markdown: str) -> str:
    """Return Markdown without the marks that have letters or digits: numbers of items, and languages of code."""
    without = re.sub(r"^(\s*(?:[->] )*)\d+\. ", r"\1", markdown, flags=re.MULTILINE)
    return re.sub(r"^(\s*`{3,})\S+$", r"\1", without, flags=re.MULTILINE)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def test_hostile_markup_in_a_noscript_is_cut_off(chromium: Reader) -> None:
    bomb = "".join(f"<b id={number}><p>" for number in range(5_000))
    script = "(document) => dehusk.annotate(document).page.elements.tag.length"
    count = chromium.evaluate(f"<noscript>{bomb}</noscript>", script)
    assert count < 30_000


def test_the_package_is_small_and_works_in_node(tmp_path: Path) -> None:
    npm("npm", "pack", "--silent", "--pack-destination", tmp_path, folder=WEB / "kernel")
    packed = next(tmp_path.glob("*.tgz"))
    with tarfile.open(packed) as archive:
        assert sum(member.size for member in archive.getmembers()) < MOST_BYTES
        archive.extractall(tmp_path, filter="data")
    scope = tmp_path / "node_modules" / "@dehusk"
    scope.mkdir(parents=True)
    shutil.move(tmp_path / "package", scope / "kernel")
    (tmp_path / "node_modules" / "jsdom").symlink_to(WEB / "node_modules" / "jsdom")
    page = (ROOT / "tests" / "pages" / "recipe" / "source.html").read_text(encoding="utf-8")
    script = tmp_path / "try.mjs"
    script.write_text(
        'import { JSDOM } from "jsdom";\nimport { extract, version } from "@dehusk/kernel";\n'
        f"const {{ document }} = new JSDOM({json.dumps(page)}).window;\n"
        "console.log(JSON.stringify([extract(document), version]));\n",
        encoding="utf-8",
    )
    text, version = json.loads(npm("node", script, folder=tmp_path))
    assert text == dehusk.extract(page).text
    assert version == dehusk.__version__


def test_versions_are_the_same_everywhere() -> None:
    def read(name: str) -> Any:
        return json.loads((WEB / name).read_text(encoding="utf-8"))

    assert read("kernel/package.json")["version"] == dehusk.__version__
    assert read("extension/package.json")["dependencies"]["@dehusk/kernel"] == dehusk.__version__


def test_a_wrong_threshold_is_refused_with_a_hint(chromium: Reader) -> None:
    script = """(document) => {
        try { dehusk.extract(document, { threshold: 50 }); } catch (error) { return error.message; }
    }"""
    assert chromium.evaluate("<p>x", script) == "threshold must lie between 0 and 1, got 50; did you mean 0.5?"
