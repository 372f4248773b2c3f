import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainText } from './plain-text.ts';

// rules: mobile-push-13
test('a notification contains the message as plain text', () => {
  const cases: Record<string, string> = {
    '<p>Hello, <strong>world</strong> &amp; all</p>': 'Hello, world & all',
    '<p>one<br>\ntwo</p>\n<p>three</p>': 'one\ntwo\nthree',
    '<p><span aria-label="smile" class="emoji emoji-1f642" role="img" title="smile">:smile:</span></p>': '🙂',
    '<p><span aria-label="flag" class="emoji emoji-1f1ee-1f1f8" role="img" title="flag">:flag:</span></p>': '🇮🇸',
    '<p><img alt=":weave:" class="emoji" src="/x.png" title="weave"></p>': ':weave:',
    '<p><audio controls="" preload="metadata" src="/user_uploads/1/x.mp3" title="a song"></audio></p>': 'a song',
    '<ol start="3">\n<li>three</li>\n<li>four</li>\n</ol>': '3. three\n4. four',
    '<ul>\n<li>one</li>\n</ul>': 'one',
    '<blockquote>\n<p>one</p>\n<p>two</p>\n</blockquote>': '> one\n> two',
    '<p>see <a href="https://example.com/">there</a> <code>a &lt; b</code></p>': 'see there a < b',
    '<p><span class="user-mention" data-user-id="5">@Ada</span> hi</p>': '@Ada hi',
  };
  for (const [html, text] of Object.entries(cases)) assert.equal(plainText(html), text, html);
});

// rules: mobile-push-13
test('quotes are omitted from a message with other text, and spoiler content always', () => {
  const quote = '<blockquote>\n<p>theirs</p>\n</blockquote>\n';
  assert.equal(plainText(`${quote}${quote}<p>mine</p>`).replaceAll('\n', ' ').replaceAll('  ', ' '), '[…] mine');
  const spoiler = (header: string) =>
    `<div class="spoiler-block"><div class="spoiler-header">\n${header}</div><div class="spoiler-content" aria-hidden="true">\n<p>hidden</p>\n</div></div>`;
  assert.equal(plainText(spoiler('<p>The end</p>\n')), 'The end (…)');
  assert.equal(plainText(spoiler('')), '(…)');
});

// rules: mobile-push-13
test('a long text is cut after 200 characters, and deep nesting does not fail', () => {
  assert.equal(plainText(`<p>${'🧵'.repeat(200)}</p>`), '🧵'.repeat(200));
  assert.equal(plainText(`<p>${'🧵'.repeat(201)}</p>`), `${'🧵'.repeat(200)}…`);
  assert.equal(plainText(`${'<blockquote>'.repeat(1000)}deep${'</blockquote>'.repeat(1000)}`).length, 201);
});
