"""Problems: every error has the shape of RFC 9457 and a `code`; docs/server.md has them all."""

from http import HTTPStatus
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

from dehusk.reasons import Code
from dehusk.serve.options import in_words

MEDIA_TYPE: Final = "application/problem+json"
RETRY_SECONDS: Final = 1
# The status and title of each code.
CODES: Final = {
    Code.INVALID_REQUEST: (422, "The request does not have the expected form"),
    Code.INVALID_OPTIONS: (422, "These options do not go together"),
    Code.METHOD_UNAVAILABLE: (422, "The method is not installed on this server"),
    Code.PAGE_FAILED: (422, "The page could not be processed"),
    Code.FETCH_FAILED: (422, "The page could not be fetched"),
    Code.FETCHING_IS_OFF: (403, "This server does not fetch pages"),
    Code.KEY_REQUIRED: (401, "The request needs the server's key"),
    Code.NOT_FOUND: (404, "There is nothing at this address"),
    Code.METHOD_NOT_ALLOWED: (405, "This address does not accept this HTTP method"),
    Code.NOT_ACCEPTABLE: (406, "None of the accepted media types is available"),
    Code.BODY_INCOMPLETE: (400, "The body is incomplete"),
    Code.BODY_TOO_SLOW: (408, "The body took too long to arrive"),
    Code.BODY_TOO_LARGE: (413, "The body is larger than this server accepts"),
    Code.SERVER_BUSY: (429, "Too many pages are waiting"),
    Code.NOT_READY: (503, "No worker process is running"),
    Code.INTERNAL_ERROR: (500, "The server failed"),
}
BY_STATUS: Final = {404: Code.NOT_FOUND, 405: Code.METHOD_NOT_ALLOWED}


class Problem(BaseModel):
    """An error: RFC 9457, with a code."""

    model_config = ConfigDict(extra="forbid")

    type: str = Field(examples=["urn:dehusk:problem:server-busy"])
    title: str
    status: int
    detail: str
    code: str = Field(json_schema_extra={"enum": list(CODES)})
    reason_code: str | None = Field(default=None, json_schema_extra={"enum": list(Code)})  # of a page that failed


class ProblemError(Exception):
    """A problem to answer with."""

    def __init__(
        self, code: Code, detail: str, headers: dict[str, str] | None = None, reason_code: Code | None = None
    ) -> None:
        """Take the problem of the request, and of a page that failed the code of its reason."""
        if code not in CODES:
            raise ValueError(f"expected a code of a problem ({', '.join(CODES)}), got {code!r}")
        super().__init__(detail)
        self.code, self.detail, self.headers, self.reason_code = code, detail, headers, reason_code


def busy(detail: str, headers: dict[str, str] | None = None) -> ProblemError:
    """Return the problem of a server that has too much to do."""
    return ProblemError(Code.SERVER_BUSY, detail, {"Retry-After": str(RETRY_SECONDS), **(headers or {})})


def answer(code: Code, detail: str, headers: dict[str, str] | None = None, reason_code: Code | None = None) -> Response:
    """Return a problem as an answer."""
    status, title = CODES[code]
    kind = f"urn:dehusk:problem:{code}"
    problem = Problem(type=kind, title=title, status=status, detail=detail, code=code, reason_code=reason_code)
    return JSONResponse(problem.model_dump(exclude_none=True), status, headers, MEDIA_TYPE)


def install(app: FastAPI) -> None:
    """Have all errors of an application answered in this shape."""

    @app.exception_handler(ProblemError)
    async def _problem(_request: Request, error: ProblemError) -> Response:
        return answer(error.code, error.detail, error.headers, error.reason_code)

    @app.exception_handler(RequestValidationError)
    async def _invalid(_request: Request, error: RequestValidationError) -> Response:
        return answer(Code.INVALID_REQUEST, in_words(error.errors()))

    @app.exception_handler(HTTPException)
    async def _http(request: Request, error: HTTPException) -> Response:
        code = BY_STATUS.get(error.status_code, Code.INVALID_REQUEST)
        return answer(code, f"{request.method} {request.url.path[:200]}", dict(error.headers or {}))

    @app.exception_handler(Exception)
    async def _failed(_request: Request, error: Exception) -> Response:
        return answer(Code.INTERNAL_ERROR, type(error).__name__)


def documented(*codes: Code) -> dict[int | str, dict[str, Any]]:
    """Return the responses with these codes for the OpenAPI document."""
    responses: dict[int | str, dict[str, Any]] = {}
    for code in codes:
        status, title = CODES[code]
        described = f"{responses[status]['description']}; or {title}" if status in responses else title
        responses[status] = {
            "description": described,
            "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
        if status == HTTPStatus.TOO_MANY_REQUESTS:
            schema = {"type": "integer"}
            responses[status]["headers"] = {"Retry-After": {"description": "Seconds to wait", "schema": schema}}
    return responses
