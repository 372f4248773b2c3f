import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LoggedEvent } from '../log/event.ts';
import { smallDirectory } from '../testing/database/small-directory.ts';
import { whileUnchanged } from './while-unchanged.ts';

function event(id: number, deltas?: LoggedEvent['deltas']): LoggedEvent {
  const common = {
    organizationId: 1,
    id,
    type: 'realm',
    audience: { to: 'nobody' },
    body: null,
    ephemeral: false,
  } as const;
  return { ...common, ...(deltas !== undefined && { deltas }) };
}

test('a cached value is computed again only after the directory has changed', () => {
  const directory = smallDirectory();
  let computed = 0;
  const find = whileUnchanged(directory, (name) => `${name} ${++computed}`);
  assert.deepEqual([find('a'), find('b'), find('a')], ['a 1', 'b 2', 'a 1']);
  directory.apply(event(1));
  assert.equal(find('a'), 'a 1', 'an event without state deltas changes nothing');
  directory.apply(event(2, [{ delta: 'organization', organization: directory.organization }]));
  assert.deepEqual([find('a'), find('a')], ['a 3', 'a 3']);
});
