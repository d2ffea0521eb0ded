"""The program of the rendering process, by the protocol of `child`: a task is a page, an answer what it came to."""

import asyncio
import os
import pickle
import threading
import time
from typing import BinaryIO

from playwright.async_api import Browser, Error, async_playwright

from dehusk.child import own_streams, read_task, send_answer
from dehusk.reasons import Code, Reason
from dehusk.rendering.chromium import launch_options
from dehusk.rendering.live_page import PageCrashedError, run_scripts
from dehusk.rendering.photograph import Photographer
from dehusk.rendering.tasks import Live, Photograph

CLOSING_SECONDS = 3.0
CRASHED = Reason(Code.NOT_RENDERED, "the page crashed the browser")


def main() -> None:
    """Answer tasks until the input ends, and end with it whatever happens."""
    asyncio.run(_serve(*own_streams()))


async def _serve(tasks: BinaryIO, answers: int) -> None:
    queue: asyncio.Queue[bytes | None] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    threading.Thread(target=_read, args=(tasks, loop, queue), daemon=True).start()
    async with async_playwright() as playwright:
        await queue.get()  # the set-up, which says nothing here
        try:
            browser = await playwright.chromium.launch(**launch_options())
        except Error as error:
            detail = f"the browser did not start: {_first_line(error)}"
            send_answer(answers, Reason(Code.NOT_RENDERED, detail))
            return
        send_answer(answers, None)
        photographer = Photographer(browser)
        while task := await queue.get():
            send_answer(answers, await _answer(browser, photographer, task))
        await browser.close()


def _read(tasks: BinaryIO, loop: asyncio.AbstractEventLoop, queue: "asyncio.Queue[bytes | None]") -> None:
    """Read tasks in a thread of its own, so that the end of the parent is noticed in the middle of a page, too."""
    try:
        while True:
            loop.call_soon_threadsafe(queue.put_nowait, read_task(tasks))
    except (EOFError, OSError):
        loop.call_soon_threadsafe(queue.put_nowait, None)
    time.sleep(CLOSING_SECONDS)
    os._exit(1)  # Playwright's own process sees its input end, and ends the browser


def _first_line(error: Error) -> str:
    """Return what Playwright says without its log, which follows."""
    return "".join(error.message.splitlines()[:1])


async def _answer(browser: Browser, photographer: Photographer, data: bytes) -> object:
    try:
        task: Photograph | Live = pickle.loads(data)
        if isinstance(task, Photograph):
            return await photographer.photograph(task)
        return await run_scripts(browser, task)
    except PageCrashedError:
        return CRASHED
    except Error as error:
        crashed = photographer.crashed or not browser.is_connected()
        return CRASHED if crashed else Reason(Code.NOT_RENDERED, _first_line(error))
    except TimeoutError:
        return Reason(Code.NOT_RENDERED, "its scripts could not be stopped")
    except Exception as error:  # a page can cause anything
        return Reason(Code.FAILED, f"{type(error).__name__}: {error}")
