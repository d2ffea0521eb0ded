"""The tools for agents, called by the client of the released package over standard input and output."""

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from dehusk import extract
from testing.server import ROOT
from tests.golden import PAGES

mcp = pytest.importorskip("mcp")
PAGE = (PAGES / "news-article" / "source.html").read_text(encoding="utf-8")


def with_client(act: Callable[[Any], Awaitable[None]], *arguments: str) -> None:
    """Start `dehusk mcp` as an agent's program does, and act as its client."""

    async def run() -> None:
        # The client would keep PYTHONPATH from it, and with that perhaps the code under test.
        command = mcp.StdioServerParameters(
            command=sys.executable, args=["-m", "dehusk", "mcp", *arguments], cwd=str(ROOT), env=dict(os.environ)
        )
        async with mcp.Client(command, read_timeout_seconds=120) as client:
            await act(client)

    asyncio.run(run())


def text_of(result: Any) -> str:
    return "".join(part.text for part in result.content)


def test_the_tools_are_listed_and_called() -> None:
    async def act(client: Any) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert list(tools) == ["extract", "annotate", "metadata"]
        assert all(tool.description for tool in tools.values())
        document = extract(PAGE)
        found = await client.call_tool("extract", {"html": PAGE})
        assert (found.is_error, text_of(found)) == (False, document.markdown())
        found = await client.call_tool("extract", {"html": PAGE, "format": "text", "method": "bte"})
        assert text_of(found) == extract(PAGE, method="bte").text
        found = await client.call_tool("annotate", {"html": PAGE, "threshold": 0.3, "explain": True})
        assert text_of(found) == extract(PAGE, threshold=0.3, explain=True).json(every=True)
        found = await client.call_tool("metadata", {"html": PAGE, "url": "https://courier.example/a"})
        assert found.structured_content["title"] == document.metadata.title
        assert json.loads(text_of(found))["url"] == extract(PAGE, url="https://courier.example/a").metadata.url

    with_client(act)


def test_what_cannot_be_done_is_an_error_that_says_why() -> None:
    async def act(client: Any) -> None:
        for arguments, words in (
            ({}, "expected html or url"),
            ({"url": "https://example.org/"}, "start the server with --fetch"),
            ({"html": "<p>a", "method": "magic"}, "tool extract: method: expected one of kernel"),
            ({"html": "<p>a", "threshold": 50}, "less than or equal to 1"),
            ({"html": " " * 2_000_000}, "too large"),
        ):
            found = await client.call_tool("extract", arguments)
            assert found.is_error
            assert words in text_of(found)
        found = await client.call_tool("extract", {"html": "<nav><a href=/>Home</a></nav>"})
        assert text_of(found).startswith("(no-main-text: ")

    with_client(act, "--max-bytes", "1000000")


def test_fetching_has_the_rules_of_the_service() -> None:
    async def act(client: Any) -> None:
        for url in ("http://127.0.0.1:1/", "http://[::ffff:7f00:1]/", "file:///etc/passwd", "http://a:b@example.org/"):
            found = await client.call_tool("extract", {"url": url})
            assert found.is_error
            assert "cannot be fetched" in text_of(found)

    with_client(act, "--fetch")
