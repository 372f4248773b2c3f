/**
 * Texts that run a script where a program trusts them too much. They are from published collections: the OWASP filter evasion sheet,
 * the PortSwigger sheet, the HTML5 security sheet, and former bypasses of sanitizers. Each calls `alert`, which
 * `watchScripts` replaces. Use them as HTML, as Markdown, and in every text field.
 */
import type { BrowserContext, Page } from 'playwright-core';

const SCRIPTS = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=data:text/javascript,alert(1)></SCRIPT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<script/x>alert(1)</script>',
  '<script\x20type="text/javascript">javascript:alert(1);</script>',
  '<script\x0d>alert(1)</script>',
  '<<SCRIPT>alert(1);//<</SCRIPT>',
  '<script>alert(1)//',
  '</script><script>alert(1)</script>',
  '</title><script>alert(1)</script>',
  '</textarea><script>alert(1)</script>',
  '--><script>alert(1)</script>',
  ']]><script>alert(1)</script>',
  '"><script>alert(1)</script>',
  "'><script>alert(1)</script>",
  '<svg><script>alert(1)</script></svg>',
  '<svg><script href="data:text/javascript,alert(1)"></script></svg>',
  '<math><script>alert(1)</script></math>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<script type="module">alert(1)</script>',
];

const HANDLERS = [
  '<img src=x onerror=alert(1)>',
  '<img src=x:x onerror="alert(1)"//',
  '<IMG SRC=/ onerror="alert(String.fromCharCode(88,83,83))"></img>',
  '<img src=x onerror="&#0000106&#0000097&#0000118&#0000097&#0000115&#0000099&#0000114&#0000105&#0000112&#0000116&#0000058alert(1)">',
  '<img/src=x/onerror=alert(1)>',
  '<img \x0bonerror=alert(1) src=x>',
  '<img src="x`y" onerror=alert(1)>',
  '<img src=x onload=alert(1) onerror=alert(1) style=x:expression(alert(1))>',
  '<img srcset=x onerror=alert(1)>',
  '<img src onerror /" \'"= alt=alert(1)//">',
  '<image src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<svg/onload=alert(1)>',
  '<svg><g/onload=alert(1)></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<svg><set onbegin=alert(1) attributeName=x>',
  '<svg><a><animate attributeName=href values=javascript:alert(1) /><text x=20 y=20>a</text></a>',
  '<svg><discard onbegin=alert(1)>',
  '<svg><image href=x onerror=alert(1)></svg>',
  '<svg><use href="data:image/svg+xml,<svg id=x xmlns=http://www.w3.org/2000/svg><image href=1 onerror=alert(1) /></svg>#x" />',
  '<svg><foreignObject><img src=x onerror=alert(1)></foreignObject></svg>',
  '<svg><title><img src=x onerror=alert(1)></title></svg>',
  '<svg><desc><img src=x onerror=alert(1)></desc></svg>',
  '<body onload=alert(1)>',
  '<body onpageshow=alert(1)>',
  '<video><source onerror=alert(1)></video>',
  '<video src=x onerror=alert(1)></video>',
  '<video onloadstart=alert(1)><source>',
  '<audio src=x onerror=alert(1)>',
  '<input autofocus onfocus=alert(1)>',
  '<input onblur=alert(1) autofocus><input autofocus>',
  '<select autofocus onfocus=alert(1)>',
  '<textarea autofocus onfocus=alert(1)>',
  '<keygen autofocus onfocus=alert(1)>',
  '<details open ontoggle=alert(1)>',
  '<marquee onstart=alert(1)>a</marquee>',
  '<marquee loop=1 width=0 onfinish=alert(1)>a</marquee>',
  '<a autofocus tabindex=1 onfocus=alert(1) href=#>a</a>',
  '<div tabindex=1 autofocus onfocusin=alert(1)>a</div>',
  '<div style="animation-name:x" onanimationstart=alert(1)>a</div>',
  '<style>@keyframes x{}</style><p style="animation-name:x" onanimationstart="alert(1)"></p>',
  '<p style="transition:outline 1s" ontransitionend=alert(1) tabindex=1></p>',
  '<div onpointerover="alert(1)" onmouseover="alert(1)" style="position:fixed;inset:0">a</div>',
  '<div onscrollend=alert(1) style="overflow:auto;height:9px"><br><br><br><br><p id=x>a</p></div>',
  '<button popovertarget=x>a</button><div popover id=x onbeforetoggle=alert(1)>a</div>',
  '<dialog open onclose=alert(1)><form method=dialog><button>a</button></form></dialog>',
  '<object data=x onerror=alert(1)></object>',
  '<embed src=x onerror=alert(1)>',
  '<link rel=stylesheet href=x onerror=alert(1)>',
  '<style onload=alert(1)></style>',
  '<table background="javascript:alert(1)"><td background="javascript:alert(1)">',
  '<xss contenteditable oncontentvisibilityautostatechange=alert(1) style=display:block;content-visibility:auto>',
];

const ADDRESSES = [
  '<a href="javascript:alert(1)">a</a>',
  '<a href="jav&#x09;ascript:alert(1)">a</a>',
  '<a href="jav&#x0A;ascript:alert(1)">a</a>',
  '<a href=" &#14;  javascript:alert(1)">a</a>',
  '<a href="\x01javascript:alert(1)">a</a>',
  '<a href="JaVaScRiPt:alert(1)">a</a>',
  '<a href="javascript&colon;alert(1)">a</a>',
  '<a href="&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;alert(1)">a</a>',
  '<a href="vbscript:alert(1)">a</a>',
  '<a href="data:text/html,<script>alert(1)</script>">a</a>',
  '<a href="data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==">a</a>',
  '<a href="javascript://%0aalert(1)">a</a>',
  '<a xlink:href="javascript:alert(1)">a</a>',
  '<svg><a xlink:href="javascript:alert(1)"><text x=20 y=20>a</text></a></svg>',
  '<svg><a href="javascript:alert(1)"><rect width=99 height=99 /></a></svg>',
  '<math href="javascript:alert(1)">a</math>',
  '<math><maction actiontype="statusline#http://x" xlink:href="javascript:alert(1)">a</maction></math>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<script>parent.alert(1)</script>"></iframe>',
  '<iframe srcdoc="&lt;img src&equals;x onerror&equals;parent.alert(1)&gt;"></iframe>',
  '<iframe onload=alert(1)></iframe>',
  '<object data="javascript:alert(1)"></object>',
  '<object data="data:text/html,<script>parent.alert(1)</script>"></object>',
  '<embed src="javascript:alert(1)">',
  '<embed src="data:image/svg+xml,<svg xmlns=http://www.w3.org/2000/svg onload=alert(1) />">',
  '<form action="javascript:alert(1)"><input type=submit></form>',
  '<form><button formaction="javascript:alert(1)">a</button></form>',
  '<isindex action="javascript:alert(1)" type=image>',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<meta http-equiv="refresh" content="0;url=data:text/html,<script>alert(1)</script>">',
  '<base href="javascript:/a/-alert(1)///////"><a href="../lol/safe.html">a</a>',
  '<link rel=import href="data:text/html,<script>alert(1)</script>">',
  '<area shape=default href="javascript:alert(1)">',
  '<img usemap=#x><map name=x><area href="javascript:alert(1)" shape=rect coords=0,0,99,99></map>',
  '<blockquote cite="javascript:alert(1)">a</blockquote>',
  '<a href="https://example.com" ping="javascript:alert(1)">a</a>',
];

/** HTML that changes its meaning when a program parses it, writes it and parses it again. */
const MUTATIONS = [
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<math><mtext><table><mglyph><style><math><table id="</table>"><img src onerror=alert(1)">',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<svg><p><style><g title="</style><img src=x onerror=alert(1)>">',
  '<math><annotation-xml encoding="text/html"><style><img src=x onerror=alert(1)></style></annotation-xml></math>',
  '<math><annotation-xml encoding="text/html"><svg><foreignObject><img src=x onerror=alert(1)>',
  '<math><semantics><annotation encoding="application/x-tex"><img src=x onerror=alert(1)></annotation></semantics></math>',
  '<svg><annotation-xml><foreignobject><style><!--</style><p id="--><img src=x onerror=alert(1)>">',
  '<noscript><style></noscript><img src=x onerror=alert(1)>',
  '<noembed><noembed title="</noembed><img src=x onerror=alert(1)>">',
  '<xmp><p title="</xmp><img src=x onerror=alert(1)>">',
  '<listing>&lt;img src=x onerror=alert(1)&gt;</listing>',
  '<plaintext><img src=x onerror=alert(1)>',
  '<template><img src=x onerror=alert(1)></template>',
  '<template shadowrootmode=open><img src=x onerror=alert(1)></template>',
  '<select><template><img src=x onerror=alert(1)></template></select>',
  '<select><iframe><style></select><img src=x onerror=alert(1)>',
  '<option><style></option></select><b><img src=x onerror=alert(1)></style></option>',
  '<!--[if gte IE 4]><script>alert(1)</script><![endif]-->',
  '<!--><img src=x onerror=alert(1)-->',
  '<!-- --!><img src=x onerror=alert(1)> -->',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
  '<svg><![CDATA[><img src=x onerror=alert(1)>]]></svg>',
  '<?xml version="1.0"?><?pi <img src=x onerror=alert(1)> ?>',
  '<span title="<" style="x" onclick=alert(1)><img src=x title=">" onerror=alert(1)></span>',
  '<p title="a style="><img src=x onerror=alert(1) style="">',
  '<a href=x style="</a><img src=x onerror=alert(1)>">a</a>',
  '<img alt="` onerror=alert(1) src=x `">',
  '<div id="1\n><img src=x onerror=alert(1)>"></div>',
];

/** Elements that replace properties of the document, or styles that cover the page. */
const CLOBBERING = [
  '<form id=x><input name=attributes><input name=parentNode></form><img src=x onerror=alert(1)>',
  '<img name=getElementById><img name=querySelector><img id=start>',
  '<a id=defaultView><a id=defaultView name=alert href="javascript:alert(1)">',
  '<form name=body><input name=firstChild></form>',
  '<div class="katex"><span style="position:fixed;top:0;left:0;width:9999px;height:9999px;background:url(javascript:alert(1))">a</span></div>',
  '<div style="background-image:url(&#1;javascript:alert(1))">a</div>',
  '<div style="width:expression(alert(1))">a</div>',
  '<div style="behavior:url(x.htc);-moz-binding:url(x#y)">a</div>',
  '<style>@import "javascript:alert(1)";</style>',
  '<style>*{background:url("javascript:alert(1)")}</style>',
  '<div data-action="copy-code" class="codehilite" data-code-language=\'"><img src=x onerror=alert(1)>\'><pre><code>x</code></pre></div>',
  '<span class="user-mention" data-user-id="constructor">@<img src=x onerror=alert(1)></span>',
  '<span class="emoji emoji-3c-73-63-72-69-70-74-3e">:x:</span>',
  '<time datetime="2026-01-01T00:00:00Z" onclick=alert(1)><img src=x onerror=alert(1)></time>',
  '<div class="message_inline_image"><a href="javascript:alert(1)" title="<img src=x onerror=alert(1)>"><img src="javascript:alert(1)" data-original-dimensions="1x1"></a></div>',
  '<div class="spoiler-block"><div class="spoiler-header"><img src=x onerror=alert(1)></div><div class="spoiler-content">a</div></div>',
];

/** What Markdown could turn into HTML. */
const MARKDOWN = [
  '[a](javascript:alert(1))',
  '[a](javascript&colon;alert(1))',
  '[a](  JaVaScRiPt:alert(1)  "title")',
  '[a](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
  '[a](vbscript:alert(1))',
  '![a](javascript:alert(1))',
  '![a"onerror="alert(1)](https://example.com/a.png)',
  '[a](https://example.com/"onmouseover="alert(1))',
  '[a](<javascript:alert(1)>)',
  '<javascript:alert(1)>',
  '[a]: javascript:alert(1)\n\n[a]',
  '[<img src=x onerror=alert(1)>](https://example.com)',
  '`<img src=x onerror=alert(1)>`',
  '```"><img src=x onerror=alert(1)>\ncode\n```',
  '```spoiler <img src=x onerror=alert(1)>\n<script>alert(1)</script>\n```',
  '$$\\href{javascript:alert(1)}{x}$$',
  '$$\\text{<img src=x onerror=alert(1)>}$$',
  '$$\\htmlData{x=1}{\\htmlStyle{background:url(javascript:alert(1))}{y}}$$',
  '<time:"><img src=x onerror=alert(1)>>',
  '@**"><img src=x onerror=alert(1)>**',
  '#**<img src=x onerror=alert(1)>>topic**',
  ':"><img src=x onerror=alert(1)>:',
  '/poll <img src=x onerror=alert(1)>\n<script>alert(1)</script>',
  '/todo <img src=x onerror=alert(1)>\n<svg onload=alert(1)>: <b onclick=alert(1)>',
  '/me <img src=x onerror=alert(1)>',
];

/** All payloads. */
export const XSS_PAYLOADS: readonly string[] = [
  ...SCRIPTS,
  ...HANDLERS,
  ...ADDRESSES,
  ...MUTATIONS,
  ...CLOBBERING,
  ...MARKDOWN,
];

/** Records in the pages of a profile that a payload has run. Call it before a page opens. */
export async function watchScripts(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const ran: string[] = [];
    Object.defineProperty(globalThis, 'scriptsThatRan', { value: ran });
    for (const name of ['alert', 'confirm', 'prompt', 'print'] as const) {
      Object.defineProperty(globalThis, name, { value: (...values: unknown[]) => void ran.push(`${name}(${values})`) });
    }
  });
}

/** The calls of payloads in this page, and addresses in it that would run a script when somebody presses them. */
export async function scriptsThatRan(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const ran = (globalThis as { scriptsThatRan?: readonly string[] }).scriptsThatRan ?? ['nobody watches'];
    const isDangerous = (address: string) => {
      const url = URL.parse(address, document.baseURI);
      if (url === null) return false;
      return /^(?:javascript|vbscript):$/.test(url.protocol) || /^data:(?!image\/)/.test(url.href);
    };
    const addresses = [...document.querySelectorAll('*')].flatMap((element) =>
      element.getAttributeNames().flatMap((name) => {
        const value = element.getAttribute(name) ?? '';
        const isHandler = /^on/i.test(name);
        const isAddress = /^(?:href|src|srcdoc|action|formaction|xlink:href|data|ping)$/i.test(name);
        return isHandler || (isAddress && isDangerous(value)) ? [`<${element.localName} ${name}="${value}">`] : [];
      }),
    );
    return [...ran, ...addresses];
  });
}
