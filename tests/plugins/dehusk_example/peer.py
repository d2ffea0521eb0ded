"""paragraphs: what is between <p> and </p>."""

from typing import Any

from dehusk.evaluation.peers import Hints, Peer


def paragraphs(re: Any, html: str, hints: Hints) -> str:
    """Return the paragraphs of a page; `re` is the module that the peer names."""
    return "\n".join(re.findall("<p>(.*?)</p>", html))


PARAGRAPHS = Peer("paragraphs", "dehusk-example", "re", paragraphs)
