"""Routes: one function per address. Each reads its request, has the pool answer it, and writes the answer."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from typing import Final
from urllib.parse import parse_qsl, quote

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ValidationError

from dehusk import __version__
from dehusk.batch import Outcome
from dehusk.extras import EXTRAS
from dehusk.models.registry import DEFAULT, REGISTRY
from dehusk.serve import examples
from dehusk.serve.batch import Batch
from dehusk.serve.bodies import Bodies
from dehusk.serve.metrics import Metrics
from dehusk.serve.negotiation import MEDIA_TYPES, preferred
from dehusk.serve.options import Options, PageRequest
from dehusk.serve.problems import ProblemError, busy, documented, in_words
from dehusk.serve.service import BusyError, PageError, Service
from dehusk.serve.work import Choice, Task
from dehusk.sources import RawPage

router = APIRouter()
# Beyond the page itself, JSON needs room for its other fields and for escapes.
JSON_SPARE: Final = 1_000_000
FAILURES: Final = documented(
    "invalid-request", "invalid-options", "method-unavailable", "page-failed", "not-acceptable", "body-incomplete",
    "body-too-slow", "body-too-large", "server-busy", "not-ready", "key-required",
)  # fmt: skip
FETCH_FAILURES: Final = documented("fetching-is-off")


class MethodInfo(BaseModel):
    """A method that can score blocks."""

    name: str
    default: bool
    block: str  # what one block is
    summary: str
    installed: bool
    explains: bool
    comments: bool


class Methods(BaseModel):
    """All methods."""

    methods: list[MethodInfo]


class Health(BaseModel):
    """How the server is."""

    status: str
    version: str


@dataclass(frozen=True)
class Parts:
    """What the routes of one application share."""

    service: Service
    bodies: Bodies
    metrics: Metrics


def _parts(request: Request) -> Parts:
    found: Parts = request.app.state.parts
    return found


@router.post("/v1/extract", responses=examples.outputs(FAILURES | FETCH_FAILURES), openapi_extra=examples.EXTRACT)
async def extract(request: Request) -> Response:
    """Return the main text of a page."""
    return await _answer(request, "json", every=False)


@router.post("/v1/annotate", responses=examples.outputs(FAILURES | FETCH_FAILURES), openapi_extra=examples.ANNOTATE)
async def annotate(request: Request) -> Response:
    """Return every block of a page with its score; nothing is left out."""
    return await _answer(request, "json", every=True)


@router.put("/extract", responses=examples.outputs(FAILURES), openapi_extra=examples.RAW)
async def put(request: Request) -> Response:
    """Return the main text of the page that is the body, as text unless another format is asked for."""
    return await _answer(request, "text", every=False, raw=True)


@router.post("/v1/batch", responses=FAILURES, openapi_extra=examples.BATCH, response_class=Response)
async def batch(request: Request) -> Response:
    """Return one JSON line per JSON line, in order, as they are done: the main text in place of the field `html`."""
    parts = _parts(request)
    if parts.service.is_full:
        raise busy("too many pages wait for a worker; try again later")
    options = from_query(request.url.query)
    return Batch(request, parts.service, parts.bodies, options.choice(options.format or "text", every=False))


@router.get("/r/{address:path}", responses=examples.outputs(FAILURES | FETCH_FAILURES))
async def reader(request: Request, address: str) -> Response:
    """Return the page at an address as Markdown with links, or as what `Accept` asks for."""
    name = _format(request, Options(), "markdown")
    url = f"{address}?{request.url.query}" if request.url.query else address
    parts = _parts(request)
    with _problems():
        page = await parts.service.fetch(url if "://" in url else f"https://{url}")
        choice = Options(links=True).choice(name, every=False)
        return _written(await parts.service.answer(Task(choice, page)), choice)


@router.get("/v1/methods")
async def methods() -> Methods:
    """Return the methods that can score blocks."""
    return Methods(
        methods=[
            MethodInfo(
                name=entry.name,
                default=entry.name == DEFAULT,
                block=entry.block,
                summary=entry.summary,
                installed=all(find_spec(module) for module, extra in EXTRAS.items() if extra == entry.extra),
                explains=entry.explains,
                comments=entry.comments,
            )
            for entry in REGISTRY
        ]
    )


@router.get("/healthz")
async def health() -> Health:
    """Return that the server runs."""
    return Health(status="ok", version=__version__)


@router.get("/readyz", responses=documented("not-ready"))
async def ready(request: Request) -> Health:
    """Return whether a worker process has answered."""
    service = _parts(request).service
    if not service.ready:
        service.warm_up()
        raise ProblemError("not-ready", "no worker process has answered yet", {"Retry-After": "1"})
    return Health(status="ready", version=__version__)


@router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
async def metrics(request: Request) -> Response:
    """Return counts for Prometheus."""
    parts = _parts(request)
    gauges = {
        "dehusk_workers": parts.service.pool.living,
        "dehusk_pages_unanswered": parts.service.pool.unanswered,
        "dehusk_pages_being_fetched": parts.service.fetching,
        "dehusk_bytes_held": parts.bodies.held,
    }
    return Response(parts.metrics.render(gauges), media_type="text/plain; version=0.0.4")


async def _answer(request: Request, default: str, *, every: bool, raw: bool = False) -> Response:
    parts, options = _parts(request), from_query(request.url.query)
    kind, _, parameters = request.headers.get("content-type", "").partition(";")
    is_json = not raw and kind.strip().lower() == "application/json"
    async with _body(parts, request, JSON_SPARE if is_json else 0) as body:
        page, plain = RawPage("body", body, charset=_charset(parameters)), kind.strip().lower() == "text/plain"
        if is_json:
            options, page = _from_json(body, options)
        choice = options.choice(_format(request, options, default), every=every)
        if page.data == b"" and page.url:
            page = await parts.service.fetch(page.url)
        return _written(await parts.service.answer(Task(choice, page, plain), request.receive), choice)


@asynccontextmanager
async def _body(parts: Parts, request: Request, spare: int) -> AsyncIterator[bytes]:
    with _problems():
        async with parts.bodies.read(request, spare) as body:
            yield body


@contextmanager
def _problems() -> Iterator[None]:
    """Have errors of the service answered as problems."""
    try:
        yield
    except BusyError as error:
        raise busy(str(error)) from error
    except PageError as error:
        headers = {"Retry-After": "1"} if error.code == "not-ready" else None
        raise ProblemError(error.code, error.detail, headers) from error


# FastAPI would take the options from the query by itself, but in more time than all else here takes for a page.
@lru_cache(100)
def from_query(query: str) -> Options:
    """Return the options of a query; it is documented in `examples`."""
    try:
        return Options.model_validate(dict(parse_qsl(query, keep_blank_values=True)))
    except ValidationError as error:
        raise ProblemError("invalid-request", in_words(error.errors(include_url=False))) from None


def _from_json(body: bytes, options: Options) -> tuple[Options, RawPage]:
    """Return the options of a JSON body, on top of those of the query, and its page: without data if only its URL."""
    try:
        asked = PageRequest.model_validate_json(body, strict=True)
    except ValidationError as error:
        raise ProblemError("invalid-request", in_words(error.errors(include_url=False))) from None
    given = {name: getattr(asked, name) for name in asked.model_fields_set - {"html", "url"}}
    page = RawPage("body", b"" if asked.html is None else asked.html, asked.url)
    return options.model_copy(update=given), page


def _charset(parameters: str) -> str | None:
    """Return the charset of a content type.

    >>> _charset(' charset="windows-1251"; x=y')
    'windows-1251'
    """
    pairs = (each.partition("=") for each in parameters.split(";"))
    return next((value.strip(' "') for name, _, value in pairs if name.strip().lower() == "charset"), None) or None


def _format(request: Request, options: Options, default: str) -> str:
    if options.format:
        return options.format
    accept = request.headers.get("accept", "")
    found = preferred(accept, default)
    if found is None:
        kinds = ", ".join(sorted({kind.partition(";")[0] for kind in MEDIA_TYPES.values()}))
        raise ProblemError("not-acceptable", f"expected one of {kinds}, got {accept[:200]!r}")
    return found


def _written(outcome: Outcome, choice: Choice) -> Response:
    # In JSON it is a field; elsewhere there is no other place for it.
    headers = {"Dehusk-Reason": quote(outcome.reason, safe=" ,;:()'")} if outcome.reason else {}
    headers["Vary"] = "Accept"
    if choice.format == "report":
        headers["Content-Security-Policy"] = "sandbox allow-scripts"  # it has a policy of its own
    return Response(outcome.output.encode("utf-8", "replace"), headers=headers, media_type=MEDIA_TYPES[choice.format])
