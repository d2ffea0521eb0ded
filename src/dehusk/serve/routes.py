"""Routes: one function per address. Each reads its request, has the pool answer it, and writes the answer."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from urllib.parse import parse_qsl, quote

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ValidationError

from dehusk import __version__
from dehusk.batch import Outcome
from dehusk.extras import is_installed
from dehusk.formats import by_name
from dehusk.models.registry import DEFAULT
from dehusk.reasons import Code
from dehusk.serve import examples
from dehusk.serve.batch import BatchResponse
from dehusk.serve.bodies import Bodies
from dehusk.serve.metrics import Metrics
from dehusk.serve.negotiation import preferred
from dehusk.serve.offered import FORMATS, METHODS
from dehusk.serve.options import PageRequest, RequestOptions, in_words
from dehusk.serve.problems import ProblemError, busy, documented
from dehusk.serve.service import BusyError, PageError, Service
from dehusk.serve.work import Choice, PageTask
from dehusk.sources import RawPage

router = APIRouter()
# Beyond the page itself, JSON needs room for its other fields and for escapes.
JSON_SPARE: Final = 1_000_000
FAILURES: Final = documented(
    Code.INVALID_REQUEST, Code.INVALID_OPTIONS, Code.METHOD_UNAVAILABLE, Code.PAGE_FAILED, Code.NOT_ACCEPTABLE,
    Code.BODY_INCOMPLETE, Code.BODY_TOO_SLOW, Code.BODY_TOO_LARGE, Code.SERVER_BUSY, Code.NOT_READY, Code.KEY_REQUIRED,
)  # fmt: skip
FAILED: Final = {Code.PAGE_FAILED, Code.FETCH_FAILED, Code.NOT_READY}
FETCH_FAILURES: Final = documented(Code.FETCHING_IS_OFF)


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
    parts: Parts = request.app.state.parts
    return parts


@router.post("/v1/extract", responses=examples.outputs(FAILURES | FETCH_FAILURES), openapi_extra=examples.PAGE)
async def extract(request: Request) -> Response:
    """Return the main text of a page."""
    return await _answer(request, "json", every=False)


@router.post("/v1/annotate", responses=examples.outputs(FAILURES | FETCH_FAILURES), openapi_extra=examples.PAGE)
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
        raise busy("too many pages are waiting for a worker; try again later")
    options = from_query(request.url.query)
    return BatchResponse(request, parts.service, parts.bodies, options.choice(options.format or "text", every=False))


@router.get("/r/{address:path}", responses=examples.outputs(FAILURES | FETCH_FAILURES))
async def reader(request: Request, address: str) -> Response:
    """Return the page at an address as Markdown with links, or as what `Accept` asks for."""
    name = _format(request, RequestOptions(), "markdown")
    url = f"{address}?{request.url.query}" if request.url.query else address
    parts = _parts(request)
    with _problems():
        page = await parts.service.fetch(url if "://" in url else f"https://{url}")
        choice = RequestOptions(links=True).choice(name, every=False)
        return _response(await parts.service.answer(PageTask(choice, page)), choice)


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
                installed=is_installed(entry.extra),
                explains=entry.capabilities.explains,
                comments=entry.capabilities.comments,
            )
            for entry in METHODS
        ]
    )


@router.get("/healthz")
async def health() -> Health:
    """Return that the server runs."""
    return Health(status="ok", version=__version__)


@router.get("/readyz", responses=documented(Code.NOT_READY))
async def ready(request: Request) -> Health:
    """Return whether a worker process has answered."""
    service = _parts(request).service
    if not service.ready:
        service.warm_up()
        raise ProblemError(Code.NOT_READY, "no worker process has answered yet", {"Retry-After": "1"})
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
    return _response(*await process_page(request, default, every=every, raw=raw))


async def process_page(
    request: Request,
    format: str,
    *,
    fixed: bool = False,
    every: bool = False,
    raw: bool = False,
    own: tuple[str, ...] = (),
) -> tuple[Outcome, Choice]:
    """Return what became of the page of a request, and the choice of its options; raise the problem, if there is one.

    Clients can ask for another format unless it is `fixed`. `own` has the names in the query that are no options.
    """
    parts, options = _parts(request), from_query(request.url.query, own)
    kind, _, parameters = request.headers.get("content-type", "").partition(";")
    is_json = not raw and kind.strip().lower() == "application/json"
    with _problems():
        async with parts.bodies.read(request, JSON_SPARE if is_json else 0) as body:
            page, plain = RawPage("body", body, charset=_charset(parameters)), kind.strip().lower() == "text/plain"
            if is_json:
                options, page = _from_json(body, options)
            if fixed and options.format not in {None, format}:
                raise ProblemError(Code.INVALID_REQUEST, f"format: expected {format}, got {options.format}")
            choice = options.choice(format if fixed else _format(request, options, format), every=every)
            if page.data == b"" and page.url:
                page = await parts.service.fetch(page.url)
            return await parts.service.answer(PageTask(choice, page, plain), request.receive), choice


@contextmanager
def _problems() -> Iterator[None]:
    """Have errors of the service answered as problems."""
    try:
        yield
    except BusyError as error:
        raise busy(str(error)) from error
    except PageError as error:
        headers = {"Retry-After": "1"} if error.problem is Code.NOT_READY else None
        # A request that was refused has no page that failed.
        code = error.reason.code if error.problem in FAILED else None
        raise ProblemError(error.problem, str(error.reason), headers, code) from error


# FastAPI would take the options from the query by itself, but in more time than all else here takes for a page.
@lru_cache(100)
def from_query(query: str, own: tuple[str, ...] = ()) -> RequestOptions:
    """Return the options of a query, in which other names are an endpoint's own; it is documented in `examples`."""
    given = dict(parse_qsl(query, keep_blank_values=True))
    try:
        return RequestOptions.model_validate({name: value for name, value in given.items() if name not in own})
    except ValidationError as error:
        raise ProblemError(Code.INVALID_REQUEST, in_words(error.errors(include_url=False))) from None


def _from_json(body: bytes, options: RequestOptions) -> tuple[RequestOptions, RawPage]:
    """Return the options of a JSON body, on top of those of the query, and its page: without data if only its URL."""
    try:
        sent = PageRequest.model_validate_json(body, strict=True)
    except ValidationError as error:
        raise ProblemError(Code.INVALID_REQUEST, in_words(error.errors(include_url=False))) from None
    given = {name: getattr(sent, name) for name in sent.model_fields_set - {"html", "url"}}
    page = RawPage("body", b"" if sent.html is None else sent.html, sent.url)
    return options.model_copy(update=given), page


def _charset(parameters: str) -> str | None:
    """Return the charset of a content type.

    >>> _charset(' charset="windows-1251"; x=y')
    'windows-1251'
    """
    pairs = (each.partition("=") for each in parameters.split(";"))
    return next((value.strip(' "') for name, _, value in pairs if name.strip().lower() == "charset"), None) or None


def _format(request: Request, options: RequestOptions, default: str) -> str:
    if options.format:
        return options.format
    accept = request.headers.get("accept", "")
    chosen = preferred(accept, default)
    if chosen is None:
        kinds = ", ".join(sorted({entry.media_type for entry in FORMATS}))
        raise ProblemError(Code.NOT_ACCEPTABLE, f"expected one of {kinds}, got {accept[:200]!r}")
    return chosen


def _response(outcome: Outcome, choice: Choice) -> Response:
    # In JSON it is a field; elsewhere there is no other place for it.
    headers = {}
    if outcome.reason:
        headers["Dehusk-Reason"] = quote(str(outcome.reason), safe=" ,;:()'")
        headers["Dehusk-Reason-Code"] = outcome.reason.code
    headers["Vary"] = "Accept"
    entry = by_name(choice.format)
    if entry.has_scripts:
        headers["Content-Security-Policy"] = "sandbox allow-scripts"  # it has a policy of its own
    return Response(outcome.output.encode("utf-8", "replace"), headers=headers, media_type=entry.media_type)
