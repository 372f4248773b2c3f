import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quoteOf, silentMention } from './quote-text.ts';

test('a quote names its sender without notifying them, and links to the message', () => {
  const quote = quoteOf('hello', silentMention('Ada', 7), 'https://chat.example/#narrow/near/3', 'said');
  assert.equal(quote, '@_**Ada|7** [said](https://chat.example/#narrow/near/3):\n```quote\nhello\n```\n');
});

test('the fence of a quote is longer than every fence in the message', () => {
  const quote = quoteOf('```js\n1\n```\n> `````\n> 2\n> `````', 'Ada', 'link', 'said');
  assert.match(quote, /\n``````quote\n[\s\S]*\n``````\n$/);
});
