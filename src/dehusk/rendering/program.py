"""The program of the rendering process: it reads tasks from its input, and writes answers to its output."""

import asyncio
import os
import pickle
import threading
import time
from typing import Any, BinaryIO

from playwright.async_api import Browser, Error, async_playwright

from dehusk.rendering.chromium import launch_options
from dehusk.rendering.live_page import run_scripts
from dehusk.rendering.photograph import Photographer
from dehusk.rendering.tasks import Failure, Live, Photograph

CLOSING_SECONDS = 3.0


def main() -> None:
    """Answer tasks until the input ends, and end with it whatever happens."""
    tasks, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    asyncio.run(_serve(tasks, answers))


async def _serve(tasks: BinaryIO, answers: BinaryIO) -> None:
    queue: asyncio.Queue[Photograph | Live | None] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    threading.Thread(target=_read, args=(tasks, loop, queue), daemon=True).start()
    async with async_playwright() as playwright:
        try:
            browser = await playwright.chromium.launch(**launch_options())
        except Error as error:
            _send(answers, Failure(f"the browser did not start: {error.message.partition(chr(10))[0]}"))
            return
        _send(answers, None)
        photographer = Photographer(browser)
        while task := await queue.get():
            _send(answers, await _answer(browser, photographer, task))
        await browser.close()


def _read(tasks: BinaryIO, loop: asyncio.AbstractEventLoop, queue: "asyncio.Queue[Any]") -> None:
    """Read tasks in a thread of its own, so that the end of the parent is noticed in the middle of a page, too."""
    try:
        while True:
            loop.call_soon_threadsafe(queue.put_nowait, pickle.load(tasks))
    except (EOFError, OSError, pickle.UnpicklingError):
        loop.call_soon_threadsafe(queue.put_nowait, None)
    time.sleep(CLOSING_SECONDS)
    os._exit(1)  # Playwright's own process sees its input end, and ends the browser


async def _answer(browser: Browser, photographer: Photographer, task: Photograph | Live) -> object:
    try:
        if isinstance(task, Photograph):
            return await photographer.photograph(task)
        return await run_scripts(browser, task)
    except Error as error:
        crashed = "crash" in error.message.lower() or "closed" in error.message.lower()
        return Failure("the page crashed the browser" if crashed else error.message.partition("\n")[0])
    except TimeoutError:
        return Failure("its scripts could not be stopped")
    except Exception as error:  # a page can cause anything
        return Failure(f"{type(error).__name__}: {error}")


def _send(answers: BinaryIO, message: object) -> None:
    pickle.dump(message, answers, pickle.HIGHEST_PROTOCOL)
    answers.flush()


if __name__ == "__main__":
    main()
