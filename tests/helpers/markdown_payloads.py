"""Payloads for readers of Markdown: every construct that one of them may misread, in every place of a page.

A construct is inline HTML. Where it has code, the code holds a tag that must stay code; where it has text, a reader may
know it as syntax for a tag, an attribute or a link.
"""

from collections.abc import Iterator
from html import escape
from typing import Final, NamedTuple

TAG: Final = "&lt;img src=x onerror=alert(1)&gt;"
CODE: Final = f"<code>{TAG}</code>"
# What may swallow the backtick after it, escape it, or pair with it.
BEFORE_CODE: Final = (
    *("https://example.org/a", "http://example.org", "HTTPS://EXAMPLE.ORG/?a=b&amp;c", "www.example.org/a", "WWW.a.bc"),
    *("ftp://example.org/a", "mailto:ann@example.org", "ann@example.org", "xmpp:ann@example.org/a", "//example.org/a"),
    *("https://example.org/a.", "https://example.org/(a", "https://example.org/a&amp;quot;", "(https://example.org/a"),
    *("https://example.org/*a", "https://example.org/_a_", "https://example.org/~~a", "*https://a.bc", "a.b@c.de_"),
    *(
        "\\",
        "\\\\",
        "\\\\\\",
        "`",
        "``",
        "```",
        "\\`",
        "`\\",
        "~",
        "~~",
        "~~~",
        "$",
        "$$",
        "$x",
        "$5",
        "\\(",
        "\\[",
        "|",
    ),
    *(
        "\\|",
        "!",
        "![",
        "[",
        "]",
        "](",
        "[a](",
        "[a]: ",
        "[^",
        "[[",
        "&lt;",
        "&lt;a",
        "&lt;a href=",
        "&lt;!--",
        "&lt;?",
    ),
    *("&amp;", "&amp;lt", "&amp;#", "*", "**", "_", "__", "***", "^", "^^", "==", "++", "||", "&gt;!", "{", "{:", "{{"),
    *("%", "@ann", ":a:", "#", "=", "-", ":", "\u00a8", "a\u00a0", "{% raw %}", "--", "...", '"', "'", "«", "\u200b"),
)
# Code that a reader may cut short, or not see as code.
CODE_TEXTS: Final = (
    *(f"x|{TAG}", f"x\\|{TAG}", f"\\|{TAG}", f"|{TAG}|", f"\\\\|{TAG}", f"`|`{TAG}", f"~~{TAG}", f"~~ {TAG} ~~"),
    *(f"~{TAG}~", f"*{TAG}*", f"**{TAG}", f"_{TAG}_", f"`{TAG}", f"``{TAG}", f"{TAG}`", f"``` {TAG}", f"\\`{TAG}"),
    *(f"\\{TAG}", f"{TAG}\\", f"${TAG}", f"${TAG}$", f"$$ {TAG} $$", f"\\({TAG}\\)", f"[x]{TAG}", f"](x){TAG}"),
    *(f"https://example.org/{TAG}", f"https://example.org/`{TAG}", f"a@example.org`{TAG}", f"&lt;!-- {TAG} --&gt;"),
    *(
        f"&lt;/code&gt;{TAG}",
        f"&amp;lt;{TAG}",
        "&amp;lt;img src=x onerror=alert(1)&amp;gt;",
        f"&lt;a href=&quot;`{TAG}",
    ),
    *(
        "[x](javascript:alert(1))",
        "{: onclick=alert(1) }",
        f"=={TAG}==",
        f"^{TAG}^",
        f"||{TAG}||",
        f"&gt;! {TAG} !&lt;",
    ),
    *("[^1]", "*[x]: y", f"x<br>{TAG}", f"  {TAG}  ", f"{TAG}\u2028{TAG}", f"`&lt;b&gt;`{TAG}", "``", "`", "\\", " ` "),
)
# Text that is syntax to some reader.
TEXTS: Final = (
    *(TAG, f"\\{TAG}", f"\\\\{TAG}", f"`{TAG}", f"`{TAG}`", f"``{TAG}`", f"~~{TAG}~~", f"${TAG}$", f"$5 {TAG} $x"),
    *("{ x { onfocus=alert(1) autofocus tabindex=1 }", "{: onclick=alert(1) }", "{onclick=alert(1)}", "{ #a .b }"),
    *(
        "{#a}",
        "{autofocus}",
        "{: { : onclick=alert(1) } }",
        "a {b} {c} onclick=alert(1) }",
        "{ x=&quot;}&quot; onclick=y }",
    ),
    *(
        "<b>x</b>{autofocus}",
        "<b>x</b>{: onclick=alert(1) }",
        "<b>x</b>{ a { onclick=alert(1) }",
        "<code>x</code>{ a }",
    ),
    *("<i>x</i><b>{onclick=alert(1)}</b>", "x<br>{autofocus}", "x<br>{: onclick=alert(1) }", "<sup>2</sup>{ .a }"),
    *("<code>x</code>{=html}", f"<code>{TAG}</code>{{=html}}", "{{ 7*7 }}", "{% x %}", "<b>x</b><i>{a}</i>{b}"),
    *("[x](javascript:alert(1))", "[x]: javascript:alert(1)", "[x][y]", "![x](y)", "[x](y &quot;z&quot;)", "[[x]]"),
    *(
        "&lt;javascript:alert(1)&gt;",
        "&lt;https://example.org&gt;",
        "&lt;ann@example.org&gt;",
        "*[x]: y",
        "[x]{onclick=y}",
    ),
    *(
        "javascript:alert(1)",
        "[^1]",
        "[^1]: x",
        "- [ ] x",
        "[ ] x",
        "==x==",
        "^^x^^",
        "^x^",
        "~x~",
        "||x||",
        "&gt;! x !&lt;",
    ),
    *(
        "[x(y)]",
        "!!! note",
        "&gt; [!NOTE]",
        ".. note:: x",
        "=x=",
        "__x__",
        "--x--",
        "&amp;lt;b&amp;gt;",
        "&amp;#60;b&gt;",
    ),
    *(
        f"https://example.org/{TAG}",
        f"www.example.org{TAG}",
        f"https://example.org/`{TAG}`",
        f"&lt;{TAG}",
        f"&lt;x {TAG}",
    ),
    *(
        f"&lt;!-- {TAG} --&gt;",
        f"&lt;![CDATA[{TAG}]]&gt;",
        f"&lt;?php {TAG}",
        f"&lt;/p&gt;{TAG}",
        "&lt;a&gt;",
        "&lt;\u200bb&gt;",
    ),
    *(
        "&lt;b\u00a0onclick=x&gt;",
        "&lt;<b>img src=x onerror=alert(1)></b>",
        "<i>&lt;</i>img src=x>",
        "&lt;<br>img src=x>",
    ),
    *(
        f"\ue000{TAG}",
        "\u02bc\u02ca",
        f"K{TAG}",
        "md5-0123456789abcdef0123456789abcdef",
        "¨K0K",
        "¨E60E¨Timg",
        "klzzwxh:0001",
    ),
    *(
        'https://example.org/"onclick=alert(1)',
        "https://example.org/'onclick='alert(1)",
        "www.a.bc/&quot;onfocus=&quot;x",
    ),
    *(
        "ann&quot;onclick=alert(1)@example.org",
        "https://example.org/&lt;b&gt;",
        "http://a.bc/{onclick=x}",
        "http://a.bc {a}",
    ),
    *("x https://a.bc/**y", "&copy&lt;b&gt;", "&amp;copy;", "a\\", "<b>a\\</b>", "x<br>    &lt;b&gt;", "    &lt;b&gt;"),
)
STYLES: Final = ("del", "b", "i", "sup", "sub", "u", "q", "mark", "kbd", "a href=https://example.org/b", "small")
# Where a page has it. %C is the construct, %A its text in an attribute.
CONTEXTS: Final = {
    "paragraph": "<p>%C",
    "middle": "<p>a %C b",
    "twice": "<p>%C and %C",
    "after a line end": "<p>a<br>%C<br>b",
    "heading": "<h2>%C</h2><p>x",
    "heading end": "<h2>Rain %C</h2><p>x",
    "list item": "<ul><li>%C<li>x %C</ul>",
    "numbered item": "<ol><li><p>x<p>%C</ol>",
    "quote": "<blockquote><p>%C<p>y</blockquote>",
    "cell": "<table><tr><th>a %C<th>b<tr><td>%C<td>c %C</table>",
    "cell with blocks": "<table><tr><th>a<th>b<tr><td><p>x<p>%C<td><ul><li>%C</ul></table>",
    "caption": "<table><caption>%C</caption><tr><th>a<th>b<tr><td>c<td>d</table>",
    "term": "<dl><dt>%C<dd>x %C</dl>",
    "two terms": "<dl><dt>a<dt>b %C<dd>%C<dd>c</dl>",
    "footnote": "<p>a<sup><a href=#fn1>1</a></sup>%C<p id=fn1>b %C",
    "details": "<details><summary>%C</summary>%C</details>",
    "figure": "<figure><img src=x.png alt='%A'><figcaption>%C</figcaption></figure>",
    "link text": "<p>a <a href=https://example.org/a>%C</a>b",
    "beside a link": "<p><a href=https://example.org/a>a</a>%C<a href=https://example.org/b>b</a>",
    "link title": "<p>a <a href=https://example.org/a title='%A'>b</a>",
    "image": "<p>a <img src=a.png alt='%A' title='%A'>%C",
    "beside a formula": "<p><math alttext='x^2'><mi>x</math>%C<math alttext='y'><mi>y</math>%C",
    "formula": "<p>a <math alttext='%A'><mi>x</math> b %C",
    "formula block": "<math display=block alttext='%A'><mi>x</math><p>%C",
    "deleted": "<p>a <del>%C</del> b",
    "strong": "<p>a <b>x %C</b>%C",
    "superscript": "<p>a<sup>%C</sup> <i>%C</i>b",
    "title": "<title>%A</title><h1>%C</h1><p>x",
    "metadata": "<meta name=author content='%A'><meta name=description content='%A'>"
    "<meta name=keywords content='%A, x'><p>x %C",
    "two paragraphs": "<p>%C<p>%C",
}
BLOCK_CONTEXTS: Final = {
    "code block": "<pre>%C</pre>",
    "code block in an item": "<ul><li>a<pre>x\n\n%C\n\n%C</pre></ul>",
    "code block in a quote": "<blockquote><pre>x\n\n%C</pre></blockquote>",
    "code block in a definition": "<dl><dt>a<dd><pre>x\n\n%C\n</pre></dl>",
    "code block in a footnote": "<p>a<sup><a href=#fn1>1</a></sup><ol><li id=fn1><p>b<pre>x\n\n%C\n</pre></ol>",
    "code block as a footnote": "<p>a<sup><a href=#fn1>1</a></sup><ol><li id=fn1><pre>%C</pre></ol>",
    "code block after one in an item": "<ul><li><pre>x</pre><li>a<pre>y\n\nz</pre></ul><pre>%C\n\n%C</pre>",
    "code block after one in a definition": "<dl><dt>a<dd><pre>x</pre><dd>b<pre>y\n\nz</pre></dl><pre>%C\n\n%C</pre>",
    "code block after one in a footnote": "<p>a<sup><a href=#fn1>1</a></sup><ol><li id=fn1><p>b<pre>x\n\ny</pre></ol>"
    "<pre>%C\n\n%C</pre>",
    "code block after one in a quote": "<blockquote><pre>x\n\ny</pre></blockquote><pre>%C</pre>",
    "code block after one in lists": "<ol start=100><li>a<ul><li>b<ol><li><pre>x\n\ny</pre><li>c<pre>z</pre></ol></ul>"
    "</ol><pre>%C</pre>",
    "code after a code block in an item": "<ul><li><pre>x\n\ny</pre><li>%C<li>a<pre>x\n\ny</pre>%C</ul>",
    "code block in a cell": "<table><tr><th>a<th>b<tr><td><pre>x\n%C</pre><td>c</table>",
    "code block in a list in a quote": "<blockquote><ol><li>a<li><pre>%C\n\n  %C</pre></ol></blockquote>",
    "code block with a language": "<pre><code class='language-html'>%C</code></pre><p>%C",
}


class Payload(NamedTuple):
    """A page, and what it tries."""

    name: str
    html: str


def constructs() -> Iterator[str]:
    """Yield inline HTML, each piece with one thing that a reader may misread."""
    yield from (f"{before}{CODE}" for before in BEFORE_CODE)
    yield from (f"{before}<b>{CODE}</b>" for before in BEFORE_CODE[::3])
    yield from (f"<code>{text}</code>" for text in CODE_TEXTS)
    yield from (f"<{style}>{CODE}</{style.split()[0]}>" for style in STYLES)
    yield from (f"<{style}>~~{CODE}</{style.split()[0]}>" for style in STYLES)
    yield from TEXTS


def payloads() -> Iterator[Payload]:
    """Yield a page for every construct in every context."""
    for construct in constructs():
        for name, context in (CONTEXTS | BLOCK_CONTEXTS).items():
            attribute = escape(construct) if "<" in construct else construct.replace("'", "&#39;")
            html = context.replace("%A", attribute).replace("%C", construct)
            yield Payload(f"{name}: {construct}", html)
