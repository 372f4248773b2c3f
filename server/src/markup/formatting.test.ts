import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleDirectory, sampleOptions } from '../testing/model/sample-directory.ts';
import { renderChannelDescription, renderMessage } from './index.ts';

const html = (source: string) => renderMessage(source, sampleDirectory, sampleOptions).html;

const RULES: readonly (readonly [rule: string, source: string, html: string])[] = [
  ['an empty message is empty', '', ''],
  ['text is a paragraph', 'hello', '<p>hello</p>'],
  ['a newline is a line break', 'one\ntwo', '<p>one<br>\ntwo</p>'],
  ['a blank line ends a paragraph', 'one\n\ntwo', '<p>one</p>\n<p>two</p>'],
  ['carriage returns are newlines', 'one\r\ntwo', '<p>one<br>\ntwo</p>'],
  ['quotation marks in text stay unchanged', `it's "so"`, `<p>it's "so"</p>`],
  ['HTML is text', '<h1 onclick="x()">no</h1>', '<p>&lt;h1 onclick="x()"&gt;no&lt;/h1&gt;</p>'],
  ['an entity becomes its character', '& &amp; &amp;amp;', '<p>&amp; &amp; &amp;amp;</p>'],
  ['a backslash is a backslash', '\\*c:\\_x*', '<p>\\<em>c:\\_x</em></p>'],

  ['one star is emphasis', '*foo*', '<p><em>foo</em></p>'],
  ['two stars are strong emphasis', '**foo**', '<p><strong>foo</strong></p>'],
  ['three stars are both', '***foo***', '<p><strong><em>foo</em></strong></p>'],
  ['underscores are text', '_foo_ __bar__', '<p>_foo_ __bar__</p>'],
  ['a star with a space inside is a star', 'const char *x = (char *)y', '<p>const char *x = (char *)y</p>'],
  ['strong text may touch letters', '汉字**汉字。**汉字', '<p>汉字<strong>汉字。</strong>汉字</p>'],
  ['strong text may contain emphasis', '**a *b* c**', '<p><strong>a <em>b</em> c</strong></p>'],
  ['emphasis may contain strong text', '*a **b** c*', '<p><em>a <strong>b</strong> c</em></p>'],
  ['emphasis contains no caret', '*2^8* ***a^b***', '<p>*2^8* <strong>*a^b</strong>*</p>'],
  [
    'strong text may contain one, also in emphasis',
    '**2^8** *a **b^c***',
    '<p><strong>2^8</strong> <em>a <strong>b^c</strong></em></p>',
  ],
  [
    'so may code and links in emphasis',
    '*a `b^c` [d^e](https://x.com)*',
    '<p><em>a <code>b^c</code> <a href="https://x.com">d^e</a></em></p>',
  ],
  ['strong text does not span lines', '**a\nb**', '<p>**a<br>\nb**</p>'],
  ['emphasis does not begin in a code span', '*a `b*` c', '<p>*a <code>b*</code> c</p>'],
  ['emphasis does not end in a link', '*a [b*](https://x.com)', '<p>*a <a href="https://x.com">b*</a></p>'],
  ['a link binds tighter than emphasis', '[a *b](https://x.com) c*', '<p><a href="https://x.com">a *b</a> c*</p>'],
  ['long runs of stars are text', '***** and ****', '<p>***** and ****</p>'],
  ['two tildes strike out', '~~ a b ~~', '<p><del> a b </del></p>'],
  ['three tildes are text', 'a ~~~b~~~', '<p>a ~~~b~~~</p>'],

  ['backticks create code', '`*a* @**Iago** <b>`', '<p><code>*a* @**Iago** &lt;b&gt;</code></p>'],
  ['code keeps its spaces', '` a ` ```  b  ```', '<p><code> a </code> <code>  b  </code></p>'],
  ['a lone backtick is text', 'a ` b', '<p>a ` b</p>'],

  ['a heading needs a space', '# One\n#two', '<h1>One</h1>\n<p>#two</p>'],
  ['there are six levels of headings', '###### six\n\n####### seven', '<h6>six</h6>\n<p>####### seven</p>'],
  ['an underlined line is not a heading', 'a\n---', '<p>a</p>\n<hr>'],
  ['equal signs are text', 'a\n===', '<p>a<br>\n===</p>'],

  ['a list may follow a line directly', 'a:\n* b\n* c', '<p>a:</p>\n<ul>\n<li>b</li>\n<li>c</li>\n</ul>'],
  ['so may a numbered list, with any digit', 'a:\n2. b', '<p>a:</p>\n<ol start="2">\n<li>b</li>\n</ol>'],
  ['a line that begins with a longer number does not', 'a in\n1998. b', '<p>a in<br>\n1998. b</p>'],
  ['a list may begin with a longer number', '10. a\n11. b', '<ol start="10">\n<li>a</li>\n<li>b</li>\n</ol>'],
  [
    'so may a nested list, directly below its item',
    '* a\n  10. b',
    '<ul>\n<li>a<ol start="10">\n<li>b</li>\n</ol>\n</li>\n</ul>',
  ],
  ['an item with a longer number follows its list', '9. a\n10. b', '<ol start="9">\n<li>a</li>\n<li>b</li>\n</ol>'],
  ['a list is numbered from its first number', '1. a\n1. b', '<ol>\n<li>a</li>\n<li>b</li>\n</ol>'],
  ['a number with a parenthesis is text', '1) a', '<p>1) a</p>'],
  [
    'a nested list follows its item directly',
    '* a\n  * b\n* c',
    '<ul>\n<li>a<ul>\n<li>b</li>\n</ul>\n</li>\n<li>c</li>\n</ul>',
  ],
  [
    'a bullet or a number without text does not start a list',
    '-\n\n*\n\n+\n\n1.\n\n> -\n\na\n-',
    '<p>-</p>\n<p>*</p>\n<p>+</p>\n<p>1.</p>\n<blockquote>\n<p>-</p>\n</blockquote>\n<p>a<br>\n-</p>',
  ],
  ['a list item may be empty', '- a\n-\n- b', '<ul>\n<li>a</li>\n<li></li>\n<li>b</li>\n</ul>'],
  ['items with different bullets form one list', '- a\n* b\n+ c', '<ul>\n<li>a</li>\n<li>b</li>\n<li>c</li>\n</ul>'],
  [
    'items with different bullets form one list when nested or quoted, and a blank line separates only its own items',
    '> - a\n>   * b\n>   - c\n> + d\n>\n> * e',
    '<blockquote>\n<ul>\n<li>a<ul>\n<li>b</li>\n<li>c</li>\n</ul>\n</li>\n<li>\n<p>d</p>\n</li>\n<li>\n<p>e</p>\n</li>\n</ul>\n</blockquote>',
  ],
  ['bullets and numbers form two lists', '- a\n1. b', '<ul>\n<li>a</li>\n</ul>\n<ol>\n<li>b</li>\n</ol>'],
  [
    'a paragraph between two lists separates them',
    '- a\n\nb\n\n* c',
    '<ul>\n<li>a</li>\n</ul>\n<p>b</p>\n<ul>\n<li>c</li>\n</ul>',
  ],
  [
    'an indentation of two spaces nests under a number',
    '1. a\n  2. b\n    - c\n      d\n  3. e\n2. f',
    '<ol>\n<li>a<ol start="2">\n<li>b<ul>\n<li>c<br>\nd</li>\n</ul>\n</li>\n<li>e</li>\n</ol>\n</li>\n<li>f</li>\n</ol>',
  ],
  [
    'indentation in a fence stays unchanged',
    '1. a\n\n```\n1. b\n  2. c\n```',
    '<ol>\n<li>a</li>\n</ol>\n<div class="codehilite"><pre><span></span><code>1. b\n  2. c\n</code></pre></div>',
  ],
  [
    'fenced code in a numbered item keeps its indentation',
    '1. a\n  ```\n  b\n      1. c\n  ```\n  d\n\ne',
    '<ol>\n<li>a<div class="codehilite"><pre><span></span><code>b\n    1. c\n</code></pre></div>\nd</li>\n</ol>\n<p>e</p>',
  ],
  [
    'items separated by blank lines are paragraphs',
    '* a\n\n* b',
    '<ul>\n<li>\n<p>a</p>\n</li>\n<li>\n<p>b</p>\n</li>\n</ul>',
  ],

  [
    'in a list, only items next to a blank line are paragraphs',
    '* a\n* b\n\n* c\n* d',
    '<ul>\n<li>a</li>\n<li>\n<p>b</p>\n</li>\n<li>\n<p>c</p>\n</li>\n<li>d</li>\n</ul>',
  ],
  [
    'blank lines in a nested numbered list make its outer item a paragraph',
    '1. a\n  1. b\n\n  2. c',
    '<ol>\n<li>\n<p>a</p>\n<ol>\n<li>\n<p>b</p>\n</li>\n<li>\n<p>c</p>\n</li>\n</ol>\n</li>\n</ol>',
  ],
  [
    'a nested numbered list may be separated from its item, and compact itself',
    '1. a\n\n  1. b\n  2. c\n\n2. d',
    '<ol>\n<li>\n<p>a</p>\n<ol>\n<li>b</li>\n<li>c</li>\n</ol>\n</li>\n<li>\n<p>d</p>\n</li>\n</ol>',
  ],
  [
    'indented text after a blank line belongs to the numbered item above',
    '1. a\n\n  b\n\n2. c',
    '<ol>\n<li>\n<p>a</p>\n<p>b</p>\n</li>\n<li>\n<p>c</p>\n</li>\n</ol>',
  ],
  [
    'the same holds in a numbered list within a bulleted one',
    '* a\n\n  1. b\n\n    c',
    '<ul>\n<li>\n<p>a</p>\n<ol>\n<li>\n<p>b</p>\n<p>c</p>\n</li>\n</ol>\n</li>\n</ul>',
  ],
  [
    'an unindented line continues its numbered item, which may have a nested list',
    '1. a\nb\n  1. c',
    '<ol>\n<li>a<br>\nb<ol>\n<li>c</li>\n</ol>\n</li>\n</ol>',
  ],

  ['an angle bracket quotes', '> a\nb\n\nc', '<blockquote>\n<p>a<br>\nb</p>\n</blockquote>\n<p>c</p>'],
  ['text below an empty line of a quote is quoted', '>\n>\ntext', '<blockquote>\n<p>text</p>\n</blockquote>'],
  [
    'such a quote goes on to the end of its block',
    '> a\n>\nb\nc\n> d\n\ne',
    '<blockquote>\n<p>a</p>\n<p>b<br>\nc</p>\n<p>d</p>\n</blockquote>\n<p>e</p>',
  ],
  [
    'the same in a list, and a list ends the quote',
    '- >\n  b\n- c\n\nd\n\n> e\n>\n* f',
    '<ul>\n<li>\n<blockquote>\n<p>b</p>\n</blockquote>\n</li>\n<li>c</li>\n</ul>\n<p>d</p>\n<blockquote>\n<p>e</p>\n</blockquote>\n<ul>\n<li>f</li>\n</ul>',
  ],
  ['quotes nest', '> > a', '<blockquote>\n<blockquote>\n<p>a</p>\n</blockquote>\n</blockquote>'],
  ['a lone angle bracket is text', '>', '<p>&gt;</p>'],
  [
    'a quote fence creates a quote',
    '~~~ quote\na\n\n* b\n~~~\nc',
    '<blockquote>\n<p>a</p>\n<ul>\n<li>b</li>\n</ul>\n</blockquote>\n<p>c</p>',
  ],
  ['a longer fence closes it, too', '```quote\na\n`````\nb', '<blockquote>\n<p>a</p>\n</blockquote>\n<p>b</p>'],
  ['a bare fence closes a quote fence of its kind', '```quote\n```\na\n', '<blockquote>\n</blockquote>\n<p>a</p>'],
  [
    'a fence with a language nests in a quote fence of the same kind',
    '```quote\na\n```text\nb\n```\nc\n```\nd',
    '<blockquote>\n<p>a</p>\n<div class="codehilite" data-code-language="Text only"><pre><span></span><code>b\n</code></pre></div>\n<p>c</p>\n</blockquote>\n<p>d</p>',
  ],
  [
    'quote fences nest',
    '````quote\na\n```quote\nb\n```\n````\nc',
    '<blockquote>\n<p>a</p>\n<blockquote>\n<p>b</p>\n</blockquote>\n</blockquote>\n<p>c</p>',
  ],
  ['an unclosed quote fence extends to the end', '```quote\na', '<blockquote>\n<p>a</p>\n</blockquote>'],
  [
    'a quote fence ends with its list item',
    '* a\n  ```quote\n  b\n\nc',
    '<ul>\n<li>a<blockquote>\n<p>b</p>\n</blockquote>\n</li>\n</ul>\n<p>c</p>',
  ],
  [
    'a spoiler has a header',
    '```spoiler *a* b\nc\n```\nd',
    '<div class="spoiler-block"><div class="spoiler-header">\n<p><em>a</em> b</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>c</p>\n</div></div>\n<p>d</p>',
  ],
  [
    'spoiler, quote and math fences ignore case',
    '```SPOILER A\nb\n```\n```Quote\nc\n```\n```Spoiler\n```Quoted\nd\n```\n```',
    '<div class="spoiler-block"><div class="spoiler-header">\n<p>A</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>b</p>\n</div></div>\n<blockquote>\n<p>c</p>\n</blockquote>\n<div class="spoiler-block"><div class="spoiler-header">\n</div><div class="spoiler-content" aria-hidden="true">\n<blockquote>\n<p>d</p>\n</blockquote>\n</div></div>',
  ],
  [
    'a spoiler may have no header',
    '```spoiler\nc\n```',
    '<div class="spoiler-block"><div class="spoiler-header">\n</div><div class="spoiler-content" aria-hidden="true">\n<p>c</p>\n</div></div>',
  ],

  [
    'a table has a head, a body and aligned columns',
    'a | b | c\n:-- | :-: | --:\n1 | 2 |',
    '<table>\n<thead>\n<tr>\n<th style="text-align: left;">a</th>\n<th style="text-align: center;">b</th>\n<th style="text-align: right;">c</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td style="text-align: left;">1</td>\n<td style="text-align: center;">2</td>\n<td style="text-align: right;"></td>\n</tr>\n</tbody>\n</table>',
  ],
  [
    'a table without rows has one empty row',
    'a | b\n-- | --',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td></td>\n<td></td>\n</tr>\n</tbody>\n</table>',
  ],

  [
    'cells beyond the columns of the table become text of its last column',
    'a | b\n-- | --\n1 | 2 | 3 | *4*\n| 5 | 6 | 7 |\n8 | 9 | |\n`x|y` | \\| | z',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td>2 | 3 | <em>4</em></td>\n</tr>\n<tr>\n<td>5</td>\n<td>6 | 7</td>\n</tr>\n<tr>\n<td>8</td>\n<td>9</td>\n</tr>\n<tr>\n<td><code>x|y</code></td>\n<td>| | z</td>\n</tr>\n</tbody>\n</table>',
  ],
  [
    'surplus cells keep their text in a quote and in a list item',
    '> |a|b|\n> |-|-|\n> |1|2|3|\n\n- |a|\n  |-|\n  |1|2|',
    '<blockquote>\n<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td>2|3</td>\n</tr>\n</tbody>\n</table>\n</blockquote>\n<ul>\n<li>\n<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1|2</td>\n</tr>\n</tbody>\n</table>\n</li>\n</ul>',
  ],
  [
    'a table directly after a line of text is text',
    'text\na | b\n-- | --\n1 | 2\nafter',
    '<p>text<br>\na | b<br>\n-- | --<br>\n1 | 2<br>\nafter</p>',
  ],
  [
    'a pipe in code is part of its cell',
    '|`a|b`|c|\n|-|-|\n|``d|`e``|f`|\n`| g | `',
    '<table>\n<thead>\n<tr>\n<th><code>a|b</code></th>\n<th>c</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td><code>d|`e</code></td>\n<td>f`</td>\n</tr>\n<tr>\n<td><code>| g | </code></td>\n<td></td>\n</tr>\n</tbody>\n</table>',
  ],
  [
    'the same holds for a table in a quote',
    '> a | b\n> -- | --\n> `c|d` | e',
    '<blockquote>\n<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td><code>c|d</code></td>\n<td>e</td>\n</tr>\n</tbody>\n</table>\n</blockquote>',
  ],

  [
    'a time is rendered in UTC',
    '<time:2026-11-21T09:00:00+01:00>',
    '<p><time datetime="2026-11-21T08:00:00Z">2026-11-21T09:00:00+01:00</time></p>',
  ],
  ['a time may be seconds', '<time:1496701800>', '<p><time datetime="2017-06-05T22:30:00Z">1496701800</time></p>'],
  [
    'a time without a zone is UTC',
    '<time:Jun 5th 2017, 10:30PM> <time:2017-06-05 22:30> <time:31 Dec 2017>',
    '<p><time datetime="2017-06-05T22:30:00Z">Jun 5th 2017, 10:30PM</time> <time datetime="2017-06-05T22:30:00Z">2017-06-05 22:30</time> <time datetime="2017-12-31T00:00:00Z">31 Dec 2017</time></p>',
  ],
  [
    'an invalid time is rendered as an error',
    '<time:**soon**>',
    '<p><span class="timestamp-error">Invalid time format: **soon**</span></p>',
  ],
];

for (const [rule, source, expected] of RULES) {
  test(rule, () => {
    assert.equal(html(source), expected);
  });
}

test('a message that starts with /me is a /me message, whatever follows', () => {
  const isMe = (source: string) => renderMessage(source, sampleDirectory, sampleOptions).isMeMessage;
  assert.equal(isMe('/me waves\nand smiles'), true);
  assert.equal(html('/me waves'), '<p>/me waves</p>');
  assert.equal(isMe('/me waves\n\nand leaves'), true);
  assert.equal(isMe('/me has:\n* a list'), true);
  assert.equal(isMe('/mewaves'), false);
  assert.equal(isMe(' /me waves'), false);
});

test('a channel description is inline markup in one paragraph', () => {
  const describe = (source: string) => renderChannelDescription(source, sampleDirectory, sampleOptions.organizationUrl);
  assert.equal(describe(''), '');
  assert.equal(describe('For **all** of # us'), '<p>For <strong>all</strong> of # us</p>');
  assert.equal(describe('# no heading @**all**'), '<p># no heading @<strong>all</strong></p>');
  assert.equal(describe('see https://x.com'), '<p>see <a href="https://x.com">https://x.com</a></p>');
});
