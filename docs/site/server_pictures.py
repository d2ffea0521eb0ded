"""The pictures of the server's page in docs/images: `python -m docs.site.server_pictures` takes them again."""

from io import BytesIO
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from docs.site.pictures import DESKTOP, GAP, save
from testing.chromium import PROGRAM
from testing.server import Server, server

PHONE = {"width": 390, "height": 760}


def photograph(browser: Browser, running: Server, example: str, **window: Any) -> Image.Image:
    """Return what the page shows: of an example with Markdown and one block, or without one what it begins with."""
    tab = browser.new_context(device_scale_factor=1.5, **window).new_page()
    tab.goto(f"{running.address}/")
    tab.wait_for_selector("#method option:checked", state="attached")
    if example:
        tab.get_by_role("button", name=example, exact=True).click()
        _prepare(tab, phone=window["viewport"] == PHONE)
    tab.wait_for_timeout(800)
    return Image.open(BytesIO(tab.screenshot()))


def _prepare(tab: Page, *, phone: bool) -> None:
    frame = tab.locator("#report").element_handle().content_frame()
    assert frame
    frame.wait_for_selector(".choice", state="attached")
    if phone:
        return
    frame.locator(".choice input[value=other]").check(force=True)
    frame.locator(".block:not(.dropped)").nth(2).evaluate("block => block.scrollIntoView({block: 'center'})")
    frame.locator(".block:not(.dropped)").nth(2).focus()


def in_a_row(pictures: list[Image.Image]) -> Image.Image:
    """Return pictures side by side, all as high as the first."""
    scaled = [each.resize((each.width * pictures[0].height // each.height, pictures[0].height)) for each in pictures]
    row = Image.new("RGB", (sum(each.width for each in scaled) + GAP * (len(scaled) - 1), scaled[0].height), "white")
    left = 0
    for each in scaled:
        row.paste(each, (left, 0))
        left += each.width + GAP
    return row


def main() -> None:
    """Take the pictures."""
    with server("--fetch") as running, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM)
        for scheme, example in (("light", "News"), ("dark", "Manual")):
            desktop = photograph(browser, running, example, viewport=DESKTOP, color_scheme=scheme)
            phone = photograph(
                browser, running, example, viewport=PHONE, color_scheme=scheme, has_touch=True, is_mobile=True
            )
            save(in_a_row([desktop, phone]), f"server-{scheme}.png")
        start = photograph(browser, running, "", viewport=DESKTOP)
        phone = photograph(browser, running, "", viewport=PHONE, color_scheme="dark", has_touch=True, is_mobile=True)
        save(in_a_row([start, phone]), "server-start.png")


if __name__ == "__main__":
    main()
