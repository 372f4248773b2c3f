import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readJsonItems } from './json-items.ts';

/** Reads the document in pieces of a size. */
async function itemsOf(text: string | Buffer, size: number): Promise<readonly (readonly [string, unknown])[]> {
  const bytes = Buffer.from(text);
  async function* pieces() {
    for (let begin = 0; begin < bytes.length; begin += size) yield bytes.subarray(begin, begin + size);
  }
  const items: (readonly [string, unknown])[] = [];
  for await (const { list, item } of readJsonItems(pieces(), 'x.json')) items.push([list, item]);
  return items;
}

test('items are those of the document, wherever its pieces end', async () => {
  const documents: readonly (readonly [string, unknown])[] = [
    ['[1, {"a": [2, "x,]}"]}, "s\\"]", [], null]', [1, { a: [2, 'x,]}'] }, 's"]', [], null]],
    [
      ' {"t": [{"id": 1}, {"id": 2}], "n": 5, "e": [], "é\\"k": ["ü"]}\n',
      { t: [{ id: 1 }, { id: 2 }], n: 5, 'é"k': ['ü'] },
    ],
    ['\ufeff[true]', [true]],
    ['[]', []],
    ['{}', {}],
  ];
  for (const [text, expected] of documents) {
    const flat = Array.isArray(expected)
      ? expected.map((item) => ['', item])
      : Object.entries(expected as object).flatMap(([list, value]) => [value].flat().map((item) => [list, item]));
    for (const size of [1, 2, 3, 7, 1000]) assert.deepEqual(await itemsOf(text, size), flat, `${text} in ${size}`);
  }
});

test('documents that are not valid are refused with the reason', async () => {
  const refusals: readonly (readonly [string | Buffer, RegExp])[] = [
    ['', /ends too early/],
    ['[1, 2', /ends too early/],
    ['{"a": [1', /ends too early \(in "a"\)/],
    ['5', /neither a list nor an object/],
    ['[1] 2', /something follows its end/],
    ['{"a" 1}', /a colon is missing/],
    ['{5: 1}', /a name is missing/],
    ['[{"a": 1} {"b": 2}]', /is not valid JSON/],
    ['[nonsense]', /is not valid JSON/],
    [`[${'['.repeat(200)}`, /nested more than 100 levels/],
    [Buffer.concat([Buffer.from('["'), Buffer.alloc(17 * 1024 * 1024, 'x')]), /item of more than 16777216 bytes/],
  ];
  for (const [text, expected] of refusals) {
    await assert.rejects(itemsOf(text, 65_536), (error) => {
      assert(error instanceof Error && error.name === 'ImportError');
      assert.match(error.message, expected);
      return true;
    });
  }
});
