import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listCommand } from '../tools/list-command.ts';
import type { TextEdit } from './box-text.ts';
import {
  fence,
  link,
  type MarkdownEdit,
  newLine,
  pastedLink,
  spoiler,
  surround,
  toBullets,
  toCode,
  toNumbers,
  toQuote,
} from './markdown-edits.ts';

/** Reads `a[b]c` as the text `abc` with `b` selected. `a|b` has a cursor. */
function marked(text: string): { text: string; selection: { start: number; end: number } } {
  if (text.includes('|')) {
    const start = text.indexOf('|');
    return { text: text.replace('|', ''), selection: { start, end: start } };
  }
  const start = text.indexOf('⟦');
  const end = text.indexOf('⟧') - 1;
  return { text: text.replace(/[⟦⟧]/g, ''), selection: { start, end } };
}

function shown(text: string, edit: TextEdit): string {
  const result = text.slice(0, edit.from) + edit.text + text.slice(edit.to);
  const at = edit.from + edit.text.length;
  const { start, end } = edit.selection ?? { start: at, end: at };
  if (start === end) return `${result.slice(0, start)}|${result.slice(start)}`;
  return `${result.slice(0, start)}⟦${result.slice(start, end)}⟧${result.slice(end)}`;
}

function apply(edit: MarkdownEdit, before: string): string {
  const { text, selection } = marked(before);
  return shown(text, edit(text, selection));
}

test('marks surround the selection without its spaces, and a second time they disappear', () => {
  assert.equal(apply(surround('**'), 'a ⟦loom ⟧b'), 'a **⟦loom⟧** b');
  assert.equal(apply(surround('**'), 'a **⟦loom⟧** b'), 'a ⟦loom⟧ b');
  assert.equal(apply(surround('**'), 'a ⟦**loom**⟧ b'), 'a ⟦loom⟧ b');
  assert.equal(apply(surround('**'), 'a |'), 'a **|**');
});

test('italic text inside of bold text keeps the bold marks', () => {
  assert.equal(apply(surround('*'), '**⟦loom⟧**'), '***⟦loom⟧***');
  assert.equal(apply(surround('*'), '***⟦loom⟧***'), '**⟦loom⟧**');
});

test('code in one line has backticks, code of several lines a fence that is long enough', () => {
  assert.equal(apply(toCode, 'run ⟦warp⟧ now'), 'run `⟦warp⟧` now');
  assert.equal(apply(toCode, '⟦one\ntwo⟧'), '```\n⟦one\ntwo⟧\n```');
  assert.equal(apply(fence('quote'), '⟦```\ncode\n```⟧'), '````quote\n⟦```\ncode\n```⟧\n````');
});

test('a spoiler selects its title', () => {
  assert.equal(apply(spoiler('Title'), 'the ⟦end⟧'), '```spoiler ⟦Title⟧\nthe end\n```');
});

test('lists and quotes change whole lines, and back', () => {
  assert.equal(apply(toBullets, 'a\nb⟦c\nd⟧e'), 'a\n⟦- bc\n- de⟧');
  assert.equal(apply(toBullets, '⟦- bc\n- de⟧'), '⟦bc\nde⟧');
  assert.equal(apply(toNumbers, '⟦a\nb⟧'), '⟦1. a\n2. b⟧');
  assert.equal(apply(toQuote, 'word|'), '> word|');
});

test('a link selects what is missing', () => {
  const insert = link({ text: 'text', url: 'https://' });
  assert.equal(apply(insert, 'see ⟦this⟧'), 'see [this](⟦https://⟧)');
  assert.equal(apply(insert, 'see |'), 'see [⟦text⟧](https://)');
  assert.equal(apply(insert, '⟦https://a.example/⟧'), '[⟦text⟧](https://a.example/)');
});

test('a pasted URL over a text makes a link; other pastes do not', () => {
  const over = (before: string, pasted: string) => {
    const { text, selection } = marked(before);
    const edit = pastedLink(text, selection, pasted);
    return edit === undefined ? undefined : shown(text, edit);
  };
  assert.equal(over('the ⟦loom⟧', 'https://a.example/(x)'), 'the [loom](https://a.example/%28x%29)|');
  assert.equal(over('the |', 'https://a.example'), undefined);
  assert.equal(over('⟦https://b.example⟧', 'https://a.example'), undefined);
  assert.equal(over('the ⟦loom⟧', 'javascript:alert(1)'), undefined);
  assert.equal(over('the ⟦loom⟧', 'two words'), undefined);
});

test('a new line continues a list, and an empty item ends it', () => {
  const after = (before: string) => {
    const { text, selection } = marked(before);
    const edit = newLine(text, selection);
    return edit === undefined ? undefined : shown(text, edit);
  };
  assert.equal(after('- one|'), '- one\n- |');
  assert.equal(after('  9. nine|'), '  9. nine\n  10. |');
  assert.equal(after('- one\n- |'), '- one\n|');
  assert.equal(after('no list|'), undefined);
});

test('a poll has its question and one option per line', () => {
  assert.equal(listCommand('poll', ' Lunch? ', 'soup\n\n  salad '), '/poll Lunch?\nsoup\nsalad');
  assert.equal(listCommand('todo', '', 'warp'), '/todo\nwarp');
});
