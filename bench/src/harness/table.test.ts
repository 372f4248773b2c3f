import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Row, summarize } from './result.ts';
import { table } from './table.ts';

const row: Row = {
  name: 'send',
  size: '64 senders',
  unit: 'sends/s',
  heddle: summarize([
    { rate: 9000, p50: 5, p99: 20, cpu: 70 },
    { rate: 10_000, p50: 6, p99: 22.34, cpu: 80 },
    { rate: 11_000, p50: 7, p99: 90, cpu: 90 },
  ]),
  floor: summarize([{ rate: 12_345, p50: 4, p99: 9, cpu: 51.23 }]),
  ratio: 0.81,
  goal: '≥ 0.7',
  met: true,
  notes: ['a note'],
};

test('a row shows the medians, their spread, the floor and whether the goal is met', () => {
  const [headings, , line, , note] = table([row]).split('\n');
  assert.deepEqual(headings?.split(/ {2,}/), [
    'name',
    'size',
    'rate',
    '±',
    'p50',
    'p99',
    'cpu',
    'floor',
    'ratio',
    'goal',
    'met?',
  ]);
  const floor = '12,345 sends/s / 4 ms / 9 ms / 51.2 µs';
  const cells = [
    'send',
    '64 senders',
    '10,000 sends/s',
    '10 %',
    '6 ms',
    '22.3 ms',
    '80 µs',
    floor,
    '0.81',
    '≥ 0.7',
    'yes',
  ];
  assert.deepEqual(line?.split(/ {2,}/), cells);
  assert.equal(note, 'send 64 senders: a note');
});

test('missing values of a row are empty', () => {
  const bare: Row = {
    ...row,
    heddle: summarize([{ rate: 1.4, p50: null, p99: null }]),
    floor: null,
    ratio: null,
    notes: [],
  };
  const [, , line] = table([{ ...bare, goal: '', met: null }]).split('\n');
  assert.deepEqual(line?.split(/ {2,}/), ['send', '64 senders', '1.4 sends/s', '0 %']);
});
