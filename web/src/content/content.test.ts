import assert from 'node:assert/strict';
import { test } from 'node:test';
import { highlightedText } from '../shown/highlighted-text.ts';
import { emojiOfClass } from './decorate-emoji.ts';
import { nameOf } from './media.ts';
import { playgroundUrl } from './playground-url.ts';
import { NO_REFERENCES, referencesOf } from './references.ts';

test('the class of an emoji gives its characters', () => {
  assert.equal(emojiOfClass('emoji emoji-1f642'), '🙂');
  assert.equal(emojiOfClass('emoji emoji-1f44d-1f3fd'), '👍🏽');
  assert.equal(emojiOfClass('emoji emoji-2764'), '❤️');
  assert.equal(emojiOfClass('emoji emoji-ffffff'), undefined);
  assert.equal(emojiOfClass('emoji'), undefined);
});

test('a playground gets the code in its address, and addresses that are not of the web are left out', () => {
  const code = 'a = "x y" + \'z\'';
  const encoded = 'a%20%3D%20%22x%20y%22%20%2B%20%27z%27';
  assert.equal(playgroundUrl('https://play.example/?code={code}', code), `https://play.example/?code=${encoded}`);
  assert.equal(playgroundUrl('https://play.example/{?code}', code), `https://play.example/?code=${encoded}`);
  assert.equal(
    playgroundUrl('https://play.example/?v=1{&code,other}', code),
    `https://play.example/?v=1&code=${encoded}`,
  );
  assert.equal(playgroundUrl('https://play.example/{#code}', 'a b'), 'https://play.example/#a%20b');
  assert.equal(playgroundUrl('https://play.example/{code:2}/{other}', 'abc'), 'https://play.example/ab/');
  assert.equal(playgroundUrl('javascript:{+code}', code), undefined);
  assert.equal(playgroundUrl('{+code}', 'javascript:alert(1)'), undefined);
});

test('a topic with matches of a search becomes text, never elements', () => {
  const parts = highlightedText('✔ new <span class="highlight">logo</span> &lt;b&gt; <img src=x onerror=alert(1)>');
  assert.deepEqual(
    parts.map(({ text, isMatch }) => [text, isMatch]),
    [
      ['new ', false],
      ['logo', true],
      [' <b> <img src=x onerror=alert(1)>', false],
    ],
  );
});

test('a file has the name of its link, else that of its address', () => {
  assert.equal(nameOf('/user_uploads/2/ab/a%20plan.pdf', undefined), 'a plan.pdf');
  assert.equal(nameOf('/user_uploads/2/ab/a%20plan.pdf', 'The plan'), 'The plan');
  assert.equal(nameOf('https://example.com/%zz.png?x#y', ''), '%zz.png');
});

test('a message subscribes only to what it names', () => {
  assert.equal(referencesOf('<p>nobody</p>'), NO_REFERENCES);
  const html =
    '<span class="user-mention" data-user-id="3">@A</span><span class="user-mention" data-user-id="*">@all</span>' +
    '<span class="user-group-mention" data-user-group-id="5">@g</span>' +
    '<a class="stream" data-stream-id="7" href="/#narrow/channel/7-x">#x</a>' +
    '<a class="message-link" href="/#narrow/channel/9-y/topic/z/near/1">#y</a>';
  assert.deepEqual(referencesOf(html), { userIds: [3], groupIds: [5], channelIds: [7, 9] });
});
