"""Tools for agents: `extract`, `annotate` and `metadata` over MCP, with the limits and rules of the HTTP service."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any, Final, Literal

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import Field, ValidationError

from dehusk import __version__
from dehusk.models.registry import DEFAULT
from dehusk.serve.options import METHODS, Options
from dehusk.serve.service import BusyError, PageError, Service
from dehusk.serve.settings import Settings
from dehusk.serve.work import Task
from dehusk.sources import RawPage

ABOUT: Final = "Web pages in, main text out, without menus, ads and footers; every block scored."
READS: Final = ToolAnnotations(read_only_hint=True, idempotent_hint=True)

Html = Annotated[str | None, Field(description="The HTML of the page")]
Url = Annotated[str | None, Field(description="Its address; without html, where to fetch it, if the server may")]
Method = Annotated[str, Field(description=f"Method that scores the blocks: {', '.join(METHODS)}")]
Threshold = Annotated[float | None, Field(ge=0, le=1, description="Keep blocks that score below it; by default 0.5")]
Format = Annotated[Literal["markdown", "text", "html", "json", "xml", "tei"], Field(description="What to return")]
Links = Annotated[bool, Field(description="Keep the targets of links")]
Explain = Annotated[bool, Field(description="Have the facts that decided on each block")]


def tool_server(settings: Settings) -> MCPServer[None]:
    """Return a server of the tools; its workers start and stop with it."""
    service = Service(settings)

    @asynccontextmanager
    async def life(_server: MCPServer[None]) -> AsyncIterator[None]:
        service.open()
        try:
            yield
        finally:
            service.close()

    made: MCPServer[None] = MCPServer(
        "dehusk", version=__version__, instructions=ABOUT, lifespan=life, log_level="ERROR"
    )

    @made.tool(annotations=READS)
    async def extract(
        html: Html = None,
        url: Url = None,
        format: Format = "markdown",
        method: Method = DEFAULT,
        threshold: Threshold = None,
        links: Links = False,
    ) -> str:
        """Return the main text of a web page, by default as Markdown, without menus, ads, banners and footers."""
        asked = {"method": method, "threshold": threshold, "links": links}
        return await _answer(service, html, url, asked, format)

    @made.tool(annotations=READS)
    async def annotate(
        html: Html = None,
        url: Url = None,
        method: Method = DEFAULT,
        threshold: Threshold = None,
        explain: Explain = False,
    ) -> str:
        """Return every block of a web page as JSON, with its text, kind, score from 0 (main text) to 1, and XPath."""
        asked = {"method": method, "threshold": threshold, "explain": explain}
        return await _answer(service, html, url, asked, "json", every=True)

    @made.tool(annotations=READS)
    async def metadata(html: Html = None, url: Url = None) -> dict[str, Any]:
        """Return title, authors, dates, language and more of a web page, and where each was found."""
        found = json.loads(await _answer(service, html, url, {}, "json"))
        return dict(found["metadata"])

    return made


async def _answer(
    service: Service, html: str | None, url: str | None, asked: dict[str, Any], format: str, *, every: bool = False
) -> str:
    if html is None and url is None:
        raise ToolError("expected html or url")
    try:
        choice = Options.model_validate(asked).choice(format, every=every)
        page = await service.fetch(url or "") if html is None else RawPage("html", html, url)
        found = await service.answer(Task(choice, page))
    except ValidationError as error:
        raise ToolError("; ".join(each["msg"] for each in error.errors())) from error
    except (BusyError, PageError) as error:
        raise ToolError(str(error)) from error
    # An empty answer would leave an agent guessing.
    return found.output or f"(no text: {found.reason})"
