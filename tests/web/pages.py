"""Pages for the kernel in TypeScript: small ones that each show one thing, and random ones."""

from random import Random

LONG = "The first hay was late this year, since June was wet and the meadow lay under water."
OTHER = "Nobody had seen the river so high since the mill was built, and the miller said so."
PROSE = f"<h1>Late hay</h1><p>{LONG}<p>{OTHER}"
HEAD = "<!DOCTYPE html><title>Late hay - The Meadow</title>"


def _page(body: str, head: str = HEAD) -> str:
    return f"{head}<body><nav><a href=/>Home</a> <a href=/news>News</a></nav><main class=article>{body}</main>"


SMALL = {
    "empty": "",
    "bare": "<p>Hello, world.",
    "white-space": _page(f"<p>  one\n\t two\u00a0three <b> four</b>five\x85six\ufeffseven </p><p>\u3000</p>{PROSE}"),
    "verbatim": _page(f"<pre>\n  a\n    b <b>c</b>\n</pre><p>x <code> y  z </code>w<pre> \n </pre>{PROSE}"),
    "breaks": _page(f"<p>one<br>two<br><br>three<hr>four<wbr>five{PROSE}"),
    "noscript": _page(f"<noscript><p>{LONG}</p><img src=x><noframes>a</noframes></noscript>{PROSE}"),
    "left-out": _page(f"<script>no()</script><style>p{{}}</style><template><p>no</template><iframe>no</iframe>{PROSE}"),
    "drawings": _page(f"<svg><path/></svg><svg><title>no</title><text>Tall</text></svg>{PROSE}"),
    "hidden": _page(f"<p hidden>a<p aria-hidden=TRUE>b<p style='Display: NONE'>c<p style='display:none2'>d{PROSE}"),
    "links": _page(f"<p><a href=x>in a link</a> and <a name=y>in none</a>{PROSE}<ul><li><a href=/1>1</a><li>2</ul>"),
    "attributes": _page(
        f"<div class='entryContent HTMLBlock social-share' id=mainNav2><p itemprop=articleBody>{LONG}</div>"
        f"<div role=navigation class=VERYLONGCAPITALLETTERSMenu><p>{OTHER}</div>"
    ),
    "comments": _page(f"{PROSE}<div id=comments class=comment-list><p>A reader: {LONG}<p><a href=x>Reply</a></div>"),
    "emoji": _page(f"<p>🌾 {LONG} 🌾<p>🚜 one<p>🌾 one{PROSE}"),
    "scripts": _page("<p>春の雨は静かに降り、川の水は少しずつ増えていった。<p>ฝนตกหนักตลอดทั้งคืน<p>Дождь шёл весь день."),
    "invisible": _page(f"<p>co\u00adop\u200bera\u200dte \u200b x<p>\u200b<p>می\u200cخواهم ไทย\u200bไทย{PROSE}"),
    "ruby": _page(
        f"<p>私は<ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>を<ruby> <rt>alone</rt></ruby>書く。{PROSE}"
    ),
    "glued": _page(
        "<p><span>For agents</span><span>Automate it</span> <b>H</b>ello H<sub>2</sub>O <time>May 1</time>at noon."
        f"<p><a href=/a>One</a><a href=/b>two</a> It rained.<b>Then it</b> stopped<i>Number</i>802{PROSE}"
    ),
    "repeats": _page(
        f"<div><p>{LONG}<p>More</div><div class=print><p>{LONG}<p>More</div>"
        f"<div hidden><p>{OTHER}</div><div><p>{OTHER}</div>"
    ),
    "never-prose": _page(
        f'<p>[gallery ids="1,2"]<p>{{{{ name }}}} {{{{x}}}}<p>{{"@type": "Event"}}<p>[edit]<textarea>x</textarea>'
        f"<div class='sr-only big'>unseen</div>{PROSE}"
        "<button>Buy <b>now</b></button><h3><button>Why?</button></h3><button aria-expanded=true>How?</button>"
    ),
    "tables": _page(
        f"{PROSE}<table><caption>Yields</caption>"
        "<thead><tr><th rowspan=2>Year<th colspan=2>Tons<tr><th>Hay<th>Oats</thead>"
        "<tr><td>2024<td>12<td>7<tr><td>2025<td><a href=x>8</a><td><button>Sort</button> 9</table>"
        f"<table><tr><td><h2>Layout</h2><td><table><tr><td>a<td>b<tr><td>c<td>d</table></table>"
    ),
    "dialogs": _page(
        f"{PROSE}<p>{LONG} {OTHER} And more.<div role=dialog aria-modal=true><p>Sign up for our letter.</div>"
    ),
    "quotes": _page(
        f"<p>Well. {LONG} We waited. 🌾<blockquote>{LONG}</blockquote><blockquote><p>{OTHER}</blockquote>{PROSE}"
    ),
    "marks": _page(
        f"<h2>Hay<a href=#hay>¶</a></h2><h3>Oats<a href=#o>#</a></h3><p>7 € <span class=sr-only>a bale</span>, "
        f"<span class='mw-editsection'>[<a href=/e>edit</a>]</span> {LONG}<p>{OTHER}"
    ),
    "glued-marks": _page(
        f"<p>It was dry.<b>The</b> hay: <i>number:</i><b>404</b> was<b>$12</b> (52)<i>In</i> "
        "GREEN<b>Tar</b> EUR<i>11</i>."
        f"{PROSE}"
    ),
    "headings": _page(
        f"<div><h2>{LONG}</h2><p>{OTHER}</div><div><h2>{LONG}</h2><p>Another.</div><div><h2>{LONG}</h2></div>"
    ),
    "forum": _page(f"<ul class=posts><li><b>ann</b><p>{LONG}<li><b>bob</b><p>{OTHER}<li><p>{LONG} And so on.</ul>"),
    "unclosed": f"<p><b>one<p>two</i></b>three<table><p>fostered<tr><td>cell<a href=x>link<p>in it{PROSE}",
    "html4": (
        '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN"><meta property=og:type content=og:Article.x><title>Late hay'
        f"</title><body id=story class=single>{PROSE}"
    ),
}
# For these a parser must know of shadow roots, and keep a noscript as text, which jsdom does not.
IN_BROWSERS = {
    "noscript-in-head": f"<head><noscript><p role=main>Please turn on scripts.</noscript></head>{PROSE}",
    "shadow-roots": _page(
        f"<x-card><template shadowrootmode=open><h2><slot name=head>none</slot></h2><slot></slot><p role=note>{OTHER}"
        f"</template><b slot=head>Head</b><p>{LONG}</p></x-card>{PROSE}"
    ),
}

# Without `select`: what of formatting is repeated in a table in it differs between parsers.
TAGS = (
    "div", "p", "span", "b", "i", "a", "ul", "ol", "li", "table", "tr", "td", "th", "thead", "caption", "h1", "h2",
    "h3", "section", "article", "nav", "aside", "footer", "header", "main", "pre", "code", "blockquote", "figure",
    "figcaption", "br", "hr", "img", "dl", "dt", "dd", "form", "label", "button", "textarea", "noscript", "svg",
    "sup", "time", "ruby", "rt", "em", "strong", "center", "font", "template", "script", "style", "iframe", "details",
    "summary", "fieldset", "legend", "dialog", "small", "address", "x-card",
)  # fmt: skip
TEXTS = (
    "Home", "a", " ", "\n", " and ", LONG, OTHER, "Read more »", "© 2026", "12.5", "春の雨は静かに", "co\u00adop",
    "€ 5", "\u200b", "🌾", "e\u0301", "Menu", "&lt;b&gt;", "[x]", "{{ y }}", "\u00a0", ". ", "x  y", "Дождь", "\x85",
    "A.B",
)  # fmt: skip
ATTRIBUTES = (
    "class=menu", "class='main-content article'", "id=comments", "hidden", "style='display: none'", "href=/x",
    "href=/y",    "role=navigation", "itemprop=articleBody", "class=sr-only", "aria-hidden=true", "colspan=2",
    "rowspan=0",
    "class=ad",
)  # fmt: skip


def random_page(seed: int) -> str:
    """Return markup of a random tree, not all of whose elements are closed."""
    random = Random(seed)
    parts = [random.choice(("", "<!DOCTYPE html>")), random.choice(("", "<title>The first hay</title>"))]
    opened: list[str] = []
    for _ in range(random.randrange(1, 120)):
        choice = random.random()
        if choice < 0.45:
            parts.append(random.choice(TEXTS))
        elif choice < 0.75 or not opened:
            tag = random.choice(TAGS)
            attributes = random.sample(ATTRIBUTES, random.choice((0, 0, 1, 2)))
            parts.append(f"<{' '.join((tag, *attributes))}>")
            opened.append(tag)
        else:
            tag = opened.pop()
            parts.append(f"</{tag}>" if random.random() < 0.9 else "")
    return "".join(parts)
