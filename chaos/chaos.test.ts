// timeouts: real
/** A run with random faults, in `npm run test:long`. Shorter runs would say little, and this one takes three minutes. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { timesOf } from '@heddle/server/testing/faults/kill-counts.ts';
import { randomOf } from '@heddle/server/testing/random/random.ts';
import { whatIsMissing } from './requirements.ts';

const MINUTES = '2';

for (let run = 0; run < timesOf({ gate: 0, long: 1 }); run += 1)
  test('no property breaks in two minutes of random faults', { skip: whatIsMissing() ?? false }, async (t) => {
    const seed = String(randomOf(t).integerBelow(2 ** 31));
    const program = join(import.meta.dirname, '..', 'scripts', 'node');
    const options = [join(import.meta.dirname, 'main.ts'), '--minutes', MINUTES, '--seed', seed];
    const { promise, resolve } = Promise.withResolvers<{ readonly code: number | null; readonly out: string }>();
    const child = execFile(program, options, (_, out, err) => resolve({ code: child.exitCode, out: `${out}${err}` }));
    const { code, out } = await promise;
    assert.equal(code, 0, out);
  });
