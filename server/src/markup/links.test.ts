import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleDirectory, sampleOptions } from '../testing/model/sample-directory.ts';
import { renderMessage } from './index.ts';
import { encodeHashComponent } from './narrow-url.ts';

const render = (source: string) => renderMessage(source, sampleDirectory, sampleOptions);
const html = (source: string) => render(source).html;
const link = (href: string, text = href) => `<a href="${href}">${text}</a>`;

test('channel links', () => {
  assert.equal(
    html('#**Denmark**'),
    '<p><a class="stream" data-stream-id="3" href="/#narrow/channel/3-Denmark">#Denmark</a></p>',
  );
  assert.equal(
    html('#**a & b. (c)**'),
    '<p><a class="stream" data-stream-id="4" href="/#narrow/channel/4-a-.26-b.2E-.28c.29">#a &amp; b. (c)</a></p>',
  );
});

test('a server on localhost is recognized by every loopback name, and another port is another server', () => {
  const options = { ...sampleOptions, organizationUrl: 'http://localhost:9991' };
  for (const [written, shown] of [
    ['http://localhost:9991/user_uploads/2/x.txt', 'user_uploads/2/x.txt'],
    ['http://127.0.0.1:9991/user_uploads/2/x.txt', 'user_uploads/2/x.txt'],
    ['http://[::1]:9991/#narrow/dm/5', '#narrow/dm/5'],
    ['http://127.0.0.1:80/user_uploads/2/x.txt', 'http://127.0.0.1:80/user_uploads/2/x.txt'],
  ] as const) {
    assert.equal(renderMessage(`[a](${written})`, sampleDirectory, options).html, `<p>${link(shown, 'a')}</p>`);
  }
});

test('topic links', () => {
  assert.equal(
    html('#**Denmark>some <topic>.**'),
    '<p><a class="stream-topic" data-stream-id="3" href="/#narrow/channel/3-Denmark/topic/some.20.3Ctopic.3E.2E">' +
      '#Denmark &gt; some &lt;topic&gt;.</a></p>',
  );
  assert.equal(
    html('#**Denmark>**'),
    '<p><a class="stream-topic" data-stream-id="3" href="/#narrow/channel/3-Denmark/topic/">' +
      '#Denmark &gt; <em>general chat</em></a></p>',
  );
});

test('a channel link must match the case of the channel name', () => {
  assert.equal(
    html('#**denmark** #**DENMARK>castle** #**denmark>castle@5**'),
    '<p>#<strong>denmark</strong> #<strong>DENMARK&gt;castle</strong> #<strong>denmark&gt;castle@5</strong></p>',
  );
});

test('spaces around the separator of channel and topic are ignored', () => {
  assert.equal(html('#**Denmark > some <topic>. **'), html('#**Denmark>some <topic>.**'));
  assert.equal(html('#** Denmark**'), html('#**Denmark**'));
  assert.equal(html('#**Denmark > castle**'), html('#**Denmark>castle**'));
  assert.equal(html('#**Denmark > castle @123**'), html('#**Denmark>castle@123**'));
  assert.equal(html('#**Denmark > **'), html('#**Denmark>**'));
});

test('a topic link contains the newest known message of the topic', () => {
  assert.equal(
    html('#**Denmark>castle**'),
    '<p><a class="stream-topic" data-stream-id="3" href="/#narrow/channel/3-Denmark/topic/castle/with/214">' +
      '#Denmark &gt; castle</a></p>',
  );
});

test('message links', () => {
  assert.equal(
    html('#**Denmark>castle@123**'),
    '<p><a class="message-link" href="/#narrow/channel/3-Denmark/topic/castle/near/123">' +
      '#Denmark &gt; castle @ 💬</a></p>',
  );
});

test('a channel without metadata access of the sender is strong text', () => {
  assert.equal(html('#**Secret** #**Secret>a**'), '<p>#<strong>Secret</strong> #<strong>Secret&gt;a</strong></p>');
  assert.equal(html('`#**Denmark**` x#**Denmark**'), '<p><code>#**Denmark**</code> x#<strong>Denmark</strong></p>');
});

test('names in links are encoded with dots', () => {
  assert.equal(encodeHashComponent("a.b %(c)*!'~_-é"), 'a.2Eb.20.25.28c.29.2A.21.27~_-.C3.A9');
  assert.equal(encodeHashComponent('\ud800'), '.EF.BF.BD');
});

for (const [source, expected] of [
  ['http://www.example.com', link('http://www.example.com')],
  ['(see https://example.com/a_(b)).', `(see ${link('https://example.com/a_(b)')}).`],
  ['https://example.com/x*y*z_q_', link('https://example.com/x*y*z_q_')],
  ['https://example.com/**a**', link('https://example.com/**a**')],
  ['**https://example.com/a**', `<strong>${link('https://example.com/a')}</strong>`],
  ['**https://example.com/**a****', `<strong>${link('https://example.com/**a**')}</strong>`],
  ['*see https://example.com/*a* now*', `<em>see ${link('https://example.com/*a*')} now</em>`],
  ['https://example.com/a***', `${link('https://example.com/a')}***`],
  [
    'from http://example.org/a.html: **https://b.com**',
    `from ${link('http://example.org/a.html')}: <strong>${link('https://b.com')}</strong>`,
  ],
  ['"https://example.com/?a=1&b"', `"${link('https://example.com/?a=1&amp;b')}"`],
  ['http://localhost:9991/?x=1', link('http://localhost:9991/?x=1')],
  [
    'example.com and www.example.org/a?',
    `${link('http://example.com', 'example.com')} and ${link('http://www.example.org/a', 'www.example.org/a')}?`,
  ],
  ['mail a@b.com', `mail ${link('mailto:a@b.com', 'a@b.com')}`],
  [
    'a@b.com, b@c.com? c@d.com: d',
    `${link('mailto:a@b.com', 'a@b.com')}, ${link('mailto:b@c.com', 'b@c.com')}? ${link('mailto:c@d.com', 'c@d.com')}: d`,
  ],
  ['a@b.com/foo a@b.com?x=1 a@b.com#x a@b.com:80', 'a@b.com/foo a@b.com?x=1 a@b.com#x a@b.com:80'],
  ['git@b.com:looms/heddle.git', 'git@b.com:looms/heddle.git'],
  ['a@b.com/c@d.com', `${link('mailto:a@b.com', 'a@b.com')}/c@d.com`],
  ['https://e.com/(a(b(c(d(e)d)c)b)a)x', link('https://e.com/(a(b(c(d(e)d)c)b)a)x')],
  [
    '(see e.com/[a[b[c[d[e[f]e]d]c]b]a]x)',
    `(see ${link('http://e.com/[a[b[c[d[e[f]e]d]c]b]a]x', 'e.com/[a[b[c[d[e[f]e]d]c]b]a]x')})`,
  ],
  ['<a@b.com>', `&lt;${link('mailto:a@b.com', 'a@b.com')}&gt;`],
  ['readme.md views.py love...it e.g. 1.2.3', 'readme.md views.py love...it e.g. 1.2.3'],
  ['`https://example.com`', '<code>https://example.com</code>'],
  ['javascript://example.com', 'javascript://example.com'],
  ['ftp://example.com/a (ftp://b.org)', 'ftp://example.com/a (ftp://b.org)'],
  ['[a](ftp://example.com/b)', link('ftp://example.com/b', 'a')],
  ['[hello](https://example.com)', link('https://example.com', 'hello')],
  ['[a](https://example.com "t\'<")', `<a href="https://example.com" title="t&#39;&lt;">a</a>`],
  ['[](https://example.com) [  ](https://b.com)', `${link('https://example.com')} ${link('https://b.com')}`],
  ['[https://a.com](https://b.com)', link('https://b.com', 'https://a.com')],
  ['[a](b.com/c) [d](localhost:80/e)', `${link('http://b.com/c', 'a')} ${link('http://localhost:80/e', 'd')}`],
  [
    '[a](b@c.com) [t](tel:+1415) [s](sms:+1)',
    `${link('mailto:b@c.com', 'a')} ${link('tel:+1415', 't')} ${link('sms:+1', 's')}`,
  ],
  [
    '[a](/user_uploads/2/x.txt) [b](#narrow/is/dm)',
    `${link('/user_uploads/2/x.txt', 'a')} ${link('#narrow/is/dm', 'b')}`,
  ],
  ['https://chat.example.org/#narrow/dm/5', link('#narrow/dm/5', 'https://chat.example.org/#narrow/dm/5')],
  ['[a](https://chat.example.org/user_uploads/2/x.txt)', link('user_uploads/2/x.txt', 'a')],
  ['https://chat.example.org/help', link('https://chat.example.org/help')],
  ['[**bold** text](https://example.com)', link('https://example.com', '**bold** text')],
  ['[*a* ~~b~~ :smile: 🎉](https://c.com)', link('https://c.com', '*a* ~~b~~ :smile: 🎉')],
  ['[`a*` ***b***](https://c.com)', link('https://c.com', '<code>a*</code> <strong><em>b</em></strong>')],
  ['**[a](https://b.com)**', `<strong>${link('https://b.com', 'a')}</strong>`],
  ['[*a*](javascript:b)', '[<em>a</em>](javascript:b)'],
  ['[a]() [b]', '[a]() [b]'],
  ['![a](https://example.com/a.png)', link('https://example.com/a.png', 'a')],
  ['a![](https://example.com/a.png)!', `a${link('https://example.com/a.png')}!`],
  ['*![a*](https://b.com)*', `<em>${link('https://b.com', 'a*')}</em>`],
  ['![a] ![a]() ![*a*](javascript:b) !a', '![a] ![a]() ![<em>a</em>](javascript:b) !a'],
  ['`![a](https://b.com)`', '<code>![a](https://b.com)</code>'],
  ['[![a](https://b.com)](https://c.com)', `[${link('https://b.com', 'a')}](${link('https://c.com')})`],
  ['[a]: https://example.com', `[a]: ${link('https://example.com')}`],
  ['[a](https://example.com/é)', link('https://example.com/%C3%A9', 'a')],
] as const) {
  test(`links: ${source}`, () => {
    assert.equal(html(source), `<p>${expected}</p>`);
  });
}

for (const url of [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'javascript&colon;alert(1)',
  'java&#10;script:alert(1)',
  '&#x6A;avascript:alert(1)',
  'vbscript:x',
  'data:text/html,x',
  'file:///etc/passwd',
  'blob:https://a.com/b',
  'itms://example.com',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
]) {
  test(`no link has the target ${url}`, () => {
    for (const source of [`[a](${url})`, `[a](<${url}>)`, url]) {
      const hrefs = [...html(source).matchAll(/href="([^"]*)"/g)].map((match) => match[1] ?? '');
      for (const href of hrefs) assert.match(href, /^(?:https?|mailto):/, `${source} → ${href}`);
    }
  });
}

test('the message has the flags of its content', () => {
  const holds = (source: string) => {
    const { hasLink, hasImage, hasAttachment } = render(source);
    return { hasLink, hasImage, hasAttachment };
  };
  const nothing = { hasLink: false, hasImage: false, hasAttachment: false };
  assert.deepEqual(holds('`https://a.com/b.png` [a](javascript:b.png)'), nothing);
  assert.deepEqual(holds('#**Denmark**'), { ...nothing, hasLink: true });
  assert.deepEqual(holds('https://a.com'), { ...nothing, hasLink: true });
  assert.deepEqual(holds('https://a.com/b.PNG?c'), { ...nothing, hasLink: true, hasImage: true });
  assert.deepEqual(holds('[x](/user_uploads/2/a.txt)'), { ...nothing, hasLink: true, hasAttachment: true });
  assert.deepEqual(holds('[x](https://chat.example.org/user_uploads/2/a.jpg)'), {
    hasLink: true,
    hasImage: true,
    hasAttachment: true,
  });
});
