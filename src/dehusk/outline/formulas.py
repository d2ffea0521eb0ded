"""Formulas: which elements are formulas, and their LaTeX where the page has it.

Pages show a formula in pieces (a MathML tree, its LaTeX, a drawing of glyphs, often all three in a row), so a formula
whose LaTeX is known replaces all of the text in its element.
"""

import re
from typing import Any, Final

from dehusk.outline.attributes import attribute
from dehusk.outline.nodes import Formula
from dehusk.page import Elements, Page
from dehusk.page.fast_scan import elements_with_tags

# The elements that programs which draw formulas put around all that they draw of one.
WRAPPERS: Final = re.compile(r"(?:^|\s)(katex-display|katex|mwe-math-element|MathJax_Display|MathJax)(?=\s|$)")
DISPLAYED: Final = re.compile(r"(?:^|\s)(?:katex-display|mwe-math-element-block|MathJax_Display)(?=\s|$)")
MATH_TAGS: Final = frozenset({"math"})
MAX_WRAPPERS: Final = 5  # elements around `math` that are searched for a wrapper
TEX_ENCODINGS: Final = frozenset({"application/x-tex", "application/x-latex", "tex", "latex"})
MAX_LENGTH: Final = 10_000  # characters
STYLE: Final = re.compile(r"\{?\\(?:display|text)style\s(.*?)\}?", re.DOTALL)
SCRIPTS: Final = 'script[type^="math/tex"]'
# Blogs show their formulas as images, with the LaTeX as alternative text.
DRAWINGS: Final = 'img[class*="tex"], img[class*="math"]'
DRAWN: Final = re.compile(r"(?:^|\s)(?:latex|tex|math|mathtex|mwe-math-fallback-image-\w+)(?=\s|$)")


def cleaned(tex: str | None) -> str:
    r"""Return LaTeX as one line without dollars or style around it, "" for what is not LaTeX.

    >>> cleaned("{\\displaystyle x^{2}}"), cleaned(" a\n+ b "), cleaned("$5")
    ('x^{2}', 'a + b', '')
    """
    if not tex or len(tex) > MAX_LENGTH:
        return ""
    tex = " ".join(tex.split())
    if tex.startswith("$") and tex.endswith("$"):
        tex = tex.strip("$").strip()
    if (match := STYLE.fullmatch(tex)) and match[1].count("{") == match[1].count("}"):
        tex = match[1].strip()
    # A dollar inside would end the formula early.
    return "" if "$" in tex.replace("\\$", "") or tex.endswith("\\") else tex


def in_elements(elements: Elements) -> dict[int, Formula]:
    """Return the formulas by the element whose text they replace.

    >>> html = '<p>Let <math alttext="x^2"><msup><mi>x<mn>2</math> be'
    >>> list(in_elements(Page.from_html(html).elements).values())
    [Formula(tex='x^2', display=False)]
    """
    formulas: dict[int, Formula] = {}
    if not elements.may_have("math"):
        return formulas
    done = 0
    count = len(elements)
    for index in elements_with_tags(elements.tag, MATH_TAGS, 0, count, count):
        if index < done:  # a formula in a formula
            continue
        done, tex = _latex(elements, index)
        if tex:
            wrapper, display = _wrapper(elements, index)
            formulas.setdefault(wrapper, Formula(tex, display))
    return formulas


def _latex(elements: Elements, index: int) -> tuple[int, str]:
    """Return where the elements inside `math` end, and its LaTeX."""
    tex = cleaned(attribute(elements, index, "data-latex")) or cleaned(attribute(elements, index, "alttext"))
    end = index + 1
    while end < len(elements) and elements.parent[end] >= index:
        if not tex and elements.tag[end] == "annotation":
            encoding = (attribute(elements, end, "encoding") or "").lower()
            tex = cleaned(getattr(elements.node[end], "text", "")) if encoding in TEX_ENCODINGS else ""
        end += 1
    return end, tex


def _wrapper(elements: Elements, index: int) -> tuple[int, bool]:
    """Return the outermost element that holds only this formula, and whether it is on a line of its own."""
    display = attribute(elements, index, "display") == "block"
    outermost = around = index
    for _ in range(MAX_WRAPPERS):
        around = elements.parent[around]
        if around <= 0:
            break
        name = attribute(elements, around, "class") or ""
        if elements.tag[around] == "mjx-container" or WRAPPERS.search(name):
            outermost = around
            display |= bool(DISPLAYED.search(name)) or attribute(elements, around, "display") == "true"
    return outermost, display


def are_drawn(page: Page) -> bool:
    """Return whether any image of a page may show a formula."""
    return page.tree is not None and page.tree.select_one(DRAWINGS) is not None


def of_image(node: Any) -> Formula | None:
    """Return the formula that an image shows, None if it shows none."""
    if not DRAWN.search((node.attr("class") or "")[:500]):
        return None
    alt = node.attr("alt") or ""
    tex = cleaned(alt) if re.search(r"[\\^_{}=]", alt) or len(alt.strip()) == 1 else ""
    return Formula(tex, display=False) if tex else None


def in_scripts(page: Page) -> dict[Any, Formula]:
    """Return the formulas in the scripts that MathJax reads; they are not part of a page's text."""
    formulas = {}
    for node in page.tree.select(SCRIPTS) if page.tree else ():
        if tex := cleaned(node.text):
            formulas[node] = Formula(tex, display="mode=display" in (node.attr("type") or "").replace(" ", ""))
    return formulas
