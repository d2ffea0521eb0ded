"""The service apart from HTTP: how many pages it takes at a time."""

import asyncio
import threading

import pytest

from dehusk.serve import service
from dehusk.serve.service import BusyError, Service
from dehusk.serve.settings import ServerSettings
from dehusk.sources import RawPage


def test_no_more_pages_are_fetched_at_a_time_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    may_end = threading.Event()

    def fetched(url: str, *_: object) -> RawPage:
        may_end.wait()
        return RawPage(url, b"<p>Hello")

    async def fetch_three() -> None:
        serving = Service(ServerSettings(fetch=True, fetches=2))
        running = [asyncio.create_task(serving.fetch(f"https://example.org/{number}")) for number in range(2)]
        await asyncio.sleep(0)  # both have begun
        try:
            with pytest.raises(BusyError, match="2 pages are being fetched; try again later"):
                await asyncio.wait_for(serving.fetch("https://example.org/2"), timeout=5)
        finally:
            may_end.set()
        assert [page.data for page in await asyncio.gather(*running)] == [b"<p>Hello"] * 2
        assert (await serving.fetch("https://example.org/2")).data == b"<p>Hello"  # there is room again

    monkeypatch.setattr(service, "fetched", fetched)
    asyncio.run(fetch_three())
