import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LoggedEvent } from '../log/event.ts';
import { channelRecord, groupRecord, userRecord } from '../testing/database/small-directory.ts';
import { fc } from '../testing/random/property.ts';
import { audienceResolver } from './audience.ts';
import { MutableDirectory } from './mutable-directory.ts';
import { type ChannelRecord, type GroupSetting, Role, SystemGroup } from './records.ts';
import { type StateDelta, UnknownDeltaError } from './state-deltas.ts';
import { hadMetadataAccessUnsubscribed, hasMetadataAccessUnsubscribed } from './visibility.ts';

const USERS = [1, 2, 3, 4];
const CHANNELS = [1, 2];
const GROUPS = [10, 11, 12];
const NOBODY = 1;
const MEMBERS = 2;

const channel = (id: number, joinedBy: GroupSetting = NOBODY, more: Partial<ChannelRecord> = {}) =>
  channelRecord(id, NOBODY, more, { can_subscribe: joinedBy });

function organization(): MutableDirectory {
  const directory = new MutableDirectory(
    { id: 1, subdomain: '', name: 'Test', description: '', settings: {}, createdAt: 0, isDeactivated: false },
    0,
    0,
  );
  for (const id of USERS) directory.putUser(userRecord(id));
  for (const id of CHANNELS) directory.putChannel(channel(id));
  directory.groups.put(groupRecord(NOBODY, { name: SystemGroup.nobody, isSystem: true }));
  directory.groups.put(groupRecord(MEMBERS, { name: SystemGroup.members, isSystem: true }));
  for (const id of GROUPS) directory.groups.put(groupRecord(id));
  return directory;
}

function event(id: number, more: Partial<LoggedEvent> = {}): LoggedEvent {
  return {
    organizationId: 1,
    id,
    type: 'stream',
    audience: { to: 'nobody' },
    body: null,
    ephemeral: false,
    ...more,
  };
}

const aGroup = fc.constantFrom(...GROUPS);
const aUser = fc.constantFrom(...USERS);

/** A valid change of the current directory: membership changes add only non-members and remove only members. */
const change: fc.Arbitrary<(directory: MutableDirectory) => readonly StateDelta[]> = fc.oneof(
  fc.tuple(aUser, fc.constantFrom(...Object.values(Role))).map(([id, role]) => () => [
    { delta: 'user', user: userRecord(id, { role }) } as const,
  ]),
  fc
    .tuple(
      fc.constantFrom(...CHANNELS),
      fc.constantFrom(...GROUPS, { directMembers: [1], directSubgroups: [12] }),
      fc.constantFrom('public', 'private', 'private', 'web-public'),
    )
    .map(([id, joinedBy, kind]) => () => {
      const more = { isPrivate: kind === 'private', isWebPublic: kind === 'web-public' };
      return [{ delta: 'channel', channel: channel(id, joinedBy, more) } as const];
    }),
  fc.tuple(aGroup, fc.boolean()).map(([id, isDeactivated]) => () => [
    { delta: 'group', group: groupRecord(id, { isDeactivated }) } as const,
  ]),
  fc.tuple(aGroup, fc.uniqueArray(aUser)).map(([groupId, ids]) => (directory: MutableDirectory) => [
    { delta: 'group-members', groupId, ...toggled(directory.groups.membersOf(groupId), ids) } as const,
  ]),
  fc
    .tuple(aGroup, fc.uniqueArray(fc.constantFrom(MEMBERS, ...GROUPS), { maxLength: 2 }))
    .map(([groupId, ids]) => (directory: MutableDirectory) => [
      { delta: 'group-subgroups', groupId, ...toggled(directory.groups.subgroupsOf(groupId), ids) } as const,
    ]),
);

function toggled(present: ReadonlySet<number>, ids: readonly number[]) {
  return { added: ids.filter((id) => !present.has(id)), removed: ids.filter((id) => present.has(id)) };
}

/** For each user, the channels with metadata access and the group memberships. */
function known(directory: MutableDirectory, at?: number): string[] {
  return USERS.flatMap((id) => {
    const reader = directory.user(id);
    assert(reader !== undefined);
    const channels = CHANNELS.map((channelId) => {
      const one = directory.channel(channelId);
      assert(one !== undefined);
      return at === undefined
        ? hasMetadataAccessUnsubscribed(directory, reader, one)
        : hadMetadataAccessUnsubscribed(directory, reader, one, at);
    });
    const resolver = audienceResolver(directory);
    const groups = [MEMBERS, ...GROUPS].map((groupId) =>
      at === undefined
        ? directory.groups.includes(groupId, reader)
        : resolver.includes(event(at, { audience: { to: 'group', groupId } }), id, false),
    );
    return `${channels} ${groups}`;
  });
}

test('metadata access and group memberships at an event resolve later as they did then, until the log is trimmed', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), fc.nat({ max: 30 }), (changes, trimmed) => {
      const directory = organization();
      const expected = [known(directory)];
      for (const one of changes) {
        directory.apply(event(directory.appliedThrough + 1, { deltas: one(directory) }));
        expected.push(known(directory));
      }
      const from = Math.min(trimmed, changes.length);
      directory.forgetThrough(from);
      for (let at = from; at <= changes.length; at++) assert.deepEqual(known(directory, at), expected[at]);
    }),
  );
});

describe('audiences of an event that a reader fetches late', () => {
  const resolver = (directory: MutableDirectory) => {
    const { includes } = audienceResolver(directory);
    return (audience: LoggedEvent['audience'], at: number) =>
      USERS.filter((id) => includes(event(at, { audience }), id, false));
  };

  test('a union includes the members of its parts, except those of `except`', () => {
    const directory = organization();
    directory.groups.addMembers(10, [1, 2]);
    const resolve = resolver(directory);
    const group = { to: 'group', groupId: 10 } as const;
    const users = { to: 'users', users: [2, 3] } as const;
    assert.deepEqual(resolve({ to: 'any', of: [group, users] }, 1), [1, 2, 3]);
    assert.deepEqual(resolve({ to: 'any', of: [group, users], except: { to: 'users', users: [2] } }, 1), [1, 3]);
    assert.deepEqual(resolve({ to: 'any', of: [{ to: 'everyone' }], except: group }, 1), [3, 4]);
  });

  test('an audience for another channel kind uses the roles as of the event', () => {
    const directory = organization();
    directory.apply(event(1, { deltas: [{ delta: 'user', user: userRecord(4, { role: Role.guest }) }] }));
    directory.apply(event(2, { deltas: [{ delta: 'user', user: userRecord(4, { role: Role.owner }) }] }));
    const resolve = resolver(directory);
    const asPrivate = { to: 'channel-viewers', channelId: 1, as: 'private' } as const;
    assert.deepEqual(resolve(asPrivate, 1), []);
    assert.deepEqual(resolve(asPrivate, 2), [4]);
    assert.deepEqual(
      resolve({ to: 'any', of: [{ to: 'channel-viewers', channelId: 1 }], except: asPrivate }, 1),
      [1, 2, 3],
    );
  });

  test('an audience for other channel permissions uses the roles as of the event', () => {
    const directory = organization();
    directory.apply(event(1, { deltas: [{ delta: 'user', user: userRecord(4, { role: Role.guest }) }] }));
    directory.apply(event(2, { deltas: [{ delta: 'user', user: userRecord(4) }] }));
    const resolve = resolver(directory);
    const nobody = { directMembers: [], directSubgroups: [] };
    const letting = {
      can_administer_channel: nobody,
      can_add_subscribers: nobody,
      can_subscribe: { directMembers: [4], directSubgroups: [] },
    };
    const letIn = { to: 'channel-viewers', channelId: 1, as: 'private', letting } as const;
    assert.deepEqual(resolve(letIn, 1), []);
    assert.deepEqual(resolve(letIn, 2), [4]);
  });

  test('a long list of users resolves like a short one', () => {
    const directory = organization();
    const users = Array.from({ length: 1000 }, (_, index) => index + 3);
    assert.deepEqual(resolver(directory)({ to: 'users', users }, 1), [3, 4]);
    assert.deepEqual(resolver(directory)({ to: 'everyone', except: users }, 1), [1, 2]);
  });

  test('an audience of an unknown kind is an error', () => {
    const audience = { to: 'whoever' } as unknown as LoggedEvent['audience'];
    assert.throws(() => resolver(organization())(audience, 1), /unknown audience/);
  });
});

describe('applying events', () => {
  test('an event with an unknown kind of state delta is not applied at all', () => {
    const directory = organization();
    const deltas = [{ delta: 'user', user: userRecord(1, { fullName: 'Renamed' }) }, { delta: 'weather' }];
    assert.throws(() => directory.apply(event(1, { deltas })), UnknownDeltaError);
    assert.equal(directory.user(1)?.fullName, 'User 1');
    assert.equal(directory.appliedThrough, 0);
  });

  test('the version of an aspect increases with its own changes only', () => {
    const directory = organization();
    directory.apply(event(1, { deltas: [{ delta: 'user', user: userRecord(1) }] }));
    directory.apply(event(2, { deltas: [{ delta: 'subscribed', channelId: 1, userIds: [1] }] }));
    directory.apply(event(3));
    assert.deepEqual(
      [directory.version('users'), directory.version('subscriptions'), directory.version('groups', 'channels')],
      [1, 2, 0],
    );
    assert.equal(directory.version('users', 'subscriptions'), 2);
  });
});
