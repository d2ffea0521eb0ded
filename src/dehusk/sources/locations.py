"""Locations: the files and addresses that arguments of the command line stand for."""

import glob
from collections.abc import Iterable
from pathlib import Path

from dehusk.compressed import SUFFIXES, plain_path
from dehusk.errors import InputError
from dehusk.sources.files import ALL_SUFFIXES, PAGE_SUFFIXES, URL
from dehusk.sources.kinds import KINDS
from dehusk.sources.remote import expanded, is_remote


def find(arguments: Iterable[str], suffixes: frozenset[str] = PAGE_SUFFIXES) -> list[str]:
    """Return files and URLs, each once: a folder stands for the pages in it, a pattern for what it matches.

    `suffixes` are those of pages in a folder; JSON lines, Parquet files, archives and compressed files are taken too.

    Raises InputError for what does not exist, before any page is read.
    """
    distinct: dict[str | Path, str] = {}
    for argument in arguments:
        for location in _expanded(argument, suffixes):
            # ./page.html is page.html, and both would have the same output.
            is_path = location != "-" and not URL.match(location) and not is_remote(location)
            distinct.setdefault(Path(location) if is_path else location, location)
    return list(distinct.values())


def _expanded(argument: str, suffixes: frozenset[str]) -> Iterable[str]:
    if argument == "-" or URL.match(argument):
        return [argument]
    if is_remote(argument):
        return expanded(argument)
    path = Path(argument)
    try:
        if argument and path.is_dir():
            many = (kind.suffixes for kind in KINDS.values() if kind.many and kind.in_folders)
            return _in_folder(path, suffixes.union(*many))
        if argument and path.exists():  # not `is_file`: a shell's <(…) is a pipe
            return [argument]
    except OSError as error:
        raise InputError(f"cannot look at {argument[:100]}: {error.strerror}; expected a path or a URL") from error
    if matches := sorted(match for match in glob.glob(argument, recursive=True) if Path(match).is_file()):  # noqa: PTH207
        return matches
    raise InputError(
        f"no such file or folder: {argument[:100]!r}; expected a path, a pattern that matches files, "
        "or a URL that begins with http:// or https://"
    )


def _in_folder(folder: Path, suffixes: frozenset[str]) -> Iterable[str]:
    pages = sorted(
        str(path)
        for path in folder.rglob("*")
        if plain_path(path, ALL_SUFFIXES).suffix.lower() in suffixes and path.is_file()
    )
    if not pages:
        raise InputError(
            f"no pages in folder {folder}; expected files that end in {', '.join(sorted(suffixes))}, "
            f"or in one of these and {', '.join(sorted(SUFFIXES))}"
        )
    return pages
