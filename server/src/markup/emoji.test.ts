import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleDirectory, sampleOptions } from '../testing/model/sample-directory.ts';
import { emojiByCode, emojiByName, emojiCodeOf, emojiData, renderMessage } from './index.ts';

const html = (source: string) => renderMessage(source, sampleDirectory, sampleOptions).html;
const span = (code: string, name: string) =>
  `<span aria-label="${name.replaceAll('_', ' ')}" class="emoji emoji-${code}" role="img" title="${name.replaceAll('_', ' ')}">:${name}:</span>`;

test('a name between colons is an emoji', () => {
  assert.equal(
    html(':smile: a:tada::+1:'),
    `<p>${span('1f642', 'smile')} a${span('1f389', 'tada')}${span('1f44d', '+1')}</p>`,
  );
});

test('a name keeps the alias that was written', () => {
  assert.equal(html(':thumbs_up:'), `<p>${span('1f44d', 'thumbs_up')}</p>`);
});

test('an unknown name stays text', () => {
  assert.equal(html(':no_such_emoji: a::b ::'), '<p>:no_such_emoji: a::b ::</p>');
  assert.equal(html('`:smile:` :):'), '<p><code>:smile:</code> :):</p>');
});

test('a literal emoji gets its canonical name', () => {
  assert.equal(html('a🎉b'), `<p>a${span('1f389', 'tada')}b</p>`);
  assert.equal(
    html('❤️ #️⃣ 🤷‍♀️'),
    `<p>${span('2764', 'heart')} ${span('0023-20e3', 'hash')} ${span('1f937-200d-2640', 'woman_shrugging')}</p>`,
  );
});

test('a character that is text by default is an emoji only with U+FE0F', () => {
  for (const character of ['©', '®', '™', '✔', '☎', '❤', '↔', '1\u20e3']) {
    assert.equal(html(`a${character}b`), `<p>a${character}b</p>`);
    assert.equal(html(`${character} ${character}`), `<p>${character} ${character}</p>`);
  }
  assert.equal(html('™\ufe0f'), `<p>${span('2122', 'tm')}</p>`);
  assert.equal(html('☎\ufe0f☎'), `<p>${span('260e', 'phone')}☎</p>`);
  assert.equal(html('⚓➗'), `<p>${span('2693', 'anchor')}${span('2797', 'division')}</p>`);
  assert.equal(html(':tm:'), `<p>${span('2122', 'tm')}</p>`);
});

test('a sequence that has no name stays whole', () => {
  for (const sequence of ['👍🏽', '👨🏿‍🦽', '🍋‍🟪', '🧑🏽‍🛴‍↩️']) assert.equal(html(sequence), `<p>${sequence}</p>`);
});

test('digits, code and URLs are not emoji', () => {
  assert.equal(html('1 2 # *'), '<p>1 2 # *</p>');
  assert.equal(html('`🎉`'), '<p><code>🎉</code></p>');
  assert.equal(
    html('https://example.com/🎉'),
    '<p><a href="https://example.com/%F0%9F%8E%89">https://example.com/🎉</a></p>',
  );
});

test('a custom emoji is an image', () => {
  assert.equal(
    html(':green_tick:'),
    '<p><img alt=":green_tick:" class="emoji" src="/user_avatars/2/emoji/images/1.png" title="green tick"></p>',
  );
});

test('the extra emoji is an image at the path that clients know', () => {
  assert.equal(
    html(':zulip:'),
    '<p><img alt=":zulip:" class="emoji" src="/static/generated/emoji/images/emoji/unicode/zulip.png" title="zulip"></p>',
  );
});

test('every emoji of the table is found by each of its names, by its code and as a character', () => {
  const entries = Object.entries(emojiData.code_to_names);
  assert.ok(entries.length > 1800);
  for (const [code, names] of entries) {
    const canonical = names[0] ?? '';
    assert.equal(emojiByCode(code)?.name, canonical);
    for (const name of names) {
      assert.equal(emojiByName(name)?.code, code);
      assert.equal(html(`:${name}:`), `<p>${span(code, name)}</p>`);
    }
    const [first = 0, ...rest] = code.split('-').map((point) => Number.parseInt(point, 16));
    const isText = /^\P{Emoji_Presentation}$/u.test(String.fromCodePoint(first));
    const literal = String.fromCodePoint(first, ...(isText ? [0xfe0f] : []), ...rest);
    assert.equal(emojiCodeOf(literal), code);
    assert.equal(html(literal), `<p>${span(code, canonical)}</p>`);
  }
});

test('names and codes that do not exist are unknown', () => {
  assert.equal(emojiByName('constructor'), undefined);
  assert.equal(emojiByCode('1f44d-1f3fd'), undefined);
});

test('emoticons become emoji if the author enables it: as separate words, but not in words, code or link texts', () => {
  const translated = (source: string) =>
    renderMessage(source, sampleDirectory, { ...sampleOptions, translateEmoticons: true }).html;
  assert.equal(translated('hi :) (:!'), `<p>hi ${span('1f642', 'smile')} ${span('1f642', 'smile')}!</p>`);
  assert.equal(translated('<3'), `<p>${span('2764', 'heart')}</p>`);
  const names = ['frown', 'neutral', 'confused', 'wink', 'grinning', 'open_mouth', 'open_mouth', 'stuck_out_tongue'];
  for (const [index, emoticon] of [':(', ':|', ':/', ';)', ':D', ':o', ':O', ':p'].entries()) {
    assert.match(translated(`:P\n${emoticon}`), new RegExp(`>:stuck_out_tongue:<.+<br>\n<span.+>:${names[index]}:<`));
  }
  for (const text of ['a:)', 'http://x.example/:/y', '`:)`', '[:)](https://x.example)', '```\n:)\n```', ':)x']) {
    assert.equal(translated(text), html(text), text);
  }
  assert.equal(html(':)'), '<p>:)</p>');
});
