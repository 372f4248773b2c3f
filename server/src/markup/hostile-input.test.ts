import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleDirectory, sampleOptions } from '../testing/model/sample-directory.ts';
import { renderMessage } from './index.ts';
import { parseBlocks } from './parser.ts';
import type { RenderState } from './render-state.ts';

const MAX_LENGTH = 10_000;
/** The largest output of one character is an emoji's span: 87 characters for two UTF-16 units. */
const MAX_OUTPUT = 45 * MAX_LENGTH;

const fill = (piece: string, length = MAX_LENGTH) => piece.repeat(Math.floor(length / piece.length));

const UNITS = [
  ...['*', '**', '***', '*a ', '**a ', '*a', 'a*', '**a*', '~~', '~~a', '`', '`a', '``a`'],
  ...['[', '![', '](', '[a](', '[a](b)', '[]()', '[[a](b)](c)', '(', '<', '<<', '<time:', '<time:1>'],
  ...['@**', '@**a', '@**Iago**', '@*a', '@_**Iago** ', '#**', '#**Denmark>', '#**Denmark>a** ', ':', ':a', ':+1:'],
  ...[
    '![a](b)',
    '![a]()',
    '![](/user_uploads/1/a.mp3)',
    '![![',
    'http://',
    'http://a.b',
    'http://a.b/*',
    'http://a.b/**a',
    'a.b.',
    'a.com ',
    'a@',
    'a@b.com ',
    '&',
    '&amp;',
    '&#1',
    '\\',
    '$$',
  ],
  ...[
    '>',
    '> ',
    '> a\n',
    '>\n',
    '>\na\n',
    '> >\na\n',
    'http://a.b/((',
    'http://a.b/(()',
    '- ',
    '- a\n',
    '- > ',
    '- a\n* b\n',
    '- a\n\n+ b\n',
    '* * ',
    '1. ',
    '1. a\n',
    '1. a\n  - b\n',
    '1. a\n\n  b\n\n',
    '1. a\n  ```\n',
    '1. a\n  1. b\n\n',
    '  - a\n',
    '# ',
    '---\n',
  ],
  ...[
    '```',
    '```\n',
    '```quote\n',
    '~~~quote\n',
    '```spoiler a\n',
    '```js\n',
    '```js\na\n```\n',
    '    a\n',
    '\n',
    '\t',
    ' ',
  ],
  ...[
    '|',
    '|-',
    'a|b\n',
    '|a|\n|-|\n',
    '|`|`|\n|-|\n\n',
    '|`|',
    '|``|`',
    '|a\n|-\n|||\n',
    '|a\n|-\n|b|c|d\n\n',
    '🎉',
    '👨‍👩‍👧',
    '\u200d',
    '\ufe0f',
    '\ud83d',
    '1️⃣',
    '\0',
    '\r',
    '汉',
  ],
];

const CLOSERS = ['*', '**', '~~', '`', ']', '](a)', ')', '>', '```\n', ':'];

test('a message of one repeated piece of markup is rendered within bounds', () => {
  for (const unit of UNITS) {
    const { html } = renderMessage(fill(unit), sampleDirectory, sampleOptions);
    assert.ok(html.length <= MAX_OUTPUT, `${JSON.stringify(unit)}: ${html.length}`);
  }
});

test('so is a message with many opening pieces and other closing ones', () => {
  for (const unit of UNITS) {
    for (const closer of CLOSERS) {
      const { html } = renderMessage(fill(unit, 1000) + fill(closer, 1000), sampleDirectory, sampleOptions);
      assert.ok(html.length <= MAX_OUTPUT / 5, `${JSON.stringify([unit, closer])}: ${html.length}`);
    }
  }
});

test('a table with many columns and short rows is rendered within bounds', () => {
  for (const columns of [2, 20, 70, 200, 1000]) {
    const head = `${'a|'.repeat(columns)}\n${'-|'.repeat(columns)}\n`;
    const source = (head + fill('a\n')).slice(0, MAX_LENGTH);
    const { html } = renderMessage(source, sampleDirectory, sampleOptions);
    assert.ok(html.length <= 10 * MAX_LENGTH, `${columns}: ${html.length}`);
  }
});

test('the search for closing emphasis is bounded, and a message with emphasis on every word stays well below the bound', () => {
  const looked = (source: string): number => {
    const state: RenderState = { directory: sampleDirectory, options: sampleOptions };
    parseBlocks(source, state);
    return state.looked ?? 0;
  };
  const most = looked(fill('@*a****'));
  assert.equal(looked(fill('@*a****b')), most);
  assert.ok(looked(fill('**a** *b* ***c*** ~~d~~ ')) < most / 20);
});

test('too deep nesting stays text', () => {
  const { html } = renderMessage(`${fill('>', 200)} word`, sampleDirectory, sampleOptions);
  assert.ok(html.includes('word'));
  assert.ok(html.split('<blockquote>').length < 60);
  const fenced = renderMessage(`${fill('```quote\n', 900)}word`, sampleDirectory, sampleOptions).html;
  assert.ok(fenced.includes('word'));
});

test('code that is slow to highlight is rendered', () => {
  for (const language of ['python', 'java', 'ini', 'haskell', 'csharp', 'html', 'markdown']) {
    for (const unit of ['a', '(', '"', '$', '/*', '<a ', '\n', 'a.b.']) {
      const { html } = renderMessage(`\`\`\`${language}\n${fill(unit, 3900)}`, sampleDirectory, sampleOptions);
      assert.ok(html.startsWith('<div class="codehilite"'));
      assert.ok(html.length <= MAX_OUTPUT);
    }
  }
});
