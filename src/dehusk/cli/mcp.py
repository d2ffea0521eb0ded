"""dehusk mcp: tools for agents."""

from dehusk.cli.options import Jobs
from dehusk.cli.serve import DEFAULTS, Fetch, MaxBytes, Memory, Seconds
from dehusk.config import Limits


def mcp(
    fetch: Fetch = False,
    jobs: Jobs = 1,
    max_bytes: MaxBytes = DEFAULTS.bytes,
    seconds: Seconds = DEFAULTS.seconds,
    memory: Memory = DEFAULTS.memory,
) -> None:
    """Serve the tools extract, annotate and metadata to an agent, by MCP over standard input and output.

    An agent's program starts this command itself: its settings name it.

    \b
      {"mcpServers": {"dehusk": {"command": "dehusk", "args": ["mcp", "--fetch"]}}}
    """
    from dehusk.extras import require

    require("the server of tools", "mcp")
    from dehusk.serve.settings import Settings
    from dehusk.serve.tools import tool_server

    limits = Limits(bytes=max_bytes, seconds=seconds, memory=memory)
    tool_server(Settings(jobs, limits=limits, fetch=fetch)).run("stdio")
