import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { generatedFiles } from './files.ts';

/** Readers of the package open these files in their editors. */
const MAX_GENERATED_LINES = 4_500;

test(`the generated files of the client have at most ${MAX_GENERATED_LINES} lines together`, async () => {
  const texts = await Promise.all((await generatedFiles()).map(({ url }) => readFile(url, 'utf8')));
  const lines = texts.map((text) => text.trimEnd().split('\n').length);
  assert(lines.reduce((sum, count) => sum + count, 0) <= MAX_GENERATED_LINES, `${lines.join(' + ')} lines`);
});
