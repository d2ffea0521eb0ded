"""Names and prose are plain technical English: the phrases that our style guide rules out do not come back."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
UNITS = (
    "page|block|core|file|line|leaf|word|row|language|document|character|set|feature|name|method|network|site|corpus|"
    "folder|kind|token|element|sentence|process|second|record|span|seed|fold|epoch"
)
RULED_OUT = {
    "one … per …": re.compile(rf"\b(?:a|an|one) (?!with\b)\w+ an? (?:{UNITS})\b(?!-)"),
    "returns": re.compile(r"\bbrings? home\b"),
    "retrain, rebuild, recompute": re.compile(r"\banew\b"),
    "is reported as": re.compile(r"\b(?:is|are|be) told as\b"),
    "target: …": re.compile(r"\basked (?:were|was)\b"),
    "unless requested": re.compile(r"\bwhere nobody asked\b"),
    "Return whether": re.compile(r"\b(?:Tell|Say)s? whether\b"),
    "surrounded by, around it": re.compile(r"\bround it\b|\bstands? (?:a)?round\b"),
    "no meaningful …": re.compile(r"\bthat means something\b"),
    "the MCP server": re.compile(r"\bserver of tools\b"),
    "does not see": re.compile(r"\bwithout seeing them\b"),
    "progress": re.compile(r"\bhow far the run is\b"),
    "a client that disconnects": re.compile(r"\b[Ww]hoever hangs up\b"),
    "separated by a space": re.compile(r"\bget a blank between\b"),
    "affects only itself": re.compile(r"\bcosts itself\b"),
    "is not a, is not an": re.compile(r"\b(?<!there )is no (?:error|string|file|folder|article|page|URL|object)\b"),
    "which is not installed": re.compile(r"\bnot installed here\b"),
    "1 shard, 2 shards": re.compile(r"\| length \}\} \w+s\b"),
}


def written() -> list[Path]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    kinds = {".py", ".pxd", ".pyx", ".h", ".js", ".mjs", ".ts", ".md", ".toml", ".jinja"}
    paths = (Path(line) for line in listed.splitlines())
    return [path for path in paths if path.suffix in kinds and "pages" not in path.parts and (ROOT / path).is_file()]


@pytest.mark.parametrize("better", RULED_OUT)
def test_no_phrase_is_ruled_out(better: str) -> None:
    found = []
    for path in written():
        if path.name != Path(__file__).name:
            text = " ".join((ROOT / path).read_text(encoding="utf-8").split())
            found += [f"{path}: {match[0]}" for match in RULED_OUT[better].finditer(text)]
    assert found == [], f"write {better!r} instead"
