"""Gather the pages of the site in one folder: docs/, research/, three files of the root, and the command reference.

Links between pages are written as paths in the repository, so that they work in an editor and on a code host; here they
become paths on the site. A builder then needs no plugin of ours: `python -m docs.site.assemble build/docs`.
"""

import posixpath
import re
import sys
from pathlib import Path

from docs.site.commands import command_reference
from docs.site.python_reference import python_reference

ROOT = Path(__file__).parents[2]
SUFFIXES = {".md", ".png", ".svg", ".css", ".js"}
FROM_ROOT = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md", "SECURITY.md": "security.md"}
GENERATED = {"reference/command-line.md": command_reference, "reference/python.md": python_reference}
LINK = re.compile(r"(\]\()(?![a-z]+:|#)([^)#\s]+)")
FENCE = re.compile(r"^( *)(```+).*?^\1\2 *$", re.MULTILINE | re.DOTALL)


def site_paths(root: Path = ROOT) -> dict[str, str]:
    """Return the path on the site of every file that belongs there, by its path in the repository."""
    found = {**FROM_ROOT, **{f"docs/{path}": path for path in GENERATED}}
    for folder in ("docs", "research"):
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix in SUFFIXES:
                found[name] = name.removeprefix("docs/").replace("README.md", "index.md")
    return found


def on_site(text: str, source: str, paths: dict[str, str]) -> str:
    """Return a page with its links led to where the site has their targets; code is left alone.

    >>> on_site("See [b](../research/b.md#c).", "docs/a.md", {"docs/a.md": "a.md", "research/b.md": "research/b.md"})
    'See [b](research/b.md#c).'
    """
    here = posixpath.dirname(paths[source])

    def lead(match: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), match[2]))
        if target not in paths:
            raise SystemExit(f"{source} links to {match[2]}, which is not a page of the site; name the file instead")
        return match[1] + posixpath.relpath(paths[target], here or ".")

    pieces, end = [], 0
    for fence in FENCE.finditer(text):
        pieces += [LINK.sub(lead, text[end : fence.start()]), fence[0]]
        end = fence.end()
    return "".join([*pieces, LINK.sub(lead, text[end:])])


def assemble(folder: Path, root: Path = ROOT) -> None:
    """Write the site's pages into a folder, and remove what does not belong there any more."""
    paths = site_paths(root)
    wanted = {path: write().encode() for path, write in GENERATED.items()}
    for source, path in paths.items() - {(f"docs/{path}", path) for path in GENERATED}:
        content = (root / source).read_bytes()
        wanted[path] = on_site(content.decode(), source, paths).encode() if path.endswith(".md") else content
    for path, content in wanted.items():
        target = folder / path
        # A builder that watches the folder would rebuild for every file that is written.
        if not target.exists() or target.read_bytes() != content:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
    for found in folder.rglob("*"):
        if found.is_file() and found.relative_to(folder).as_posix() not in wanted:
            found.unlink()


if __name__ == "__main__":
    assemble(Path(sys.argv[1]))
