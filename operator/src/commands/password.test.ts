import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import type { Terminal } from './command.ts';
import { askForPassword, generatePassword, passwordFrom } from './password.ts';

/** A terminal that answers each prompt with the next line. */
function terminalWith(lines: readonly string[], isTTY: boolean): { terminal: Terminal; shown: () => string } {
  const input = Object.assign(new PassThrough(), { isTTY });
  const err = new PassThrough();
  let shown = '';
  const answers = [...lines];
  err.on('data', (chunk: Buffer) => {
    shown += chunk;
    if (String(chunk).endsWith(': ')) input.write(`${answers.shift() ?? ''}\r`);
  });
  if (!isTTY) input.end(lines.map((line) => `${line}\n`).join(''));
  return { terminal: { out: new PassThrough(), err, input, environment: {}, host: process }, shown: () => shown };
}

test('a password from the command line is used as given', async () => {
  assert.equal(await passwordFrom('s3cret', terminalWith([], false).terminal), 's3cret');
});

test('a dash reads the password from one line of standard input', async () => {
  assert.equal(await passwordFrom('-', terminalWith(['s3cret', 'more'], false).terminal), 's3cret');
  await assert.rejects(passwordFrom('-', terminalWith([], false).terminal), { name: 'UsageError' });
  await assert.rejects(passwordFrom('-', terminalWith(['', 'x'], false).terminal), { name: 'UsageError' });
});

test('a terminal prompts twice and does not echo the password', async () => {
  const { terminal, shown } = terminalWith(['s3cret', 's3cret'], true);
  assert.equal(await askForPassword(terminal), 's3cret');
  assert.equal(shown(), 'Password: \nRepeat the password: \n');
});

test('two different passwords, an empty one, and Ctrl-C are refused', async () => {
  for (const lines of [['s3cret', 'secret'], ['', ''], ['\u0003']]) {
    await assert.rejects(askForPassword(terminalWith(lines, true).terminal), { name: 'CommandError' });
  }
});

test('without a terminal the prompt is refused', async () => {
  await assert.rejects(askForPassword(terminalWith([], false).terminal), { name: 'UsageError' });
});

test('generated passwords are long and unique', () => {
  const passwords = new Set(Array.from({ length: 100 }, generatePassword));
  assert.equal(passwords.size, 100);
  for (const password of passwords) assert.match(password, /^[\w-]{20}$/);
});
