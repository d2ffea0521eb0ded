"""Location: where the server of a page is, by its IP address and a database in MaxMind's format that the user has."""

from functools import lru_cache
from typing import Any

from dehusk.corpus.case import Case
from dehusk.corpus.settings import Settings
from dehusk.errors import ConfigError
from dehusk.extras import require


def locate(case: Case, settings: Settings) -> Case:
    """Add country, region and city, as far as the database knows them."""
    address = case.columns["ip"]
    if not settings.location.database or not address:
        return case
    try:
        entry = database(settings.location.database).get(address)
    except ValueError:  # no IP address
        return case
    return case.with_columns(**location_columns(entry))


def location_columns(entry: Any) -> dict[str, str | None]:
    """Return what an entry of a database says, which has only the country in the smaller ones.

    >>> location_columns({"country": {"iso_code": "NL"}, "city": {"names": {"en": "Delft"}}})
    {'country': 'NL', 'region': None, 'city': 'Delft'}
    """
    entry = entry if isinstance(entry, dict) else {}
    country = entry.get("country") or entry.get("registered_country") or {}
    regions = entry.get("subdivisions") or [{}]
    return {
        "country": country.get("iso_code"),
        "region": regions[0].get("names", {}).get("en"),
        "city": (entry.get("city") or {}).get("names", {}).get("en"),
    }


@lru_cache(1)
def database(path: str) -> Any:
    """Open a database, which is mapped into memory; raise ConfigError if that fails."""
    require("finding where servers are", "maxminddb")
    from maxminddb import InvalidDatabaseError, open_database  # noqa: PLC0415  (only on request)

    try:
        return open_database(path)
    except (OSError, InvalidDatabaseError) as error:
        message = f"{path} cannot be read: {error}; expected a database in MaxMind's format (.mmdb)"
        raise ConfigError(message, setting="location.database") from error
