"""Tools for agents: `extract`, `annotate` and `metadata` over MCP, with the limits and rules of the HTTP service."""

import json
from typing import Annotated, Any, Final

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import Field, ValidationError

from dehusk import __version__
from dehusk.models.registry import DEFAULT
from dehusk.reasons import Code
from dehusk.serve.offered import BY_MEDIA_TYPE, METHOD_NAMES
from dehusk.serve.options import RequestOptions, in_words, known
from dehusk.serve.service import BusyError, PageError, Service
from dehusk.serve.settings import ServerSettings
from dehusk.serve.work import PageTask
from dehusk.sources import RawPage

ABOUT: Final = "Web pages in, main text out, without menus, ads and footers; every block scored."
READS: Final = ToolAnnotations(read_only_hint=True, idempotent_hint=True)

Html = Annotated[str | None, Field(description="The HTML of the page")]
Url = Annotated[str | None, Field(description="Its address; without html, where to fetch it, if the server may")]
Method = Annotated[str, Field(description=f"Method that scores the blocks: {', '.join(METHOD_NAMES)}")]
Threshold = Annotated[float | None, Field(ge=0, le=1, description="Keep blocks that score below it; by default 0.5")]
# One per media type: the others, such as the report, are for people.
FORMATS: Final = list(dict.fromkeys(BY_MEDIA_TYPE.values()))
Format = Annotated[str, known(FORMATS), Field(description="What to return", json_schema_extra={"enum": FORMATS})]
Links = Annotated[bool, Field(description="Keep the targets of links")]
Explain = Annotated[bool, Field(description="Return the facts that decided each block's score")]


def tool_server(settings: ServerSettings) -> MCPServer[None]:
    """Return a server of the tools; its workers start and stop with it."""
    service = Service(settings)

    server: MCPServer[None] = MCPServer(
        "dehusk", version=__version__, instructions=ABOUT, lifespan=service.running, log_level="ERROR"
    )

    @server.tool(annotations=READS)
    async def extract(
        html: Html = None,
        url: Url = None,
        format: Format = "markdown",
        method: Method = DEFAULT,
        threshold: Threshold = None,
        links: Links = False,
    ) -> str:
        """Return the main text of a web page, by default as Markdown, without menus, ads, banners and footers."""
        options = {"method": method, "threshold": threshold, "links": links}
        return await _answer(service, html, url, options, format)

    @server.tool(annotations=READS)
    async def annotate(
        html: Html = None,
        url: Url = None,
        method: Method = DEFAULT,
        threshold: Threshold = None,
        explain: Explain = False,
    ) -> str:
        """Return every block of a web page as JSON, with its text, kind, score from 0 (main text) to 1, and XPath."""
        options = {"method": method, "threshold": threshold, "explain": explain}
        return await _answer(service, html, url, options, "json", every=True)

    @server.tool(annotations=READS)
    async def metadata(html: Html = None, url: Url = None) -> dict[str, Any]:
        """Return title, authors, dates, language and more of a web page, and where each was found."""
        page = json.loads(await _answer(service, html, url, {}, "json"))
        return dict(page["metadata"])

    return server


async def _answer(
    service: Service, html: str | None, url: str | None, options: dict[str, Any], format: str, *, every: bool = False
) -> str:
    if html is None and url is None:
        raise ToolError("expected html or url")
    try:
        choice = RequestOptions.model_validate(options).choice(format, every=every)
        page = await service.fetch(url or "") if html is None else RawPage("html", html, url)
        outcome = await service.answer(PageTask(choice, page))
    except ValidationError as error:
        raise ToolError(in_words(error.errors(include_url=False))) from error
    except BusyError as error:
        raise ToolError(f"{Code.SERVER_BUSY}: {error}") from error
    except PageError as error:
        raise ToolError(f"{error.reason.code}: {error}") from error
    # An empty answer would leave an agent guessing.
    return outcome.output or (f"({outcome.reason.code}: {outcome.reason})" if outcome.reason else "")
