"""The page at /: paste, drop or name a page, and look at what becomes of it."""

from fastapi import APIRouter

from dehusk.serve.settings import Settings


def router(settings: Settings) -> APIRouter:
    """Return the routes of the page."""
    return APIRouter(include_in_schema=False)
