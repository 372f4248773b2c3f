import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutHtmlComments } from './html-comments.ts';

// rules: webhooks-15
test('HTML comments are left out, and code shows them', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['plain', 'plain'],
    ['<!-- advice -->', ''],
    [
      '<!-- advice\n\nin lines -->\n\n## What\n\nIt broke.\n\n<!-- more -->\n\n- [ ] done',
      '## What\n\nIt broke.\n\n- [ ] done',
    ],
    ['one <!-- two --> three', 'one  three'],
    ['one<!---->two', 'onetwo'],
    ['a <!-- b', 'a <!-- b'],
    ['a\n<!-- b\nc', 'a'],
    ['a<!-- b --> c<!-- d', 'a c<!-- d'],
    ['a --> b <!-- c --> d', 'a --> b  d'],
    ['`<!-- code -->` <!-- no code -->x', '`<!-- code -->` x'],
    ['``a ` <!-- code --> b`` <!-- no -->x', '``a ` <!-- code --> b`` x'],
    ['```html\n<!-- code -->\n```\n<!-- no code -->\nx', '```html\n<!-- code -->\n```\nx'],
    ['~~~\n<!-- code -->\n~~~\nx<!-- no -->', '~~~\n<!-- code -->\n~~~\nx'],
    ['```\n<!-- code without an end -->', '```\n<!-- code without an end -->'],
    ['5` is an inch <!-- x -->y', '5` is an inch y'],
    ['<!-- ` -->a`<!-- b -->`', 'a`<!-- b -->`'],
  ];
  for (const [given, shown] of cases) assert.equal(withoutHtmlComments(given), shown, given);
});
