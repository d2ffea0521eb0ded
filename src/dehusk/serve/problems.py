"""Problems: every error has the shape of RFC 9457 and a `code`; docs/server.md has them all."""

from http import HTTPStatus
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

MEDIA_TYPE: Final = "application/problem+json"
RETRY_SECONDS: Final = 1
# The status and title of each code.
CODES: Final = {
    "invalid-request": (422, "The request does not have the expected form"),
    "invalid-options": (422, "These options do not go together"),
    "method-unavailable": (422, "The method is not installed here"),
    "page-failed": (422, "The page could not be processed"),
    "fetch-failed": (422, "The page could not be fetched"),
    "fetching-is-off": (403, "This server does not fetch pages"),
    "key-required": (401, "The request needs the server's key"),
    "not-found": (404, "There is nothing at this address"),
    "method-not-allowed": (405, "The address does not take this kind of request"),
    "not-acceptable": (406, "None of the accepted media types can be had"),
    "body-incomplete": (400, "The body did not arrive as a whole"),
    "body-too-slow": (408, "The body took too long to arrive"),
    "body-too-large": (413, "The body is larger than this server takes"),
    "server-busy": (429, "Too many pages wait already"),
    "not-ready": (503, "No worker process runs at the moment"),
    "internal-error": (500, "The server failed"),
}
BY_STATUS: Final = {404: "not-found", 405: "method-not-allowed"}


class Problem(BaseModel):
    """An error: RFC 9457, with a code."""

    model_config = ConfigDict(extra="forbid")

    type: str = Field(examples=["urn:dehusk:problem:server-busy"])
    title: str
    status: int
    detail: str
    code: str = Field(json_schema_extra={"enum": list(CODES)})


class ProblemError(Exception):
    """A problem to answer with."""

    def __init__(self, code: str, detail: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(detail)
        self.code, self.detail, self.headers = code, detail, headers


def busy(detail: str, headers: dict[str, str] | None = None) -> ProblemError:
    """Return the problem of a server that has too much to do."""
    return ProblemError("server-busy", detail, {"Retry-After": str(RETRY_SECONDS), **(headers or {})})


def answer(code: str, detail: str, headers: dict[str, str] | None = None) -> Response:
    """Return a problem as an answer."""
    status, title = CODES[code]
    found = Problem(type=f"urn:dehusk:problem:{code}", title=title, status=status, detail=detail, code=code)
    return JSONResponse(found.model_dump(), status, headers, MEDIA_TYPE)


def install(app: FastAPI) -> None:
    """Have all errors of an application answered in this shape."""

    @app.exception_handler(ProblemError)
    async def _problem(_request: Request, error: ProblemError) -> Response:
        return answer(error.code, error.detail, error.headers)

    @app.exception_handler(RequestValidationError)
    async def _invalid(_request: Request, error: RequestValidationError) -> Response:
        return answer("invalid-request", in_words(error.errors()))

    @app.exception_handler(HTTPException)
    async def _http(request: Request, error: HTTPException) -> Response:
        code = BY_STATUS.get(error.status_code, "invalid-request")
        return answer(code, f"{request.method} {request.url.path[:200]}", dict(error.headers or {}))

    @app.exception_handler(Exception)
    async def _failed(_request: Request, error: Exception) -> Response:
        return answer("internal-error", type(error).__name__)


def in_words(errors: Any) -> str:
    """Return what is wrong with each part of a request.

    >>> in_words([{"loc": ("query", "threshold"), "msg": "Input should be less than or equal to 1"}])
    'threshold: Input should be less than or equal to 1'
    """
    parts = ((".".join(str(part) for part in each["loc"] if part != "query"), each["msg"]) for each in errors)
    return "; ".join(f"{place}: {message}" if place else message for place, message in parts)


def documented(*codes: str) -> dict[int | str, dict[str, Any]]:
    """Return the responses with these codes for the OpenAPI document."""
    found: dict[int | str, dict[str, Any]] = {}
    for code in codes:
        status, title = CODES[code]
        described = f"{found[status]['description']}; or {title}" if status in found else title
        found[status] = {
            "description": described,
            "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
        if status == HTTPStatus.TOO_MANY_REQUESTS:
            schema = {"type": "integer"}
            found[status]["headers"] = {"Retry-After": {"description": "Seconds to wait", "schema": schema}}
    return found
