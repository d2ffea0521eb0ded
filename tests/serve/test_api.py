"""The HTTP service: every address, every format, every error."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from dehusk import Extractor, Source, extract, formats
from dehusk.models.registry import REGISTRY
from dehusk.reasons import Code
from dehusk.serve.problems import CODES
from testing.server import Reply, Server, server
from tests.golden import PAGES

PAGE = (PAGES / "news-article" / "source.html").read_bytes()
SMALL = "<title>Hay</title><nav><a href=/>Home</a></nav><p>The first cut of hay was late this year, since June was wet."


@pytest.fixture(scope="module")
def running() -> Iterator[Server]:
    with server("--jobs", "2", "--max-bytes", "1000000") as found:
        yield found


def assert_problem(reply: Reply, code: str) -> str:
    """Check the one shape that errors have, and return the detail."""
    problem = reply.json
    assert reply.headers["content-type"] == "application/problem+json"
    assert set(problem) - {"reason_code"} == {"type", "title", "status", "detail", "code"}
    assert ("reason_code" in problem) == (code in {"page-failed", "fetch-failed"})
    assert Code(problem.get("reason_code", code))
    status, _ = CODES[Code(code)]
    assert (problem["code"], problem["status"], reply.status) == (code, status, status)
    assert problem["type"] == f"urn:dehusk:problem:{code}"
    return str(problem["detail"])


@pytest.mark.parametrize("name", formats.names())
def test_every_format_is_what_the_library_writes(running: Server, name: str) -> None:
    reply = running.ask(f"/v1/extract?format={name}", PAGE, Content_Type="text/html")
    assert (reply.status, reply.text) == (200, extract(PAGE).render(name))
    reply = running.ask(f"/v1/annotate?format={name}", PAGE, Content_Type="text/html")
    assert (reply.status, reply.text) == (200, extract(PAGE).render(name, every=True))


@pytest.mark.parametrize("folder", sorted(PAGES.iterdir()), ids=lambda folder: folder.name)
def test_every_golden_page_comes_out_as_from_the_library(running: Server, folder: Path) -> None:
    page = (folder / "source.html").read_bytes()
    wanted = extract(page)
    reply = running.ask("/v1/extract?format=text", page, Content_Type="text/html")
    if wanted.page.refused:
        assert_problem(reply, "page-failed")
    else:
        assert (reply.status, reply.text) == (200, wanted.text)


def test_options_come_in_the_query_or_in_json_and_json_wins(running: Server) -> None:
    options = {"method": "bte", "threshold": 0.3, "format": "json"}
    wanted = Extractor("bte", 0.3).extract(PAGE).json()
    assert running.ask("/v1/extract?method=bte&threshold=0.3", PAGE).text == wanted
    html = PAGE.decode()
    assert running.send("/v1/extract", {"html": html, **options}).json["method"] == "bte"
    reply = running.send("/v1/extract?method=alltext&format=text", {"html": html, "method": "bte"})
    assert reply.text == Extractor("bte").extract(PAGE).text


def test_all_options_reach_the_library(running: Server) -> None:
    query = "favour=recall&comments=true&tables=false&min_length=5&headline=keep&explain=true"
    extractor = Extractor(favour="recall", comments=True, tables=False, min_length=5, headline="keep", explain=True)
    assert running.ask(f"/v1/extract?{query}", PAGE).text == extractor.extract(PAGE).json(every=True)
    look = {"links": True, "images": True, "formatting": False, "metadata": True, "nfc": True}
    reply = running.send("/v1/extract", {"html": PAGE.decode(), "url": "https://a.example/b", "format": "md", **look})
    assert reply.text == extract(PAGE.decode(), url="https://a.example/b").markdown(**look)


def test_two_methods_are_shown_side_by_side(running: Server) -> None:
    reply = running.ask("/v1/extract?format=report&beside=bte", PAGE)
    assert '<main class="two"' in reply.text
    assert "only the format report" in assert_problem(running.ask("/v1/extract?beside=bte", PAGE), "invalid-options")


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("text/markdown", "text/markdown; charset=utf-8"),
        ("text/plain, text/markdown;q=0.9", "text/plain; charset=utf-8"),
        ("application/tei+xml", "application/tei+xml"),
        ("text/xml", "application/xml"),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html; charset=utf-8"),
        ("*/*", "application/json"),
        ("application/*", "application/json"),
        ("text/*;q=0.3, application/json;q=0.2", "text/markdown; charset=utf-8"),
        ("application/json;q=0, */*", "text/markdown; charset=utf-8"),
        ("", "application/json"),
    ],
)
def test_accept_chooses_the_format(running: Server, accept: str, kind: str) -> None:
    reply = running.ask("/v1/extract", SMALL, Accept=accept)
    assert (reply.status, reply.headers["content-type"]) == (200, kind)


def test_nothing_acceptable_is_a_problem_unless_a_format_is_named(running: Server) -> None:
    assert "text/markdown" in assert_problem(running.ask("/v1/extract", SMALL, Accept="image/png"), "not-acceptable")
    assert running.ask("/v1/extract?format=text", SMALL, Accept="image/png").status == 200


def test_a_charset_of_the_transport_is_used(running: Server) -> None:
    page = "<p>Привет, мир, как дела сегодня".encode("koi8-r")
    reply = running.ask("/v1/extract?method=alltext&format=text", page, Content_Type='text/html; charset="koi8-r"')
    assert reply.text == "Привет, мир, как дела сегодня"


def test_plain_text_is_a_page_too(running: Server) -> None:
    text = "One line,\nwrapped.\n\nAnother paragraph: 1 < 2."
    reply = running.ask("/v1/extract?method=alltext&format=text", text, Content_Type="text/plain")
    assert reply.text == extract(Source(text, plain=True), method="alltext").text
    assert "1 < 2" in reply.text


def test_put_takes_a_raw_body_as_tika_does(running: Server) -> None:
    reply = running.ask("/extract", PAGE, "PUT")
    assert (reply.text, reply.headers["content-type"]) == (extract(PAGE).text, "text/plain; charset=utf-8")
    assert running.ask("/extract", PAGE, "PUT", Accept="application/json").json["text"] == extract(PAGE).text
    assert running.ask("/extract", '{"html": "<p>x"}', "PUT", Content_Type="application/json").status == 200


def test_a_page_without_main_text_is_an_answer_with_its_reason(running: Server) -> None:
    reply = running.ask("/v1/extract?format=text", "<nav><a href=/>Home</a></nav>")
    assert (reply.status, reply.text) == (200, "")
    assert reply.headers["dehusk-reason"] == str(extract("<nav><a href=/>Home</a></nav>").reason).replace("é", "%C3%A9")
    assert running.ask("/v1/extract", "").json["text"] == ""


@pytest.mark.parametrize(
    ("query", "code", "words"),
    [
        ("threshold=50", "invalid-request", "threshold: Input should be less than or equal to 1"),
        ("threshold=nan", "invalid-request", "threshold"),
        ("method=magic", "invalid-request", "method: expected one of kernel"),
        ("format=pdf", "invalid-request", "format: expected one of cleaneval"),
        ("treshold=0.5", "invalid-request", "treshold: Extra inputs are not permitted"),
        ("min_length=-1", "invalid-request", "min_length"),
        ("comments=true&method=bte", "invalid-options", "method 'bte' cannot tell readers' comments apart"),
        ("threshold=0.3&favour=recall", "invalid-options", "threshold and favour both set the threshold"),
    ],
)
def test_wrong_options_are_a_problem_that_says_what_was_expected(
    running: Server, query: str, code: str, words: str
) -> None:
    assert words in assert_problem(running.ask(f"/v1/extract?{query}", SMALL), code)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("{}", "expected `html` or `url`"),
        ("[1]", "should be an object"),
        ("{", "Invalid JSON"),
        ("", "Invalid JSON"),
        ('{"html": 1}', "html: Input should be a valid string"),
        ('{"html": "x", "title": "y"}', "title: Extra inputs are not permitted"),
        ('{"html": "\\ud800"}', "Invalid JSON"),
        ("[" * 100_000, "Invalid JSON"),
    ],
)
def test_wrong_json_is_a_problem(running: Server, body: str, words: str) -> None:
    assert words in assert_problem(running.ask("/v1/extract", body, Content_Type="application/json"), "invalid-request")


def test_a_page_over_the_limit_is_refused(running: Server) -> None:
    for path, kind in (("/v1/extract", "text/html"), ("/v1/annotate", "application/json")):
        assert_problem(running.ask(path, b" " * 2_100_000, Content_Type=kind), "body-too-large")
    page = json.dumps({"html": " " * 1_500_000})
    assert "too large" in assert_problem(
        running.ask("/v1/extract", page, Content_Type="application/json"), "page-failed"
    )


def test_fetching_is_off_unless_asked_for(running: Server) -> None:
    assert "--fetch" in assert_problem(running.send("/v1/extract", {"url": "https://example.org/"}), "fetching-is-off")
    assert_problem(running.ask("/r/https://example.org/"), "fetching-is-off")


def test_unknown_addresses_and_methods_are_problems(running: Server) -> None:
    assert_problem(running.ask("/v2/extract"), "not-found")
    reply = running.ask("/v1/extract", method="DELETE")
    assert_problem(reply, "method-not-allowed")
    assert reply.headers["allow"] == "POST"


def test_a_batch_comes_out_in_order_with_what_else_its_lines_hold(running: Server) -> None:
    records = [{"id": number, "html": SMALL.replace("hay", f"hay number {number}")} for number in range(200)]
    lines = [json.dumps(record) for record in records]
    lines[7:7] = ["nonsense", "", '{"id": "x"}']
    reply = running.ask("/v1/batch?format=text", "\n".join(lines), Content_Type="application/x-ndjson")
    assert reply.headers["content-type"] == "application/x-ndjson"
    found = [json.loads(line) for line in reply.text.splitlines()]
    assert [each.get("id") for each in found] == [*range(7), None, "x", *range(7, 200)]
    assert found[7]["reason"].startswith("not JSON")
    assert found[8]["reason"].startswith("no field 'html'")
    assert found[150]["text"] == extract(str(records[148]["html"])).text


def test_a_batch_in_json_has_all_that_json_has(running: Server) -> None:
    line = json.dumps({"id": 1, "url": "https://a.example/", "html": SMALL})
    (found,) = map(json.loads, running.ask("/v1/batch?format=json&method=bte", line).text.splitlines())
    assert (found["id"], found["method"], found["blocks"][0]["kept"]) == (1, "bte", True)


def test_a_batch_with_options_that_do_not_go_together_says_so_on_each_line(running: Server) -> None:
    reply = running.ask("/v1/batch?method=bte&comments=true", '{"html": "<p>a"}\n{"html": "<p>b"}')
    assert [json.loads(line)["reason"][:12] for line in reply.text.splitlines()] == ["method 'bte'"] * 2


def test_the_methods_are_those_of_the_registry(running: Server) -> None:
    found = running.ask("/v1/methods").json["methods"]
    assert [each["name"] for each in found] == [entry.name for entry in REGISTRY]
    assert [each["name"] for each in found if each["default"]] == ["kernel"]
    assert all(each["installed"] for each in found)


def test_health_and_readiness(running: Server) -> None:
    running.ask("/v1/extract", SMALL)
    assert running.ask("/healthz").json["status"] == "ok"
    assert running.ask("/readyz").json["status"] == "ready"


def test_metrics_count_requests(running: Server) -> None:
    name = 'dehusk_requests_total{route="/v1/extract",status="200"}'
    before = running.metrics().get(name, 0)
    running.ask("/v1/extract", SMALL)
    found = running.metrics()
    assert found[name] == before + 1
    assert found['dehusk_request_seconds_count{route="/v1/extract"}'] >= found[name]
    assert (found["dehusk_pages_unanswered"], found["dehusk_bytes_held"]) == (0, 0)


def test_the_examples_of_the_openapi_document_run(running: Server) -> None:
    paths = running.ask("/openapi.json").json["paths"]
    count = 0
    for path, operations in paths.items():
        for method, operation in operations.items():
            for kind, media in operation.get("requestBody", {}).get("content", {}).items():
                examples = (
                    [media["example"]] if "example" in media else [each["value"] for each in media["examples"].values()]
                )
                for example in examples:
                    body = example if isinstance(example, str) else json.dumps(example)
                    reply = running.ask(path, body, method.upper(), Content_Type=kind)
                    assert (reply.status, bool(reply.body)) == (200, True)
                    count += 1
    assert count == 11


@pytest.mark.parametrize("name", ["html", "report", "json", "xml"])
def test_no_answer_runs_anything_in_a_browser(running: Server, name: str) -> None:
    reply = running.ask(f"/v1/extract?format={name}", SMALL)
    assert "sandbox" in reply.headers["content-security-policy"]
    assert "allow-same-origin" not in reply.headers["content-security-policy"]
    assert reply.headers["x-content-type-options"] == "nosniff"


def test_other_sites_may_not_ask(running: Server) -> None:
    reply = running.ask("/v1/extract", SMALL, Origin="https://evil.example")
    assert not [name for name in reply.headers if name.startswith("access-control")]


def test_a_compressed_body_is_not_decompressed(running: Server) -> None:
    reply = running.ask("/v1/extract?format=text", gzip.compress(b"<p>Hello"), Content_Encoding="gzip")
    assert reply.status in (200, 422)


def test_a_key_is_required_where_there_is_one(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("open sesame\n")
    with server("--jobs", "1", "--key-file", str(tmp_path / "key")) as locked:
        for path, body in (("/v1/extract", SMALL), ("/v1/methods", None), ("/metrics", None), ("/extract", SMALL)):
            reply = locked.ask(path, body)
            assert_problem(reply, "key-required")
            assert reply.headers["www-authenticate"] == "Bearer"
        assert_problem(locked.ask("/v1/methods", Authorization="Bearer open"), "key-required")
        assert locked.ask("/v1/extract", SMALL, Authorization="Bearer open sesame").status == 200
        assert locked.ask("/v1/methods", X_API_Key="open sesame").status == 200
        assert [locked.ask(path).status for path in ("/healthz", "/")] == [200, 200]
    with server("--jobs", "1", DEHUSK_API_KEY="other") as locked:
        assert locked.ask("/v1/methods").status == 401
        assert locked.ask("/v1/methods", Authorization="Bearer other").status == 200


def test_an_origin_that_is_named_may_ask() -> None:
    with server("--jobs", "1", "--cors", "https://app.example") as shared:
        reply = shared.ask("/v1/extract", SMALL, Origin="https://app.example")
        assert reply.headers["access-control-allow-origin"] == "https://app.example"
        asked = {"Access_Control_Request_Method": "POST", "Access_Control_Request_Headers": "content-type"}
        assert shared.ask("/v1/extract", None, "OPTIONS", Origin="https://app.example", **asked).status == 200
        reply = shared.ask("/v1/extract", SMALL, Origin="https://evil.example")
        assert "access-control-allow-origin" not in reply.headers
