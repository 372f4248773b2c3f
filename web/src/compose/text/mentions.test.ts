import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mentionsIn } from './mentions.ts';

test('mentions of people, groups and everyone are found, silent ones and code are not', () => {
  const text =
    'Hi @**Ada**, @**Bo|12** and @*weavers*: @**all** @**topic** @_**Cy** @_*dyers* `@**Di**`\n```\n@**Eve**\n```\n';
  assert.deepEqual(mentionsIn(text), {
    people: ['Ada', 'Bo|12'],
    groups: ['weavers'],
    mentionsChannel: true,
    mentionsTopic: true,
  });
});

test('mentions in spoilers count, those in quotes do not', () => {
  assert.deepEqual(mentionsIn('```spoiler end\n@**Ada**\n```\n```quote\n@**Bo**\n```').people, ['Ada']);
});

test('a text without mentions has none', () => {
  assert.deepEqual(mentionsIn('mail@example.com **bold** *x*').people, []);
});
