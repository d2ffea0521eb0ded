"""The page at /: paste, drop or name a page, and look at what becomes of it.

What becomes of it is a report (`formats/report`) in a frame without an origin of its own. Nothing of a page is ever
markup here: the report has it as text, and the policy lets no other script run than the two that are ours.
"""

from html import escape
from importlib.resources import files
from mimetypes import guess_type
from typing import Final

from fastapi import APIRouter, Response

from dehusk.formats import Format, report
from dehusk.reasons import Code
from dehusk.serve.offered import FORMATS
from dehusk.serve.problems import ProblemError
from dehusk.serve.settings import ServerSettings

STATIC: Final = files(__package__).joinpath("static")
EXAMPLES: Final = {"news": "News", "forum": "Forum", "product": "Product", "manual": "Manual"}
NAMES: Final = ("app.js", "result.js", "style.css", "icon.svg", *(f"examples/{name}.html" for name in EXAMPLES))


def router(settings: ServerSettings) -> APIRouter:
    """Return the routes of the page, which are no part of the API."""
    pages = APIRouter(include_in_schema=False)
    buttons = "".join(
        f'<button type="button" data-example="{name}">{label}</button>' for name, label in EXAMPLES.items()
    )
    page = STATIC.joinpath("index.html").read_text(encoding="utf-8").replace("<!-- examples -->", buttons)
    page = page.replace("<!-- formats -->", "".join(map(_option, FORMATS)))
    if not settings.fetch:
        before, _, rest = page.partition("<!-- fetching -->")
        page = before + rest.partition("<!-- end of fetching -->")[2]
    contents = {name: STATIC.joinpath(name).read_bytes() for name in NAMES}
    contents["report.css"] = report.style_and_script()[0].encode()

    @pages.get("/")
    async def home() -> Response:
        return Response(page, headers={"Content-Security-Policy": policy()}, media_type="text/html")

    @pages.get("/static/{name:path}")
    async def static(name: str) -> Response:
        if name not in contents:
            raise ProblemError(Code.NOT_FOUND, f"GET /static/{name[:200]}")
        return Response(contents[name], media_type=guess_type(name)[0], headers={"Cache-Control": "no-cache"})

    return pages


def _option(format: Format) -> str:
    """Return a format to choose, with the suffix of its files and whether it shows two methods."""
    marks = " selected" * (format.name == "markdown") + " data-beside" * ("beside" in format.options)
    return (
        f'<option value="{escape(format.name)}" data-suffix="{escape(format.suffixes[0])}"{marks}>{escape(format.name)}'
    )


def policy() -> str:
    """Return the content policy of the page: its own scripts and styles, and those of a report, by their hashes."""
    style, script = report.hashes()
    return (
        f"default-src 'none'; script-src 'self' '{script}'; style-src 'self' '{style}'; connect-src 'self'; "
        "img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'; trusted-types dehusk"
    )
