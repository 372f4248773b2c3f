import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { readConfig } from '@heddle/server/config.ts';
import { createLogger } from './logger.ts';

function logged(environment: Record<string, string>, isTTY: boolean): string {
  let text = '';
  const write = (chunk: unknown, _: string, done: () => void) => {
    text += chunk;
    done();
  };
  const err = Object.assign(new Writable({ write }), { isTTY });
  const log = createLogger(readConfig(environment).config, 'serve', err);
  log.info({ signal: 'SIGTERM', seconds: 1.5 }, 'stopping');
  log.error({ err: new Error('the disk is \u001b[31mfull'), reason: 'no room' }, 'a request failed');
  return text;
}

const TEXT =
  /^\d\d:\d\d:\d\d {2}stopping {2}signal=SIGTERM {2}seconds=1\.5\n\d\d:\d\d:\d\d {2}ERROR {2}a request failed {2}reason="no room"\n {4}Error: the disk is full\n +at /;

test('on a terminal the log is plain text', () => {
  assert.match(logged({}, true), TEXT);
});

test('elsewhere the log has one JSON object per line', () => {
  const [line = ''] = logged({}, false).split('\n');
  const { time, ...entry } = JSON.parse(line);
  assert.deepEqual(entry, { level: 'info', signal: 'SIGTERM', seconds: 1.5, msg: 'stopping' });
});

test('HEDDLE_LOG_FORMAT takes precedence if it is set', () => {
  assert.match(logged({ HEDDLE_LOG_FORMAT: 'text' }, false), TEXT);
  assert.match(logged({ HEDDLE_LOG_FORMAT: 'json' }, true), /^\{"level":"info"/);
});
