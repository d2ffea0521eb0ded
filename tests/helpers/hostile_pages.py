"""Hostile pages: scripts that a page tries to smuggle into what is written of it, by every way that we know."""

import json
import re
from collections.abc import Iterator
from html import escape
from itertools import cycle
from typing import Final, NamedTuple

# What no output may ever run: without quotation marks, which would be no markup in Markdown.
RUN: Final = "console.log(0xBAD)"
LOGGED: Final = str(0xBAD)

# Markup, HTML and Markdown alike, that runs the script when it is shown, or when someone clicks on it or points at it.
PAYLOADS: Final = (
    f"<img src=x onerror={RUN}>",
    f"<script>{RUN}</script>",
    f"<svg onload={RUN}>",
    f"</title></textarea></style></script></noscript></code></pre><script>{RUN}</script>",
    f'"><img src=x onerror={RUN}>',
    f"' autofocus tabindex=1 onfocus={RUN} x='",
    f"--><script>{RUN}</script><!--",
    f"]]><svg><script>{RUN}</script>",
    f'<iframe src="javascript:top.{RUN}"></iframe>',
    f"<details open ontoggle={RUN}><summary>x</summary></details>",
    f"[x](javascript:{RUN})",
    f"<javascript:{RUN}>",
    f"[x]: javascript:{RUN}",
    f"*x*{{: onmouseover={RUN} }}",
    f"*x*{{onmouseover={RUN}}}",
    f"~~~ x\n<img src=x onerror={RUN}>",
    f"</script><img src=x onerror={RUN}>",
    f"<a href=javascript:{RUN}>x</a>",
    f"\\<img src=x onerror={RUN}>",
    f"```\n\n<img src=x onerror={RUN}>\n\n```",
)
# All that some program may take for the end of a line, and what readers drop or replace.
CONTROLS: Final = "\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\u2028\u2029\x00\x02\x03\x08\x1b\x7f\ufeff\u200b"
# Where a page puts them. %T is the payload as text, %A as the value of an attribute in quotation marks, %M as it is, %J
# in a string of JSON, and %C is one of the control characters, which changes from page to page.
CONTEXTS: Final = (
    "<p>%T",
    "<p>It costs $5 %T or $6.",
    "<p>a %C%C%T",
    "<p>&lt;%C%T",
    "<p><b>&lt;</b>%T",
    "<p>x<br>%T<br>y",
    "<h2>%T</h2><p>x",
    "<ul><li>%T<li>x %C%T</ul>",
    "<blockquote><p>%T</blockquote>",
    "<dl><dt>%T<dd>%T</dl>",
    "<table><caption>%T</caption><tr><th>%T<th>b<tr><td>%T<td>%C%T</table>",
    "<table><tr><th>a<th>b<tr><td><code>\\|%T</code><td><code>x|%C%T</code></table>",
    "<table><tr><th>a<th>b<tr><td><pre>x\n\n%T</pre><td>\\|%T</table>",
    "<p><code>x%C%C%T</code>",
    "<p><code>`%T</code> and <code>``%C`%T`</code>",
    "<p>` <code>%T</code> `` <code>$%T$</code> $5",
    "<pre>x%C%C%T</pre>",
    "<pre>x%C```%C%T</pre>",
    "<pre>```\n~~~\n%T</pre>",
    "<ul><li>a<pre>x%C%C%T\n\n%T</pre></ul>",
    "<blockquote><pre>x%C%C%T\n\n%T</pre></blockquote>",
    "<p>a<sup><a href=#fn1>1</a></sup><p id=fn1>%T<pre>x%C%C%T</pre>",
    "<p>a<sup><a href='#%A'>1</a></sup><p id='%A'>%T",
    '<pre data-lang="py`%C%A">%T</pre>',
    '<pre data-lang="py\n```\n%A">%T</pre>',
    '<pre><code class="language-x language-%A">%T</code></pre>',
    '<p>a <math alttext="x %A"><mi>x</math>',
    '<p>a <math data-latex="x`%C%A"><mi>x</math> and <code>%T</code>',
    '<math display=block alttext="%A"><mi>x</math><pre>~~~\n%T</pre>',
    "<p>a <math><semantics><mi>x</mi><annotation encoding=application/x-tex>x %T</annotation></semantics></math>",
    '<p>a <span class=katex><math alttext="%A{: onclick=x}"><mi>x</math></span>',
    "<p>a <script type='math/tex'>x %M</script> b",
    "<p>a</p><script type='math/tex; mode=display'>%M</script><p>b",
    '<p>a <img class=latex src=x.png alt="x^2 %A">',
    '<p>a <img src="x.png" alt="%A" title="%A">',
    '<p>a <img src="x.png" alt="]%C(javascript:x) %A">',
    '<p>a <img src="%A" alt=x> <img src="x.png?%A" alt=x>',
    '<p>a <a href="x?%A" title="%A">%T</a>',
    '<p>a <a href="java%Cscript:console.log(0xBAD)">x</a> <a href="%Cjavascript:console.log(0xBAD)">y</a>',
    '<p>a <a href="javascript&amp;colon;console.log(0xBAD)">x</a> <a href="javascript&amp;#58console.log(0xBAD)">y</a>',
    '<p>a <a href="data:text/html,%A">x</a> <a href="vbscript:%A">y</a> <a href="JaVaScRiPt:%A">z</a>',
    '<p>a <a href="//x/%C%A">x</a> <a href="/[x](javascript:x)%A">y</a>',
    '<base href="javascript:%A"><p>a <a href="x">x</a> <img src=y alt=z>',
    "<p>a <svg><text>%T</text><title>%T</title><foreignObject><p>%T</foreignObject></svg>",
    "<p>a <xmp>%M</xmp><noembed>%M</noembed><noframes>%M</noframes>",
    "<p>a <template>%M</template><noscript>%M</noscript>",
    "<p>a <textarea>%M</textarea><select><option>%T</select><button>%T</button>",
    "<p>a <iframe>%M</iframe><object data='javascript:x'>%M</object><embed src='%A'>",
    "<p>a <!-- %M --> b <!--> %M --> c <![CDATA[%M]]> d <?x %M ?> e </%M>",
    "<p>a %M b <p>%M",
    "<p>a <plaintext>%M",
    "<p>a <x-y onclick='%A' %M='1'>b</x-y> <x'\"<y>c",
    "<p>&amp;lt;img src=x onerror=console.log(0xBAD)&amp;gt; &amp;amp;lt; %T",
    "<details><summary>%T</summary>%T</details><fieldset><legend>%T</legend></fieldset>",
    "<figure><img src=x.png alt='%A'><figcaption>%T<p>%C%T</figcaption></figure>",
    "<ol start='%A' reversed><li value='%A'>%T</ol>",
    "<html lang='en\"%A' dir='rtl%A'><body class='%A'><p>%T",
    "<title>%T</title><h1>%T</h1><p>x %C",
    '<meta name=author content="%A"><meta name=description content="%C%A"><meta name=keywords content="%A, b"><p>x',
    '<meta property=og:title content="%A"><meta property=og:site_name content="%A"><meta name=og:image content="%A">'
    '<link rel=canonical href="%A"><link rel=license href="javascript:%A"><p>x',
    '<meta property=article:published_time content="2024-01-02%A"><time datetime="2024-01-02">%T</time><p>x',
    '<script type="application/ld+json">{"@type":"Article","headline":"%J","author":"%J","url":"%J","image":"%J",'
    '"datePublished":"%J","license":"javascript:x","keywords":["%J"]}</script><p>x',
    "<p>{: onclick=console.log(0xBAD)}<p>x {onclick=console.log(0xBAD)}<p><code>x</code>{: onclick=%T}<h2>a {: %T }",
)

PLACE: Final = re.compile("%[TAMJC]")
# Raw they would not reach the page: the parser turns the first into a line end and drops the second.
REFERENCES: Final = "\r\x00"


class HostilePage(NamedTuple):
    """A page, and the address that it claims to have."""

    html: str
    url: str | None


def hostile_pages(rounds: int) -> Iterator[HostilePage]:
    """Yield a page per context and round, each round with other payloads and controls; the first with CR."""
    payloads, controls = cycle(PAYLOADS), cycle(CONTROLS[1:])
    urls = cycle(["https://example.org/a/", None, f"javascript:{RUN}", 'https://example.org/"><img src=x onerror=x>'])
    for number in range(rounds):
        for context in CONTEXTS:
            yield HostilePage(_filled(context, next(payloads), next(controls) if number else "\r"), next(urls))


def _filled(context: str, payload: str, control: str) -> str:
    forms = {
        "%T": escape(payload, quote=False),
        "%A": escape(payload),
        "%M": payload,
        "%J": json.dumps(payload.replace("</", "<\\/"))[1:-1],
        "%C": f"&#{ord(control)};" if control in REFERENCES else control,
    }
    return PLACE.sub(lambda found: forms[found[0]], context)
