"""What docs/extending.md promises, where its snippets alone cannot show it."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dehusk import formats
from dehusk.corpus import steps
from dehusk.corpus.case import Case
from dehusk.corpus.settings import Extraction, Settings
from dehusk.model_files import shipped_folder
from dehusk.models.registry import METHODS, method
from dehusk.reasons import Code, Reason
from dehusk.sources import RawPage
from dehusk.sources.record import Record
from tests.helpers.articles import article
from tests.helpers.plugins import FOLDER

ROOT = Path(__file__).parents[1]
DOCUMENT = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")


def run_snippet(beginning: str) -> dict[str, Any]:
    """Run the snippet of the document that begins so, and return what it defines."""
    snippets: list[str] = re.findall(r"^```python\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL)
    namespace: dict[str, Any] = {}
    exec(compile(next(code for code in snippets if code.startswith(beginning)), "extending.md", "exec"), namespace)
    return namespace


def upper(match: "re.Match[str]") -> str:
    return match[0].upper()


@pytest.mark.parametrize(
    "name", ["pyproject.toml", "dehusk_example/method.py", "dehusk_example/format.py", "dehusk_example/peer.py"]
)
def test_the_document_shows_the_distribution_that_the_tests_install(name: str) -> None:
    shown = re.search(rf'^```\w+ title="{re.escape(name)}"\n(.*?)^```$', DOCUMENT, re.MULTILINE | re.DOTALL)
    assert shown
    assert shown[1] == (FOLDER / name).read_text(encoding="utf-8")


def test_files_that_the_document_names_exist() -> None:
    named = set(re.findall(r"`((?:[a-z_]+/)+(?:[a-z_]+\.\w+)?)`", DOCUMENT))
    assert named >= {"models/registry.py", "formats/__init__.py", "evaluation/peers.py", "serve/routes.py"}
    places = (ROOT / "src" / "dehusk", ROOT, FOLDER)
    assert [name for name in sorted(named) if not any((place / name).exists() for place in places)] == []


def test_a_step_in_the_chain_rejects_records(monkeypatch: pytest.MonkeyPatch) -> None:
    namespace = run_snippet("import dehusk\nfrom dehusk.corpus.case import Case")
    monkeypatch.setattr(steps, "CHAIN", (*steps.CHAIN, namespace["CAPITALS"]))
    record, html = Record("a.warc", 0, status=200, type="text/html"), article(1)
    pages = [RawPage("a.warc:0", text, record=record) for text in (html, re.sub(">[^<]+<", upper, html))]
    settings = Settings(extraction=Extraction(method="bte"))
    reasons = [steps.run(Case(page), settings).reason for page in pages]
    assert reasons == [None, Reason(Code.REJECTED, "capital letters")]
    early = steps.run(Case(RawPage("a.warc:0", html, record=replace(record, status=404))), settings)
    assert early.reason
    assert early.reason.code is Code.HTTP_STATUS
    assert "capitals" not in early.columns


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """Yield a client of the server that the document shows, with one more endpoint that takes a number."""
    testclient = pytest.importorskip("fastapi.testclient")
    app = run_snippet("from typing import Annotated\n\nfrom fastapi")["app"]

    @app.get("/v1/double")  # type: ignore[untyped-decorator]
    async def double(number: int) -> int:
        return 2 * number

    with testclient.TestClient(app) as running:
        yield running


def test_an_endpoint_answers_and_is_described(client: Any) -> None:
    assert client.get("/v1/formats").json() == formats.names()
    assert "/v1/formats" in client.get("/openapi.json").json()["paths"]


PAGE = "<p>" + "It rained all day and nobody went out. " * 10  # 80 words


@pytest.mark.parametrize(
    "sent",
    [
        {"params": {"speed": 40, "method": "alltext"}, "content": PAGE},
        {"params": {"speed": 40}, "json": {"html": PAGE, "method": "alltext", "format": "text"}},
        {"params": {"speed": 40, "method": "alltext"}, "content": PAGE, "headers": {"Accept": "application/json"}},
    ],
    ids=["body", "JSON", "Accept"],
)
def test_an_endpoint_processes_a_page_with_a_parameter_of_its_own(client: Any, sent: dict[str, Any]) -> None:
    assert client.post("/v1/minutes", **sent).json() == 2.0


@pytest.mark.parametrize(
    ("query", "page", "code", "detail"),
    [
        ("speed=0", PAGE, "invalid-request", "speed: Input should be greater than or equal to 1"),
        ("spede=9", PAGE, "invalid-request", "spede: Extra inputs are not permitted"),
        ("format=xml", PAGE, "invalid-request", "format: expected text, got xml"),
        ("", "<title>x</title>", "page-failed", "there is nothing to read"),
        ("method=magic", PAGE, "invalid-request", f"method: expected one of {', '.join(METHODS)}"),
    ],
)
def test_what_an_endpoint_refuses_is_a_problem(client: Any, query: str, page: str, code: str, detail: str) -> None:
    answer = client.post(f"/v1/minutes?{query}", content=page)
    assert (answer.status_code, answer.headers["content-type"]) == (422, "application/problem+json")
    assert (answer.json()["code"], answer.json()["detail"]) == (code, detail)


def test_the_openapi_document_has_problems_for_the_errors_that_fastapi_adds(client: Any) -> None:
    document = client.get("/openapi.json").json()
    references = set(re.findall(r"'#/components/schemas/(\w+)'", str(document)))
    assert references <= set(document["components"]["schemas"])
    described = document["paths"]["/v1/double"]["get"]["responses"]["422"]["content"]
    assert described == {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    assert client.get("/v1/double?number=x").headers["content-type"] == "application/problem+json"
    names = [parameter["name"] for parameter in document["paths"]["/v1/minutes"]["post"]["parameters"]]
    assert {"speed", "method"} <= set(names)
    assert len(names) == len(set(names))


def test_an_endpoint_with_a_fixed_format_describes_what_it_takes(client: Any) -> None:
    operation = client.get("/openapi.json").json()["paths"]["/v1/minutes"]["post"]
    assert "format" not in [parameter["name"] for parameter in operation["parameters"]]
    content = operation["requestBody"]["content"]
    assert "format" not in content["application/json"]["schema"]["properties"]
    for example in content["application/json"]["examples"].values():
        assert client.post("/v1/minutes", json=example["value"]).status_code == 200
    assert client.post("/v1/minutes", content=content["text/html"]["example"]).status_code == 200


def test_a_problem_needs_a_code_of_the_table() -> None:
    problems = pytest.importorskip("dehusk.serve.problems")
    with pytest.raises(ValueError, match=r"^expected a code of a problem \(invalid-request, .*\), got <Code.SHAPE"):
        problems.ProblemError(Code.SHAPE, "odd")


@pytest.mark.parametrize("name", ["kernel", "ncleaner", "texrex", "texrex-quirks"])
def test_entries_of_one_class_have_a_folder_each_and_a_folder_finds_its_class(name: str) -> None:
    by_name, by_folder = METHODS[name].method(), method(shipped_folder(name))
    assert (type(by_folder), by_folder.name) == (type(by_name), by_name.name)
    assert by_name.name == name


def test_nothing_outside_the_table_asks_for_a_format_by_name() -> None:
    compared = re.compile(r"""\bformat\w* *(?:[=!]==?|(?:not )?in) *["'(]""")
    source = ROOT / "src" / "dehusk"
    scripts = [
        path for path in (*source.rglob("*.py"), *source.rglob("*.js")) if compared.search(path.read_text("utf-8"))
    ]
    assert [str(path.relative_to(source)) for path in scripts] == ["perplexity.py"]  # which has formats of its own
