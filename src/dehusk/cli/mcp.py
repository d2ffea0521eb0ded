"""dehusk mcp: tools for agents."""

from typing import Annotated

from dehusk.cli.commands import Option
from dehusk.cli.serve import DEFAULTS, Fetch, MaxBytes, Memory, Seconds
from dehusk.cli.terminal import print_message
from dehusk.config import Limits


def mcp(
    fetch: Fetch = False,
    jobs: Annotated[int, Option("--jobs", "-j", min=1, metavar="N", help="Worker processes")] = 1,
    max_bytes: MaxBytes = DEFAULTS.bytes,
    seconds: Seconds = DEFAULTS.seconds,
    memory: Memory = DEFAULTS.memory,
) -> None:
    """Serve the tools extract, annotate and metadata to an agent, by MCP over standard input and output.

    The agent's program starts this command; name it in its settings:

    \b
      {"mcpServers": {"dehusk": {"command": "dehusk", "args": ["mcp", "--fetch"]}}}
    """
    from dehusk.extras import require

    require("the MCP server", "mcp")
    from dehusk.serve.offered import PROBLEMS
    from dehusk.serve.settings import ServerSettings
    from dehusk.serve.tools import tool_server

    for problem in PROBLEMS:
        print_message(problem)
    limits = Limits(bytes=max_bytes, seconds=seconds, memory=memory)
    tool_server(ServerSettings(jobs, limits=limits, fetch=fetch)).run("stdio")
