import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkConstantNames, saysWhatAndUnit } from './constant-names.ts';

const lines = (text: string, path = 'server/src/log/append.ts') =>
  checkConstantNames([{ path, text }]).map(({ line }) => line);

test('the name of a numeric constant has a subject and a unit', () => {
  const good = [
    'LOCK_TIMEOUT_MS',
    'UNDO_TIME_LIMIT_SECONDS',
    'PAGE_SIZE_ROWS',
    'MAX_SNIPPETS_PER_USER',
    'MAX_RECIPIENTS',
    'MAX_TEXT_LENGTH',
    'MAX_FILES_AT_ONCE',
    'MIN_SIDE_PIXELS',
    'MAX_EMOJI_PER_MESSAGE',
    'EVENTS_PER_PAGE',
    'COMMA_CODE',
  ];
  for (const name of good) assert(saysWhatAndUnit(name), name);
  const bad = ['LASTS', 'FEW', 'BATCH', 'SECONDS', 'AT_ONCE', 'UNDO_WITHIN', 'PAGE_SIZE', 'MAX_WAITING', 'MAX_SIZE'];
  for (const name of [...bad, 'MAX_LENGTH', 'MAX_PER_HOUR', 'WAITING_PER_USER']) assert(!saysWhatAndUnit(name), name);
});

test('constants of modules with a numeric value are checked, in production', () => {
  const text = [
    'const PAUSE = 20;',
    'export const LASTS: number = 10 * 366 * 86_400;',
    'const MASK = 0xffff;',
    'const WITHIN = timeoutOf(2_000);',
    'const DAY_SECONDS = 86_400;',
    'const HALF = DAY_SECONDS / 2;',
    'const SIZE =',
    '  1024 * 1024;',
  ].join('\n');
  assert.deepEqual(lines(text), [1, 2, 3, 4, 6, 7]);
  assert.deepEqual(lines(text, 'server/src/log/append.test.ts'), []);
  assert.deepEqual(lines(text, 'server/src/testing/database/log.ts'), []);
});

test('other constants have names of their own', () => {
  const others = [
    "const NAME = 'a1';",
    'const WORDS = /[0-9]+/;',
    'const TEXT = `1`;',
    'const LIMITS = { requests: 10, windowSeconds: 60 };',
    'const PAUSES = [1, 2];',
    'const PLAIN = PLAIN_SETTINGS;',
    '// const PAUSE = 20;',
    'function pause() { const PAUSE = 20; }',
    'const pause = 20;',
  ];
  assert.deepEqual(lines(others.join('\n')), []);
});
