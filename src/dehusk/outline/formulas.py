"""Formulas: which elements are one, and its LaTeX where the page has it.

What a page shows of a formula comes as pieces (a MathML tree, its LaTeX, a drawing of glyphs, often all three, one
after the other), so a formula whose LaTeX is known stands for all of the text in its element.
"""

import re
from typing import Any, Final

from dehusk.outline.boxes import attribute
from dehusk.outline.parts import Formula
from dehusk.page import Elements, Page
from dehusk.page.fast_scan import elements_with_tags

# What the programs that draw formulas put round everything that they draw of one.
WRAPPERS: Final = re.compile(r"(?:^|\s)(katex-display|katex|mwe-math-element|MathJax_Display|MathJax)(?=\s|$)")
DISPLAYED: Final = re.compile(r"(?:^|\s)(?:katex-display|mwe-math-element-block|MathJax_Display)(?=\s|$)")
MATH: Final = frozenset({"math"})
HIGHEST: Final = 5  # elements above `math` in which a wrapper is looked for
TEX: Final = frozenset({"application/x-tex", "application/x-latex", "tex", "latex"})
LONGEST: Final = 10_000  # characters
STYLE: Final = re.compile(r"\{?\\(?:display|text)style\s(.*?)\}?", re.DOTALL)
SCRIPTS: Final = 'script[type^="math/tex"]'
# Blogs have their formulas drawn, with the LaTeX for those who cannot see the image.
DRAWINGS: Final = 'img[class*="tex"], img[class*="math"]'
DRAWN: Final = re.compile(r"(?:^|\s)(?:latex|tex|math|mathtex|mwe-math-fallback-image-\w+)(?=\s|$)")


def cleaned(tex: str | None) -> str:
    r"""Return LaTeX as one line without the dollars or the style round it, "" for what is none.

    >>> cleaned("{\\displaystyle x^{2}}"), cleaned(" a\n+ b "), cleaned("$5")
    ('x^{2}', 'a + b', '')
    """
    if not tex or len(tex) > LONGEST:
        return ""
    tex = " ".join(tex.split())
    if tex.startswith("$") and tex.endswith("$"):
        tex = tex.strip("$").strip()
    if (found := STYLE.fullmatch(tex)) and found[1].count("{") == found[1].count("}"):
        tex = found[1].strip()
    # A dollar inside would end the formula early.
    return "" if "$" in tex.replace("\\$", "") or tex.endswith("\\") else tex


def in_elements(elements: Elements) -> dict[int, Formula]:
    """Return the formulas by the element whose text they stand for.

    >>> html = '<p>Let <math alttext="x^2"><msup><mi>x<mn>2</math> be'
    >>> list(in_elements(Page.from_html(html).elements).values())
    [Formula(tex='x^2', display=False)]
    """
    found: dict[int, Formula] = {}
    done = 0
    count = len(elements)
    for index in elements_with_tags(elements.tag, MATH, 0, count, count):
        if index < done:  # a formula in a formula
            continue
        done, tex = _own(elements, index)
        if tex:
            wrapper, display = _wrapper(elements, index)
            found.setdefault(wrapper, Formula(tex, display))
    return found


def _own(elements: Elements, index: int) -> tuple[int, str]:
    """Return where the elements below `math` end, and the LaTeX in it."""
    tex = cleaned(attribute(elements, index, "data-latex")) or cleaned(attribute(elements, index, "alttext"))
    end = index + 1
    while end < len(elements) and elements.parent[end] >= index:
        if not tex and elements.tag[end] == "annotation":
            encoding = (attribute(elements, end, "encoding") or "").lower()
            tex = cleaned(getattr(elements.node[end], "text", "")) if encoding in TEX else ""
        end += 1
    return end, tex


def _wrapper(elements: Elements, index: int) -> tuple[int, bool]:
    """Return the outermost element that holds nothing but this formula, and whether it stands on a line of its own."""
    display = attribute(elements, index, "display") == "block"
    outermost, above = index, index
    for _ in range(HIGHEST):
        above = elements.parent[above]
        if above <= 0:
            break
        name = attribute(elements, above, "class") or ""
        if elements.tag[above] == "mjx-container" or WRAPPERS.search(name):
            outermost = above
            display |= bool(DISPLAYED.search(name)) or attribute(elements, above, "display") == "true"
    return outermost, display


def are_drawn(page: Page) -> bool:
    """Tell whether any image of a page may be the drawing of a formula."""
    return page.tree is not None and page.tree.select_one(DRAWINGS) is not None


def of_image(node: Any) -> Formula | None:
    """Return the formula that an image is a drawing of, if it is one."""
    if not DRAWN.search((node.attr("class") or "")[:500]):
        return None
    alt = node.attr("alt") or ""
    tex = cleaned(alt) if re.search(r"[\\^_{}=]", alt) or len(alt.strip()) == 1 else ""
    return Formula(tex, display=False) if tex else None


def in_scripts(page: Page) -> dict[Any, Formula]:
    """Return the scripts in which MathJax finds its formulas; a page's text has nothing of them."""
    found = {}
    for node in page.tree.select(SCRIPTS) if page.tree else ():
        if tex := cleaned(node.text):
            found[node] = Formula(tex, display="mode=display" in (node.attr("type") or "").replace(" ", ""))
    return found
