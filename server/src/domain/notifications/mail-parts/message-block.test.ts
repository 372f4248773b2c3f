import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageBlock } from './message-block.ts';

const base = 'https://chat.example.com';
const block = (rendered: string) => {
  const { text, html } = messageBlock(rendered, base);
  return { text, html: html.toString() };
};

// rules: mail-4
test('relative links become absolute, and links to other places than pages and addresses become text', () => {
  const { text, html } = block(
    '<p><a href="/user_uploads/1/x.png">x.png</a> <a href="mailto:a@b.org">a@b.org</a> <a href="javascript:alert(1)">no</a></p>',
  );
  assert.equal(text, 'x.png (https://chat.example.com/user_uploads/1/x.png) mailto:a@b.org no');
  assert(html.includes('<a href="https://chat.example.com/user_uploads/1/x.png">x.png</a>'));
  assert(!html.includes('javascript'));
});

// rules: mail-4
test('a spoiler shows its header only', () => {
  const { text, html } = block(
    '<div class="spoiler-block"><div class="spoiler-header"><p>Ending</p></div><div class="spoiler-content" aria-hidden="true"><p>they win</p></div></div>',
  );
  assert.equal(text, 'Ending (hidden; open the message to see it)');
  assert(!html.includes('they win'));
});

// rules: mail-4
test('emoji, formulas, code, lists, quotes and tables are readable as text', () => {
  const { text } = block(
    [
      '<p><span class="emoji emoji-1f642" title="smile">:smile:</span> <img class="emoji" alt=":own:" src="/x"> ',
      '<span class="katex"><span><math><annotation encoding="application/x-tex">a^2</annotation></math></span><span>a2</span></span></p>',
      '<div class="codehilite"><pre><span></span><code>let a;\n</code></pre></div>',
      '<ol start="3"><li>three</li><li>four</li></ol><blockquote><p>said</p></blockquote>',
      '<table><tr><th>A</th><td>B</td></tr></table>',
    ].join(''),
  );
  assert.equal(text, '🙂 :own: a^2\n\nlet a;\n\n3. three\n4. four\n\n> said\n\nA\tB');
});

// rules: mail-4
test('HTML of a mail has no pictures, scripts, classes or handlers, whatever the message contains', () => {
  const { html } = block(
    '<p class="x" onclick="y()">a<script>alert(1)</script><img src="https://t.example/pixel" alt="cat"><div class="message_inline_image"><img src="/z"></div><iframe src="/"></iframe>&lt;b&gt;</p>',
  );
  assert(!/<(script|img|iframe)|class=|onclick/.test(html), html);
  assert(html.includes('<a href="https://t.example/pixel">cat</a>') && html.includes('&lt;b&gt;'));
});

test('an element with the name of a field that every object has is its contents', () => {
  assert.equal(messageBlock('<constructor>hello</constructor>', 'https://example.com').text, 'hello');
});
