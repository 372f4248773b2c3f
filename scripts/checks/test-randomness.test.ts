import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkTestRandomness } from './test-randomness.ts';

const lines = (path: string, text: string) => checkTestRandomness([{ path, text }]).map(({ line }) => line);

test('a test makes no random choice without the seed of the run', () => {
  const text = "import fc from 'fast-check';\n// Math.random()\nconst a = Math.random();\nconst b = 'Math.random()';";
  assert.deepEqual(lines('server/src/faults.test.ts', text), [1, 3]);
  assert.deepEqual(lines('web/src/compose/editor.test.tsx', text), [1, 3]);
  assert.deepEqual(lines('server/src/testing/faults/stubborn-clients.ts', text), [1, 3]);
  assert.deepEqual(lines('client/testing/model-client.ts', text), [1, 3]);
  assert.deepEqual(lines('server/src/testing/random/property.ts', text), []);
  assert.deepEqual(lines('server/src/jobs/worker-loop.ts', text), []);
  assert.deepEqual(lines('server/src/faults.test.ts', "import { fc } from './testing/random/property.ts';"), []);
});
