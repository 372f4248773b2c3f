import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { emojiData } from '@heddle/server/markup/emoji.ts';
import { charactersOf } from './emoji.ts';
import { searchEmoji } from './emoji-search.ts';
import { type CompactEmoji, tableOf } from './emoji-table.ts';
import { emojiAt, firstCell, neighbour, pickerRows } from './picker-rows.ts';

function dataOf(locale: string): readonly CompactEmoji[] {
  const path = new URL(import.meta.resolve(`emojibase-data/${locale}/compact.json`));
  return JSON.parse(readFileSync(path, 'utf8')) as readonly CompactEmoji[];
}

const english = dataOf('en');
const table = tableOf(emojiData.code_to_names, english, english);
const noCustom = { active: new Map() };
const names = (query: string, custom = noCustom) =>
  searchEmoji(table, custom, query, { limit: 5 }).map(({ name }) => name);

test('the table has every emoji of the server that belongs to a category', () => {
  assert(table.all.length > 1_800);
  assert.equal(table.byName.get('thumbs_up'), table.byCode.get('1f44d'));
  assert.equal(charactersOf('2764'), '❤️');
  assert.equal(charactersOf('0031-20e3'), '1️⃣');
  assert.equal(charactersOf('1f1e9-1f1ea'), '🇩🇪');
});

test('a search finds names before keywords, and keywords of both languages', () => {
  assert.equal(names('tada')[0], 'tada');
  assert.equal(names('thumbs up')[0], '+1');
  assert(names('octop').includes('octopus'));
  const german = tableOf(emojiData.code_to_names, english, dataOf('de'));
  for (const query of ['Herz', 'heart']) {
    assert(searchEmoji(german, noCustom, query, { limit: 20 }).some(({ code }) => code === '2764'));
  }
  assert.deepEqual(names('👍'), ['+1']);
  assert.deepEqual(names('no emoji has this name'), []);
});

test('an emoji of the organization hides the one with its name', () => {
  const custom = { active: new Map([['tada', { id: '3', name: 'tada' }]]) };
  const found = searchEmoji(table, custom, 'tada', { limit: 5 });
  assert.deepEqual(
    found.filter(({ name }) => name === 'tada').map(({ type }) => type),
    ['realm_emoji'],
  );
});

test('the arrow keys visit every emoji of the grid', () => {
  const rows = pickerRows({ table, custom: noCustom, recent: [] }, '', 9);
  let cell = firstCell(rows);
  const seen = new Set<string>();
  for (let steps = 0; cell !== undefined && steps <= table.all.length; steps += 1) {
    seen.add(emojiAt(rows, cell)?.code ?? '');
    cell = neighbour(rows, cell, 'ArrowRight');
  }
  assert.equal(seen.size, table.all.length);
});

test('an emoji with skin tones has all five', () => {
  assert.equal(table.byCode.get('1f44d')?.tones?.[2], '👍🏽');
  assert.equal(table.byCode.get('1f419')?.tones, undefined);
});
