"""The guard: what every request passes, before and after anything else. It checks the key, counts, and sets headers."""

import asyncio
import time
from hmac import compare_digest
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dehusk.reasons import Code
from dehusk.serve import problems
from dehusk.serve.metrics import Metrics
from dehusk.serve.settings import ServerSettings

# Open to those without a key: the page, which asks for it, and what tells other programs how the server is.
OPEN: Final = frozenset({"/", "/healthz", "/readyz", "/openapi.json"})
STATIC: Final = "/static/"
# Whatever an answer holds, a browser that opens it runs nothing and shows nothing from elsewhere.
HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; img-src 'none'; style-src 'unsafe-inline'; sandbox",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Guard:
    """Wraps an application."""

    def __init__(self, app: ASGIApp, settings: ServerSettings, metrics: Metrics) -> None:
        self._app, self._settings, self._metrics = app, settings, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.perf_counter(), 500

        async def guarded(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            if message.get("more_body"):  # only a long answer can wait for its client, who must not hold it for ever
                async with asyncio.timeout(self._settings.client_seconds):
                    await send(message)
            else:
                await send(message)

        try:
            app: ASGIApp = self._app if self._may_pass(scope) else _refused
            await app(scope, receive, guarded)
        finally:
            route = getattr(scope.get("route"), "path", "other")
            self._metrics.count(route, status, time.perf_counter() - began)

    def _may_pass(self, scope: Scope) -> bool:
        key, path = self._settings.key, scope["path"]
        if not key or path in OPEN or path.startswith(STATIC) or scope["method"] == "OPTIONS":
            return True
        headers = Headers(scope=scope)
        given = headers.get("authorization", "").removeprefix("Bearer ") or headers.get("x-api-key", "")
        return compare_digest(given.encode(), key.encode())


async def _refused(scope: Scope, receive: Receive, send: Send) -> None:
    challenge = {"WWW-Authenticate": "Bearer", "Connection": "close"}  # the body is not read
    response = problems.answer(Code.KEY_REQUIRED, "send it as `Authorization: Bearer KEY`", challenge)
    await response(scope, receive, send)
