import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Parser } from 'htmlparser2';
import { sampleDirectory, sampleOptions } from '../testing/model/sample-directory.ts';
import { fc } from '../testing/random/property.ts';
import { renderChannelDescription, renderMessage } from './index.ts';
import { parseBlocks } from './parser.ts';
import { Renderer } from './renderer.ts';
import { isSafeHtml } from './sanitizer.ts';

/** The elements and attributes that messages may contain, written down independently of the renderer. */
const ELEMENTS: Readonly<Record<string, readonly string[]>> = {
  a: ['class', 'data-stream-id', 'href', 'title'],
  blockquote: [],
  br: [],
  code: [],
  del: [],
  div: ['aria-hidden', 'class', 'data-code-language'],
  em: [],
  h1: [],
  h2: [],
  h3: [],
  h4: [],
  h5: [],
  h6: [],
  hr: [],
  img: ['alt', 'class', 'src', 'title'],
  li: [],
  ol: ['start'],
  p: [],
  pre: [],
  span: ['aria-label', 'class', 'data-user-group-id', 'data-user-id', 'role', 'title'],
  strong: [],
  table: [],
  tbody: [],
  td: ['style'],
  th: ['style'],
  thead: [],
  time: ['datetime'],
  tr: [],
  ul: [],
};
const VOID = new Set(['br', 'hr', 'img']);
const URL_OF = {
  href: /^(?:https?:|ftp:|mailto:|tel:|sms:|bitcoin:|#|\/(?!\/)|user_uploads\/)/i,
  src: /^(?:https?:|\/(?!\/))/,
};

/** What an HTML parser finds wrong: elements and attributes that are not listed, unsafe URLs, unbalanced tags. */
function faultsOf(html: string): string[] {
  const faults: string[] = [];
  const open: string[] = [];
  const parser = new Parser({
    onopentag(name, attributes, isImplied) {
      const allowed = ELEMENTS[name];
      if (!allowed) faults.push(`element ${name}`);
      if (isImplied) faults.push(`implied ${name}`);
      for (const [attribute, value] of Object.entries(attributes)) {
        if (!allowed?.includes(attribute)) faults.push(`attribute ${name} ${attribute}`);
        if ((attribute === 'href' || attribute === 'src') && !URL_OF[attribute].test(value)) {
          faults.push(`address ${value}`);
        }
      }
      if (!VOID.has(name)) open.push(name);
    },
    onclosetag(name, isImplied) {
      if (VOID.has(name)) return;
      if (isImplied || open.pop() !== name) faults.push(`unbalanced ${name}`);
    },
    oncomment: () => faults.push('comment'),
    onprocessinginstruction: () => faults.push('instruction'),
  });
  parser.end(html);
  return [...faults, ...open.map((name) => `open ${name}`)];
}

/** Pieces of markup and of attacks, combined in any order. */
const PIECES =
  '*|**|***|~~|`|``|```|~~~|\n|\n\n|\n```\n|\n~~~\n|```quote\n|```spoiler a\n|```js\n|```"><b>\n|> |- |1. |  - |    |# |---|a||b\n-||-\n|[|](|)|](javascript:a)|](https://a.com "t")|](data:x)|](//x)|]()|<|>|"|\'|&|&lt;|&#106;|&colon;|<b>|</p>|<script>|<img src=x onerror=y>|<!--|<time:1>|<time:"a>|@**Iago**|@**<b>&"**|@_**Twin|8**|@**all**|@*hamlet characters*|#**Denmark**|#**Denmark>"<a**|#**Denmark>a@1**|:smile:|:green_tick:|🎉|👍🏽|é|\ud83d|\u2028|\0|\t|http://|https://a.com/"><b>|javascript:a|a.com|a@b.com|www.a.b|word| |\\|/|:|='
    .split('|')
    .concat('|');
const markup = fc.array(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...PIECES) }, fc.string({ unit: 'binary' })), {
  maxLength: 60,
  size: 'max',
});

test('for any source, an HTML parser finds only listed elements and attributes, balanced', () => {
  fc.assert(
    fc.property(markup, (pieces) => {
      const source = pieces.join('');
      const { html } = renderMessage(source, sampleDirectory, sampleOptions);
      assert.deepEqual(faultsOf(html), []);
      assert.deepEqual(faultsOf(renderChannelDescription(source, sampleDirectory, 'https://a.org')), []);
    }),
    { numRuns: 1500 },
  );
});

test('the final check never refuses output of the renderer', () => {
  fc.assert(
    fc.property(markup, (pieces) => {
      const state = { directory: sampleDirectory, options: sampleOptions };
      assert.ok(
        isSafeHtml(new Renderer(sampleOptions, sampleDirectory).renderBlocks(parseBlocks(pieces.join(''), state))),
      );
    }),
    { numRuns: 1500 },
  );
});

test('the final check accepts only what an HTML parser finds safe', () => {
  const tags = fc.constantFrom(
    ...'<p>|</p>|<b>|<a href="javascript:a">|<a href="https://a">|</a>|<br>|<hr/>|<P>|<p >|<p class="a">|<a href=x>|<!-- -->|<?a?>|<span class="k">|</span>|<|>|a|<div onclick="x">|</div>|<img src="data:x">|<a href="x" href="y">'.split(
      '|',
    ),
  );
  fc.assert(
    fc.property(fc.array(tags, { maxLength: 12 }), (parts) => {
      const html = parts.join('');
      if (isSafeHtml(html)) assert.deepEqual(faultsOf(html), [], html);
    }),
    { numRuns: 1500 },
  );
});

for (const html of [
  '',
  'text',
  '<p>a &lt; b<br>\n</p>',
  '<a href="/#narrow/dm/5" title="a&quot;b">x</a>',
  '<a class="stream" data-stream-id="3" href="/#narrow/channel/3-a">#a</a>',
  '<ol start="3">\n<li>a</li>\n</ol>',
  '<span class="katex"><svg><path d="M0 1"/><line x1="0"/></svg><math><mspace width="1em"/></math></span>',
]) {
  test(`allowed: ${html}`, () => {
    assert.equal(isSafeHtml(html), true);
  });
}

for (const html of [
  '<script>x</script>',
  '<p>',
  '</p>',
  '<p></em>',
  '<em><p></em></p>',
  '<p onclick="x">a</p>',
  '<P>a</P>',
  '<br/>',
  'a > b',
  'a < b',
  '<a href="javascript:x">a</a>',
  '<a href="&#106;avascript:x">a</a>',
  '<a href="data:text/html,x">a</a>',
  '<a href="//evil.example">a</a>',
  '<a href="relative">a</a>',
  "<a href='https://a.com'>a</a>",
  '<a href=https://a.com>a</a>',
  '<a href="https://a.com" href="https://b.com">a</a>',
  '<a href="https://a.com"title="b">a</a>',
  '<span style="color:red">a</span>',
  '<span class="k anything-else">a</span>',
  '<img class="emoji" src="//evil.example/a.png">',
  '<td style="position: fixed;">a</td>',
  '<ol start="-1"></ol>',
  '<p constructor="a">a</p>',
  '<!-- a -->',
  '<span class="katex"><span/></span>',
  '<span class="katex"><svg/></span>',
  '<span class="katex"><mi/></span>',
  '<span class="katex"><svg><path d="M0 1"></svg></span>',
  '<span class="katex"></span><path d="M0 1"/>',
]) {
  test(`refused: ${html}`, () => {
    assert.equal(isSafeHtml(html), false);
  });
}

test('a refused message is rendered as plain text', () => {
  const directory = { ...sampleDirectory, customEmoji: () => ({ id: 1, name: 'a', sourceUrl: 'javascript:x' }) };
  assert.equal(renderMessage('<b> **:a:**\nb', directory, sampleOptions).html, '<p>&lt;b&gt; **:a:**<br>\nb</p>');
});
