"""Hostile pieces of markup and text, which the mutations put into pages."""

from typing import Final

LINE_ENDS: Final = (
    "\r", "\r\n", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029", "&#13;", "&#10;", "&#11;",
    "&#12;", "&#133;", "&#8232;",
)  # fmt: skip
CHARACTERS: Final = (
    "\x00", "\x01", "\x07", "\x08", "\x1b[31m", "\x1b]0;x\x07", "\x7f", "\x9b", "\u00a0", "\u00ad", "\u200b", "\u200d",
    "\u200e", "\u202e", "\u2066", "\u2069", "\ufeff", "\ufffd", "\ufffe", "\uffff", "\U0001f600", "\U0010ffff",
    "e\u0301", "a" + "\u0301" * 40, "\u05d0\u05d1", "\u6728\u6728\u6728", "\u0e01\u0e32", "\ud55c\uae00", "\ufb01",
    "\u1e9e", "\u0130", "\u2028", "\ue000", "&#0;", "&#x1;", "&#xD800;", "&#xDFFF;", "&#x110000;", "&#99999999999;",
    "&#x80;", "&nbsp;", "&shy;", "&amp;amp;", "&lt;script&gt;", "&notin", "&bogus;", "&#", "&",
    "&NotEqualTilde;", "&zwj;", "&rlm;",
)  # fmt: skip
# What Markdown, HTML, YAML, XML and JSON give a meaning to.
TEXTS: Final = (
    "```", "~~~", "`", "``x``", "*a*", "**", "_b_", "[c](javascript:alert(1))", "![d](e)", "[^1]", "[^1]: note", "# h",
    "> q", "- ", "1. ", "1) ", "+ ", "---", "===", "| a | b |\n|---|---|", ":::", "$x$", "$$", "\\(x\\)", "\\[", "\\",
    "<b>", "&lt;img src=x onerror=alert(1)&gt;", "&lt;/script>&lt;script>alert(1)&lt;/script>", "<!--", "-->", "]]>",
    "<![CDATA[", "<?xml version='1.0'?>", "{{x}}", "%s", "${x}", "---\ntitle: x\n---", "\n\n", "\t", "    x", "  \n",
    "NaN", "Infinity", "1e999", "-0", "null", "\"'", "\u00abTitle\u00bb", "\u201eTitle\u201c", "Copyright \u00a9 2024",
    "By Ann Example", "2 May 2024", "2024-02-30T25:61:61", "x" * 300, "word " * 60, "ab\u00adcd", "https://example.org/?a=b&c",
)  # fmt: skip
CODE: Final = (
    "<code>x&#13;&#13;&lt;img src=x onerror=alert(1)&gt;</code>",
    "<pre>a&#13;```&#13;&lt;script>alert(1)&lt;/script></pre>",
    "<pre><code class='language-a b`c'>x\n```\ny</code></pre>",
    "<pre>\n\n  a\tb\n\x0b\x0c\x85c\u2028d</pre>",
    "<code>`</code><code> a </code><code></code><code>\n</code>",
    "<kbd>a</kbd><samp>b</samp><tt>c</tt><listing>d</listing><xmp><b>e</xmp><plaintext>f",
    "<textarea><p>x</textarea>",
)
FORMULAS: Final = (
    '<math alttext="x <img src=x onerror=alert(1)>"><mi>x</mi></math>',
    "<math alttext='a$$b\n\n# c' display=block><mi>x</mi></math>",
    "<math><semantics><mi>x</mi><annotation encoding='application/x-tex'>\\frac{a}{b}&lt;b&gt;$"
    "</annotation></semantics></math>",
    "<script type='math/tex'>x^2 $ </script><script type='math/tex; mode=display'>y\r\rz</script>",
    "<span class=katex><span class=katex-mathml><math><mi>y</mi></math></span><span>y</span></span>",
    "<span class='MathJax' data-mathml='&lt;math>&lt;/math>'>x</span><img class=tex alt='$x$ <b>' src=a.png>",
    "<math><mtext><p>x</mtext><annotation-xml encoding='text/html'><div>y</annotation-xml>",
)
TABLES: Final = (
    "<table><tr><th>a<th>b<tr><td>1<td>2</table>",
    "<table><caption>c|d<p>e</caption><tr><td colspan=3 rowspan=2>x|y<td>\\|<tr><td><tr><td>z</table>",
    "<table><tr><td rowspan=65534 colspan=1000>x<td>y</table>",
    "<table><tr><td><table><tr><td>x</table><td><ul><li>a</ul><pre>b\nc</pre></table>",
    "<table>foster<tr>x<td>y</table>",
    "<thead><tr><td colspan=0>x<td colspan=-1>y<td colspan=9999999999999999999>z",
    "<table><colgroup><col span=99999><tbody><tfoot><tr><td headers='a b' scope=row>x</table>",
)
METADATA: Final = (
    '<script type="application/ld+json">{"@type":"Article","author":          oops</script>',
    '<script type="application/ld+json">{"@type":"Article","headline":"\\ud800 <b>","datePublished":1e999,'
    '"author":[{"name":"A"},{"name":null},7,["B"]]}</script>',
    '<script type="application/ld+json">[[[[[[{"@graph":[{"@id":"#a","@type":["NewsArticle",null]}]}]]]]]]</script>',
    '<script type="application/ld+json">{"@type":"Person","name":"\\u0000\\u001b[31m","url":"javascript:alert(1)"}',
    '<script type="application/ld+json">{"a":' * 20,
    '<script type=application/ld+json>{"@type":"Article","dateModified":"2024-13-45",'
    '"publisher":{"name":"\u00abP\u00bb"}}</script>',
    '<meta property="article:published_time" content="2024-02-30T25:61:61+99:99">',
    '<meta name=date content="99999999999999999999"><meta name=dc.date content="\u0662\u0660\u0662\u0664">',
    '<meta property=og:url content="/relative?a b"><link rel=canonical href="//x/\\y z">',
    '<link rel=canonical href="javascript:alert(1)"><meta property=og:image content="data:x">',
    '<meta name=author content="\r\n\x1b By A, B and C <i>"><meta name=keywords content=",,a,A,;b,\x00">',
    "<title>\u00abA\u00bb \u2013 B | C</title><h1>\u00abA\u00bb</h1>",
    '<title>&lt;b>\n\n\u202ex</title><meta property=og:title content="">',
    '<time datetime="P3Y6M">x</time><time datetime="0000-00-00">y</time><time>1 Jan 99999</time>',
    '<base href="http://[::1"><base href="ftp://h:0/"><base href=x>',
    '<html lang="xx-\u00e9_\x00" dir=RTL><meta http-equiv=content-language content="de, en">',
    "<meta charset=utf-16><meta charset=x-user-defined><meta charset=iso-2022-jp>",
    '<a rel=license href="https://creativecommons.org/licenses/by/4.0/ \r">x</a><a rel=tag href=/t/%zz>t</a>'
    "<a rel=author>A</a>",
)
MEDIA: Final = (
    '<picture><source srcset="a 1x, b 2x,,, c 9999999999999w"><source><img src=d alt="]( `<b>" srcset=" "></picture>',
    "<figure><figcaption>a<figcaption>b</figure><figure><p>c<figcaption><img src=e></figure>",
    '<img src="javascript:alert(1)" alt="&#13;&#13;<b>"><img alt=x><img src=data:image/png;base64,AA data-src=/y.png>',
    "<noscript><img src=z><p>text</noscript><noscript><noscript>x</noscript>",
    "<svg><text>a<title>b</title><foreignObject><p>c<math><mi></svg>",
    '<video poster=x><track>fallback</video><audio controls src=y></audio><iframe srcdoc="<p>x">y</iframe><object>z',
    "<canvas>x</canvas><map><area href=x></map><embed>",
)
STRUCTURE: Final = (
    "<template><p>x<template shadowrootmode=open><slot></slot>y</template></template>",
    "<div><template shadowrootmode=open><slot name=a></slot><p>shadow</template><b slot=a>light</b></div>",
    "<frameset><frame><noframes><p>x</noframes></frameset>",
    "<select><option>a<optgroup label=x><option>b</select><datalist><option value=c>",
    "<ol start=-2147483649 reversed><li value=99999999999>a<li>b<ol type=A><li></ol></ol>",
    "<ul><ul><li><ul></ul></ul>x</ul><li>y<dl><dd>a<dt>b<dt>c<dd>d<p>e</dl>",
    "<ruby>a<rb>b<rt>c<rtc>d<rp>(</ruby><wbr><bdo dir=rtl>x</bdo><bdi>y",
    "<blockquote><pre>x</pre><h7>y</h7><h6>z<h1>w</blockquote>",
    "<h1><h2>a</h1><p>b</h2><h1>\n\n</h1><h3><a href=x><img alt=y src=z></a></h3>",
    "<p>a<a href='x'>b<a href='y'>c<p>d</a>e<b><i>f</b>g</i>",
    "<p>w<b>or</b>d<i> and</i><b>more</b>!<br><br>x<hr>y<wbr>z",
    "<p>a<sup><a href='#fn1' id=r1>1</a></sup><sup>[2]</sup><ol><li id=fn1>note <a href='#r1'>\u21a9</a></ol>",
    "<p>b<a href='#fn2'>2</a><div id=fn2>x<a href='#fn2'>y</a></div>",
    "<section class=footnotes><ol><li id=fn:1><p>x<p>y</ol></section><a role=doc-noteref href='#fn:1'>1</a>",
    "<details><summary>x</summary>y</details><dialog open>z</dialog><menu><li>w</menu>",
    "<p hidden>a<p style='display:none'>b<p aria-hidden=true>c<p class='sr-only visually-hidden'>d"
    "<p style='visibility:hidden;'>e",
    "<form><input value=x><label>y</label><button>z</button></form><fieldset><legend>l</legend>m",
    "<div class='comments' id=comments><article class=comment><p>A reader says so.</article></div>",
    "<body><body onload=x><head><html><body>",
    "</p></br></body></html><p>after",
    "<script><!--<script></script>--></script><style>p{}</style><script>x",
    "<!DOCTYPE html SYSTEM 'about:legacy-compat'><!doctype><!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\">",
    "<nobr><nobr><font><font><marquee><center><big><strike>x",
    "<x-custom-element-name>a</x-custom-element-name><a:b>c</a:b><p/ x>d<1>e</>f<>g< h>",
    "<p " + "a='b' " * 30 + ">x",
    "<q>a</q><cite>b</cite><abbr title='c'>d</abbr><ins>e</ins><del>f</del><s>g</s><u>h</u>"
    "<mark>i</mark><small>j</small>",
)
SNIPPETS: Final = (*CODE, *FORMULAS, *TABLES, *METADATA, *MEDIA, *STRUCTURE)
MAGIC: Final = (
    b"\x00", b"\xff", b"\xfe\xff", b"\xff\xfe", b"\xef\xbb\xbf", b"%PDF-", b"\x1f\x8b", b"PK\x03\x04", b"\xc0\x80",
    b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\x1b$B", b"\x1b(J", b"+ADw-", b"\x81", b"\x8f\xa2", b"~{", b"<", b">",
    b"</", b"<!--", b"-->", b"<![CDATA[", b"&#", b"'", b'"', b"=", b"/>", b"\r\n",
)  # fmt: skip
TAGS: Final = (
    *("p", "div", "span", "b", "i", "em", "strong", "a", "ul", "ol", "li", "dl", "dt", "dd", "table", "tr", "td", "th"),
    *(
        "thead",
        "tbody",
        "caption",
        "colgroup",
        "h1",
        "h2",
        "h3",
        "h6",
        "pre",
        "code",
        "br",
        "hr",
        "noscript",
        "template",
    ),
    *("svg", "math", "mi", "annotation", "title", "select", "option", "button", "form", "textarea", "blockquote", "q"),
    *(
        "figure",
        "figcaption",
        "picture",
        "source",
        "img",
        "article",
        "nav",
        "section",
        "aside",
        "header",
        "footer",
        "main",
    ),
    *("body", "head", "html", "frameset", "noframes", "sup", "sub", "del", "ins", "ruby", "rt", "rp", "font", "nobr"),
    *(
        "center",
        "details",
        "summary",
        "label",
        "input",
        "iframe",
        "object",
        "video",
        "script",
        "style",
        "time",
        "address",
    ),
)
ATTRIBUTES: Final = (
    *("hidden", "href=x", "href='#fn1'", "id=fn1", "class='a b'", "style='display:none'", "colspan=99999999999"),
    *("rowspan=3", "aria-hidden=true", 'a="<p>"', "role=doc-footnote", "itemprop=author", "itemprop=datePublished"),
    *(
        "datetime=2024-05-02",
        "alttext='$'",
        "src=a.png",
        "srcset='a 1x'",
        "alt='x](y'",
        "start=0",
        "value=-1",
        "dir=rtl",
    ),
    *("lang=de", "rel=author", "class=comment", "class='language-a`b'", "type=math/tex", "reversed", "title='\r\n'"),
)
URLS: Final = (
    *(None, "https://example.org/a/b?c=d", "https://example.org/", "http://[::1]:80/", "HTTPS://EXAMPLE.org:443/%zz"),
    *(
        "file:///tmp/x.html",
        "relative/page.html",
        "//host/x",
        "mailto:a@b",
        "javascript:alert(1)",
        "http://x/\ud800 \n",
    ),
    *("https://ex\u00e4mple.org/\u00fc?q=<b>", "https://example.org/2024/05/02/rain", "http://h:99999/", " "),
)
CHARSETS: Final = (
    "utf-8",
    "latin-1",
    "windows-1252",
    "x-unknown",
    "utf-16",
    "shift_jis",
    "utf-7",
    "gb18030",
    "iso-2022-jp",
)
