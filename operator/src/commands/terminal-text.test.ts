import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { forPeople } from './log-text.ts';
import { createOutput } from './output.ts';

const HOSTILE = 'a\u001b]0;title\u0007b\u001b[31mc\rd\be\u009b2Jf\u0000g\n\th';
const SHOWN = 'abc\ufffdd\ufffdef\ufffdg\n\th';

function written(format: 'text' | 'json', act: (output: ReturnType<typeof createOutput>) => void): string {
  let text = '';
  const target = new Writable({
    write(chunk, _, done) {
      text += chunk;
      done();
    },
  });
  act(createOutput(target, target, format));
  return text;
}

test('results and errors of commands cannot control the terminal', () => {
  assert.equal(
    written('text', (output) => output.print({ text: HOSTILE, json: {} })),
    `${SHOWN}\n`,
  );
  assert.equal(
    written('text', (output) => output.printError(HOSTILE)),
    `${SHOWN}\n`,
  );
  assert.deepEqual(JSON.parse(written('json', (output) => output.printError(HOSTILE))), { error: HOSTILE });
});

test('neither can entries of the log', () => {
  const entry = { time: '2026-11-26T00:00:00Z', level: 'error', msg: 'failed', err: { message: HOSTILE } };
  assert.match(
    forPeople(JSON.stringify(entry)),
    new RegExp(`^[\\d:]{8}  ERROR  failed\n    ${SHOWN.replace('\n', '\n    ')}\n$`),
  );
});
