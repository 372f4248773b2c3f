import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAll } from './properties/properties.ts';
import { describeVerdicts, summaryOf } from './report.ts';
import { fault, send } from './testing/samples.ts';

const limits = { requestMs: 2_000, pollMs: 7_000, recoveryMs: 2_000 };

test('a report names each property that holds, and shows the shortest history of each that is broken', () => {
  const history = [fault(15, 18), send(0, 2), send(20, 1)];
  const lines = describeVerdicts(history, checkAll(history, limits)).split('\n');
  const properties = lines.filter((line) => /^(holds|BROKEN)/.test(line));
  assert.equal(properties.length, 8);
  assert.deepEqual(
    lines.slice(2, 6).map((line) => line.replaceAll(/ +/g, ' ').replace(/\{.*/, '')),
    [
      'BROKEN 3 real time, 1 times. The shortest history: message 1 was sent after message 2 was acknowledged',
      ' 0.000 s to 0.010 s send ',
      ' 0.015 s to 0.018 s fault ',
      ' 0.020 s to 0.030 s send ',
    ],
  );
});

test('a report counts requests by their outcome, and lists the faults', () => {
  const text = summaryOf([send(0, 1), send(20, 2), fault(30, 40)]);
  assert.match(text, /^send +2 acknowledged, 0 refused, 0 unknown$/m);
  assert.match(text, /0\.030 s to +0\.040 s {2}kill -9 of one$/m);
});
