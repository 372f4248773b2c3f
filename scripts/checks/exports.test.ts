import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkExports } from './exports.ts';

const problemsOf = (files: Readonly<Record<string, string>>) =>
  checkExports(Object.entries(files).map(([path, text]) => ({ path, text }))).map(
    ({ path, line, problem }) => `${path}:${line}: ${problem.split(' ').at(-1)}`,
  );

test('an export that nothing mentions is reported, with its line', () => {
  const files = {
    'web/src/base/a.ts': 'export const used = 1;\nexport async function* unused() {}',
    'web/src/b.ts': 'used',
  };
  assert.deepEqual(problemsOf(files), ['web/src/base/a.ts:2: unused']);
});

test('a mention in a comment, a text, a test or the gallery is no use', () => {
  const files = {
    'server/src/a.ts': 'export interface Unused {}',
    'server/src/b.ts': "// Unused\nconst text = 'Unused';",
    'server/src/a.test.ts': "import type { Unused } from './a.ts';",
    'web/src/gallery/page.tsx': 'Unused',
  };
  assert.deepEqual(problemsOf(files), ['server/src/a.ts:1: Unused']);
});

test('an export that its own file uses stays, and so does one of the published client', () => {
  const files = {
    'server/src/a.ts': 'export type Options = object;\nfunction run(options: Options) {}',
    'client/src/a.ts': 'export function forOthers() {}',
  };
  assert.deepEqual(problemsOf(files), []);
});

test('files that are found by their names have exports that nobody mentions', () => {
  const text = 'export const agreed = 1;';
  const paths = ['api/src/events/typing.ts', 'server/src/db/migrations/0001-a.ts', 'server/src/features/a/index.ts'];
  assert.deepEqual(problemsOf(Object.fromEntries(paths.map((path) => [path, text]))), []);
});
