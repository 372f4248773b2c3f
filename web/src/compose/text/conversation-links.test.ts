import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channelMarkdown, topicMarkdown } from './conversation-links.ts';

test('names with characters of Markdown become links that lead to the same place', () => {
  const design = { id: 5, name: 'design' };
  assert.equal(channelMarkdown(design), '#**design**');
  assert.equal(topicMarkdown(design, 'new logo'), '#**design>new logo**');
  assert.equal(topicMarkdown(design, 'a > b'), '[#design &#62; a &#62; b](#narrow/channel/5-design/topic/a.20.3E.20b)');
  assert.equal(channelMarkdown({ id: 6, name: 'c*' }), '[#c&#42;](#narrow/channel/6-c*)');
});
