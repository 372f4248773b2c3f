import assert from 'node:assert/strict';
import { test } from 'node:test';
import { APP_COMMANDS, COMMANDS, commandOf, sentTextOf } from './commands.ts';

test('a line that begins with the name of a command is a command, with what follows as its argument', () => {
  assert.deepEqual(commandOf('/status  At lunch '), { name: 'status', argument: 'At lunch' });
  assert.deepEqual(commandOf('/dnd'), { name: 'dnd', argument: '' });
  assert.deepEqual(commandOf('/topic a/b c'), { name: 'topic', argument: 'a/b c' });
});

test('everything else is a message', () => {
  const texts = ['/me waves', '/poll Tea?', '/unknown', '/statusquo', 'say /status', ' /status', '/', '/etc/hosts'];
  for (const text of [...texts, '/status one\ntwo', '/Status', '//status one'])
    assert.equal(commandOf(text), undefined);
});

test('another slash makes a command of the app a message, and nothing else loses a slash', () => {
  assert.equal(sentTextOf('//status At lunch'), '/status At lunch');
  for (const text of ['// a comment', '//me waves', '///status', '/status', '//statusquo']) {
    assert.equal(sentTextOf(text), text);
  }
});

test('each command of the app is offered', () => {
  const offered = COMMANDS.map(([name]) => name);
  for (const name of APP_COMMANDS) assert(offered.includes(name));
});
