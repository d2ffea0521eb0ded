"""The service: HTTP and MCP in, what `extract` answers out. No extraction logic is here.

    app.py          the application, with its life from start to stop
    routes.py       one function per address
    options.py      what a request may ask for
    offered.py      the methods and formats that can be used here
    negotiation.py  which format an `Accept` header asks for
    bodies.py       request bodies, within limits on size, time and memory
    problems.py     errors, in the one shape that they have
    guard.py        what every request passes: the key, the headers of answers, the clock of slow clients
    metrics.py      counts for Prometheus
    service.py      pages to the pool and back
    work.py         what the pool's processes do
    batch.py        JSON lines in, JSON lines out
    page.py         the page at /
    tools.py        the tools for agents

FastAPI and uvicorn are imported by `dehusk serve` alone, `mcp` by `dehusk mcp` alone.
"""
