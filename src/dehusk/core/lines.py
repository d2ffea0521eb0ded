"""Lines: whether what a page claims about itself is plain as it stands, and its letters alone, for comparing.

Compiled by way of lines.pxd, which gives the names below their C types; as plain Python it finds the same.
"""


def is_plain(text: str) -> bool:
    """Tell whether a text is one line that can be shown: no markup, no references, no white space but single blanks."""
    before = "x"
    for letter in text:
        if letter <= "<":
            if letter < " " or letter in "&<" or (letter == " " and before == " "):
                return False
        elif letter >= "\x7f" and not letter.isprintable():
            return False
        before = letter
    return True


def letters(text: str) -> str:
    """Return the letters and digits of a text, whatever stands between them."""
    pieces = []
    start = -1
    for place in range(len(text)):
        if text[place].isalnum():
            if start < 0:
                start = place
        elif start >= 0:
            pieces.append(text[start:place])
            start = -1
    if start == 0:
        return text
    if start > 0:
        pieces.append(text[start:])
    return "".join(pieces)
