"""The pictures of docs/extension.md: `python -m tests.web.pictures` takes them with the built extension."""

from io import BytesIO
from pathlib import Path

from PIL import Image

from tests.web.extension import Extension, extension
from tests.web.pages import LONG, OTHER

FOLDER = Path(__file__).parents[2] / "docs" / "images"
STYLE = """
body { margin: 0; font: 16px/1.5 Georgia, serif; color: #222 } a { color: #175; text-decoration: none }
header { background: #234; color: #fff; padding: 14px 32px; font: bold 22px sans-serif; display: flex; gap: 28px; align-items: baseline }
header a { color: #cde; font: 15px sans-serif } .cols { display: flex; gap: 40px; padding: 24px 32px; max-width: 1000px }
main { flex: 3 } aside { flex: 1; font: 14px sans-serif; background: #eef2f4; padding: 12px 16px } h1 { margin: 0 0 8px }
footer { background: #eee; padding: 16px 32px; font: 14px sans-serif; color: #555 } table { border-collapse: collapse } td, th { padding: 4px 14px; border: 1px solid #bbb }
"""
ASIDE = "".join(f"<li><a href=/{n}>{title}</a>" for n, title in enumerate(("Mill wheel turns again", "Ferry times", "Who owns the weir?")))
ROWS = "".join(f"<tr><td>{year}<td>{hay}<td>{oats}" for year, hay, oats in ((2024, 12, 7), (2025, 8, 9), (2026, 5, 9)))
PAGE = f"""<!DOCTYPE html><html lang=en><title>Why the hay was late - The Meadow</title><style>{STYLE}</style>
<header>The Meadow <a href=/1>News</a> <a href=/2>Weather</a> <a href=/3>Market</a> <a href=/4>Subscribe</a></header>
<div class=cols><main><article><h1>Why the hay was late</h1><p class=byline>By Ann Reed, 2 July 2026 · <a href=/s>Share</a></p>
<p>{LONG} The farmers below the weir had to wait for three weeks, and some of them for four.</p>
<p>{OTHER} By the end of the month the water had reached the lowest stones of the barn.</p>
<h2>What it means for the winter</h2><ul><li>There is a third less hay than last year, and it is coarse.</li>
<li>Oats did well, since they were sown early and stood on the higher fields.</li></ul>
<table><caption>Tons per field</caption><tr><th>Year<th>Hay<th>Oats{ROWS}</table>
<p>In the end the hay was cut by hand, on the first dry day of July, and dried on racks as it was long ago. “It is little, but
it is good,” says the miller, who keeps four cows.</p></article></main>
<aside><b>Most read</b><ul>{ASIDE}</ul><p>Advertisement</p><p>Boots for wet meadows: now £39</p></aside></div>
<footer>© 2026 The Meadow · <a href=/t>Terms</a> · <a href=/p>Privacy</a> · <a href=/c>Cookies</a> · We use cookies to improve your visit.</footer>"""


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
