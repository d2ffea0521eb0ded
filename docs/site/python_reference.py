"""The Python reference: one entry per public name, for mkdocstrings to fill from its docstring."""

import dehusk

INTRODUCTION = """# Python

Everything here can be imported from `dehusk` itself. Other modules are internal and may change between versions.
"""
SECTIONS = {
    "Extract": ("extract", "extract_file", "Extractor", "Result"),
    "Documents": ("Document", "Chunk", "Metadata", "Look"),
    "Blocks and scores": ("Blocks", "Block", "Kind", "Scores"),
    "Pages": ("Page", "Source", "Limits"),
    "Methods": ("Method", "Perplexity"),
    "Errors": ("DehuskError", "InputError", "UsageError", "ModelError", "ConfigError"),
}


def python_reference() -> str:
    """Return the reference as Markdown; a public name that no section lists comes last."""
    listed = {name for names in SECTIONS.values() for name in names}
    sections = {**SECTIONS, "More": [name for name in dehusk.__all__ if name not in listed]}
    lines = [INTRODUCTION]
    for title, names in sections.items():
        public = [name for name in names if name in dehusk.__all__]
        lines += [f"## {title}\n"] * bool(public)
        lines += [f"::: {_home(name)}\n" for name in public]
    return "\n".join(lines)


def _home(name: str) -> str:
    value = getattr(dehusk, name)
    return f"{value.__module__}.{value.__qualname__}"
