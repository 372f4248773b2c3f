import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../testing/random/random.ts';
import { jsonCost, MAX_JSON_COST_MICROSECONDS } from './json-cost.ts';
import { compilePieces, JsonBudget } from './json-pieces.ts';

const numbered = (count: number, item: (index: number) => string) => Array.from({ length: count }, (_, n) => item(n));
const isCheap = (text: string) => jsonCost(text) <= MAX_JSON_COST_MICROSECONDS;

const random = new Random(1);
const LETTERS = Array.from({ length: 26 }, (_, at) => String.fromCharCode(97 + at));
const ESCAPES = ['\\n', '\\t', '\\b', '\\f', '\\r', '\\"', '\\\\', '\\/'];

function inAnotherOrder(choices: Random): string {
  const fields = choices.shuffled(LETTERS).map((letter) => `"${letter}":1`);
  return `{${fields.slice(0, 20)}}`;
}

/** Takes 80 ms and more to parse on the machine of the measurements. */
const EXPENSIVE: Readonly<Record<string, string>> = {
  'an object with many fields': `{${numbered(140_000, (n) => `"k${n}":1`)}}`,
  'many objects that all have other fields': `[${numbered(60_000, (n) => `{"d${n}":1}`)}]`,
  'objects with other fields inside of each other': `${numbered(
    60,
    (n) => `{"d":[${numbered(1000, (m) => `{"e${n}_${m}":1}`)}],"f":`,
  ).join('')}1${'}'.repeat(60)}`,
  'many numbers': `[${'1,'.repeat(900_000)}1]`,
  'many texts': `[${numbered(200_000, (n) => `"t${n}"`)}]`,
  'many brackets': '['.repeat(950_000),
  'many closed brackets': `[${'['.repeat(400).concat(']'.repeat(400), ',').repeat(1200)}1]`,
  'names of escapes': `{${numbered(120_000, (n) => `"${[0, 3, 6, 9, 12, 15].map((shift) => ESCAPES[(n >> shift) & 7]).join('')}":1`)}}`,
  'the same names in other orders': `[${numbered(7_500, () => inAnotherOrder(random))}]`,
  'escaped quotes between fields': `{${numbered(140_000, (n) => `"\\"${n}":1`)}}`,
};

const commit = (index: number) => ({
  id: index.toString(16).padStart(40, '0'),
  distinct: true,
  message: `Fix "something" {${index}}, [again]: now`,
  url: `https://github.example.org/o/r/commit/${index.toString(16).padStart(40, '0')}`,
  author: { name: 'Ada', email: 'ada@example.org', username: 'ada' },
  committer: { name: 'Ada', email: 'ada@example.org', username: 'ada' },
  added: [],
  removed: [],
  modified: [`src/a/b/c${index}.ts`],
});

const USUAL: Readonly<Record<string, string>> = {
  'a push of 2,048 commits': JSON.stringify({ commits: numbered(2048, () => '').map((_, index) => commit(index)) }),
  'the ids of 50,000 messages': JSON.stringify(numbered(50_000, (n) => String(n + 1_000_000)).map(Number)),
  'the addresses of 50,000 people': JSON.stringify(numbered(50_000, (n) => `person${n}@example.org`)),
  'a file of 2 MB in one text': JSON.stringify('[{",:'.repeat(300_000)),
};

test('JSON that takes long to parse is recognized before', () => {
  for (const [name, text] of Object.entries(EXPENSIVE)) assert(!isCheap(text), name);
});

test('large JSON of usual programs is cheap', () => {
  for (const [name, text] of Object.entries(USUAL)) assert(isCheap(text), `${name}: ${jsonCost(text)}`);
});

test('all parameters of a request share one budget, and each request has its own', () => {
  const budget = new JsonBudget();
  const check = compilePieces({ type: 'array', maxItems: 50_000, items: { type: 'string' } }, budget);
  const text = JSON.stringify(numbered(40_000, (n) => `t${n}`));
  budget.begin();
  check(text, 'one');
  assert.throws(() => check(text, 'other'), /too many different values/);
  budget.begin();
  check(text, 'one');
});
