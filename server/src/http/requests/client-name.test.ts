import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientName } from './user-agent.ts';

const agents: readonly (readonly [agent: string | undefined, name: string])[] = [
  ['ZulipPython/0.9.0', 'ZulipPython'],
  ['ZulipMobile/27.192 (Android 14)', 'ZulipMobile'],
  ['ZulipFlutter/30.0.1+1 (iOS 17.1)', 'ZulipFlutter'],
  ['ZulipElectron/5.11.0 Mozilla/5.0 (X11; Linux x86_64)', 'ZulipElectron'],
  ['Zulip Terminal/0.7.0', 'Zulip Terminal'],
  ['Mozilla/5.0 (Windows NT 10.0)', 'Mozilla'],
  ['okhttp3/4.9', 'okhttp3'],
  ['My bot 2', 'My bot'],
  ['node', 'node'],
  ['Agent(comment)', 'Agent(comment)'],
  ['', 'Unspecified'],
  ['/1.0', 'Unspecified'],
  [undefined, 'Unspecified'],
  ['x'.repeat(40), 'x'.repeat(30)],
];

for (const [agent, name] of agents) {
  test(`the user agent ${JSON.stringify(agent)} has the client name ${name}`, () => {
    assert.equal(clientName(undefined, agent), name);
  });
}

test('the parameter takes precedence over the header unless it is blank', () => {
  assert.equal(clientName('website', 'ZulipPython/1'), 'website');
  assert.equal(clientName(['a', 'b'], undefined), 'b');
  assert.equal(clientName(' ', 'ZulipPython/1'), 'ZulipPython');
  assert.equal(clientName('a\0b', undefined), 'ab');
});

test('long names are truncated between characters', () => {
  assert.equal(clientName('🧶'.repeat(40), undefined), '🧶'.repeat(30));
});
