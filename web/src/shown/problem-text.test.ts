import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ApiError, NetworkError } from '@heddle/client/calls/errors.ts';
import { problemText, serverText, setServerTexts } from './problem-text.ts';
import { TEXTS_OF_SERVER } from './server-texts.ts';
import { textOfReason } from './text-of-reason.ts';

const REQUEST = { method: 'POST', path: '/messages' };

function refusal(code: string, message: string, status = 400): ApiError {
  return new ApiError({ request: REQUEST, status, code, message, fields: {}, retryAfter: undefined });
}

test('until the texts are there, the user sees what the server says', () => {
  assert.equal(problemText(refusal('BAD_REQUEST', 'Insufficient permission')), 'Insufficient permission');
  setServerTexts(textOfReason);
  assert.equal(
    problemText(refusal('BAD_REQUEST', 'Insufficient permission')),
    'You do not have permission to do this.',
  );
});

test('the code of an error decides its text, and else what the server says', () => {
  assert.equal(
    problemText(refusal('STREAM_DOES_NOT_EXIST', "Channel with ID '7' does not exist")),
    'This channel does not exist, or you cannot see it.',
  );
  assert.equal(
    problemText(refusal('BAD_REQUEST', 'Insufficient permission')),
    'You do not have permission to do this.',
  );
  assert.equal(problemText(refusal('BAD_REQUEST', 'Draft does not exist', 404)), 'It does not exist any more.');
  // Names of objects of the language are no codes.
  assert.equal(problemText(refusal('constructor', 'toString')), 'toString');
});

test('what stands in the place of a placeholder is part of the text', () => {
  assert.equal(
    serverText('BAD_REQUEST', "You are not allowed to mention user group 'weavers {x} (all)'."),
    'You are not allowed to mention the group weavers {x} (all).',
  );
  assert.equal(
    serverText(undefined, 'Uploaded file is larger than the allowed limit of 25 MiB'),
    'The file is too large. The limit is 25 MiB.',
  );
  assert.equal(
    serverText('BAD_REQUEST', 'status_text is too long (limit: 60 characters)'),
    'The text is too long. The limit is 60 characters.',
  );
});

test('a reason without a text of the app stays as the server says it', () => {
  assert.equal(problemText(refusal('BAD_REQUEST', 'Nobody knows.')), 'Nobody knows.');
  assert.equal(serverText(undefined, 'Too many cooks (limit: of nobody)'), 'Too many cooks (limit: of nobody)');
});

test('without an answer of the server, the text says whether this device is offline', () => {
  assert.equal(problemText(new NetworkError(REQUEST, 'offline', undefined)), 'You are offline. Try again later.');
  assert.equal(
    problemText(new NetworkError(REQUEST, 'timeout', undefined)),
    'The server cannot be reached. Try again later.',
  );
  assert.equal(
    problemText(refusal('SERVICE_UNAVAILABLE', 'Busy', 503)),
    'The server cannot be reached. Try again later.',
  );
  assert.equal(problemText(new Error('a mistake of ours')), 'Something went wrong. Please try again.');
});

test('the server says each of these texts', async () => {
  const root = join(import.meta.dirname, '..', '..', '..');
  const paths = await Array.fromAsync(glob('{api,server}/src/**/*.ts', { cwd: root }));
  const sources = await Promise.all(
    paths.filter((path) => !path.endsWith('.test.ts')).map((path) => readFile(join(root, path), 'utf8')),
  );
  const all = sources.join('\n');
  const texts = Object.keys(TEXTS_OF_SERVER);
  for (const text of texts) {
    for (const part of text.split(/\{\w+\}/))
      assert(all.includes(part), `the server never says “${part}” of “${text}”`);
  }
});
