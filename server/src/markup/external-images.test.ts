import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleDirectory, sampleOptions } from '../testing/model/sample-directory.ts';
import { renderMessage } from './index.ts';

const imageProxy = (url: string) => `/external_content/${url.length}`;
const options = { ...sampleOptions, showsUploads: true, imageProxy };
const html = (source: string, more = {}) => renderMessage(source, sampleDirectory, { ...options, ...more }).html;
const URL = 'https://example.com/a.png';
const link = (href: string, text = href) => `<a href="${href}">${text}</a>`;
const shown = (href: string, title?: string) =>
  `<div class="message_inline_image"><a href="${href}"${title === undefined ? '' : ` title="${title}"`}>` +
  `<img src="/external_content/${href.replaceAll('&amp;', '&').length}"></a></div>`;

const RULES: readonly (readonly [rule: string, source: string, html: string])[] = [
  ['the preview of a URL that is alone in its paragraph replaces it', URL, shown(URL)],
  ['a URL within text stays, and its preview follows', `see ${URL}`, `<p>see ${link(URL)}</p>\n${shown(URL)}`],
  [
    'the same holds for a link with a text, which becomes the title',
    `[a<](${URL})`,
    `<p>${link(URL, 'a&lt;')}</p>\n${shown(URL, 'a&lt;')}`,
  ],
  ['an image in Markdown syntax is treated as a link', `![a](${URL})`, `<p>${link(URL, 'a')}</p>\n${shown(URL, 'a')}`],
  [
    'the title of a link becomes the title of the preview',
    `[a](${URL} "b")`,
    `<p><a href="${URL}" title="b">a</a></p>\n${shown(URL, 'b')}`,
  ],
  [
    'paragraphs of URLs become consecutive previews',
    `${URL}\n\nhttps://example.com/b.GIF?c&d\n\nend`,
    `${shown(URL)}\n${shown('https://example.com/b.GIF?c&amp;d')}\n<p>end</p>`,
  ],
  [
    'URLs on lines of one paragraph stay',
    `${URL}\nhttps://example.com/b.webp`,
    `<p>${link(URL)}<br>\n${link('https://example.com/b.webp')}</p>\n${shown(URL)}\n${shown('https://example.com/b.webp')}`,
  ],
  [
    'a message has one preview per image',
    `[a](${URL}) ${URL}\n\n${URL}`,
    `<p>${link(URL, 'a')} ${link(URL)}</p>\n${shown(URL, 'a')}\n<p>${link(URL)}</p>`,
  ],
  [
    'a quote has no previews, and does not prevent one elsewhere in the message',
    `> ${URL}\n\n${URL}`,
    `<blockquote>\n<p>${link(URL)}</p>\n</blockquote>\n${shown(URL)}`,
  ],
  [
    'a list item has its preview below its text',
    `* a ${URL}\n* b`,
    `<ul>\n<li>a ${link(URL)}\n${shown(URL)}\n</li>\n<li>b</li>\n</ul>`,
  ],
  [
    'the preview of a URL that is alone in its list item replaces it',
    `* ${URL}\n* b`,
    `<ul>\n<li>${shown(URL)}\n</li>\n<li>b</li>\n</ul>`,
  ],
  [
    'headings and tables have no previews',
    `# ${URL}\n\n|a|\n|-|\n|${URL}|\n\nb`,
    `<h1>${link(URL)}</h1>\n<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>${link(URL)}</td>\n</tr>\n</tbody>\n</table>\n<p>b</p>`,
  ],
  ['code has no previews', `\`${URL}\``, `<p><code>${URL}</code></p>`],
];

for (const [rule, source, expected] of RULES) test(rule, () => assert.equal(html(source), expected));

test('only URLs of raster images on other servers have previews', () => {
  for (const url of ['https://e.com/a.svg', 'https://e.com/a.html?b.png', 'https://e.com/#a.png', 'https://a.png/']) {
    assert.equal(html(`[a](${url})`), `<p>${link(url, 'a')}</p>`);
  }
  const own = 'https://chat.example.org/avatars/a.png';
  assert.equal(html(own), `<p>${link(own)}</p>`);
  assert.equal(html('[a](ftp://e.com/a.png)'), `<p>${link('ftp://e.com/a.png', 'a')}</p>`);
  for (const ending of ['png', 'PNG', 'jpg', 'jpeg', 'jpe', 'gif', 'webp', 'avif', 'png?a=b', 'png#a']) {
    assert.match(html(`https://e.com/x.${ending}`), /^<div class="message_inline_image">/, ending);
  }
});

test('without an image proxy, or if it refuses a URL, the message keeps its links', () => {
  assert.equal(html(URL, { imageProxy: undefined }), `<p>${link(URL)}</p>`);
  assert.equal(html(URL, { imageProxy: () => undefined }), `<p>${link(URL)}</p>`);
});

// rules: files-10
test('a message with more than 24 images has no previews', () => {
  const urls = (count: number) =>
    Array.from({ length: count }, (_, index) => `https://e.com/${index}.png`).join('\n\n');
  assert.equal(html(urls(24)).match(/message_inline_image/g)?.length, 24);
  assert.doesNotMatch(html(urls(25)), /message_inline_image/);
  assert.match(html(urls(25)), /^<p><a href="https:\/\/e.com\/0.png">/);
});

test('the size of a preview is proportional to its message', () => {
  const long = `https://e.com/${'a'.repeat(9_000)}.png`;
  const hex = (url: string) => `/external_content/${'0'.repeat(64)}/${Buffer.from(url).toString('hex')}`;
  assert.ok(html(long, { imageProxy: hex }).length < 5 * long.length);
});
