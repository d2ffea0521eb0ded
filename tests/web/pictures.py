"""The pictures of docs/extension.md: `python -m tests.web.pictures` takes them with the built extension."""

from io import BytesIO
from pathlib import Path

from PIL import Image

from tests.web.extension import Extension, extension

FOLDER = Path(__file__).parents[2] / "docs" / "images"
PAGE = (Path(__file__).parent / "picture.html").read_text(encoding="utf-8")


def main() -> None:
    """Take all pictures."""
    with extension(viewport={"width": 1060, "height": 720}) as browser:
        _save(_highlighted(browser), "extension-page.png")
        themes = [_read(browser, theme) for theme in ("light", "sepia", "dark")]
        _save(_side_by_side(themes), "extension-reader.png")
        _save(_options(browser), "extension-options.png")


def _highlighted(browser: Extension) -> bytes:
    page = browser.open(PAGE)
    browser.highlight(page)
    page.locator("footer").hover(position={"x": 60, "y": 24})
    page.wait_for_timeout(500)
    return page.screenshot()


def _read(browser: Extension, theme: str) -> bytes:
    browser.worker.evaluate(f"chrome.storage.local.set({{ settings: {{ theme: '{theme}', size: 17, width: 55 }} }})")
    page = browser.open(PAGE)
    page.set_viewport_size({"width": 700, "height": 900})
    browser.read(page)
    page.wait_for_timeout(300)
    return page.screenshot()


def _options(browser: Extension) -> bytes:
    browser.worker.evaluate("chrome.storage.local.clear()")
    page = browser.context.new_page()
    page.set_viewport_size({"width": 700, "height": 900})
    page.goto(f"chrome-extension://{browser.id}/options.html")
    return page.screenshot()


def _side_by_side(pictures: list[bytes]) -> bytes:
    images = [Image.open(BytesIO(picture)) for picture in pictures]
    whole = Image.new("RGB", (sum(image.width for image in images), images[0].height))
    left = 0
    for image in images:
        whole.paste(image, (left, 0))
        left += image.width
    file = BytesIO()
    whole.save(file, "png")
    return file.getvalue()


def _save(picture: bytes, name: str) -> None:
    """Store a picture with as many colours as it needs to look the same."""
    image = Image.open(BytesIO(picture)).convert("RGB").quantize(128, dither=Image.Dither.NONE)
    image.save(FOLDER / name, optimize=True)


if __name__ == "__main__":
    main()
