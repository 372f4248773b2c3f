import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '@heddle/api/errors.ts';
import { type ChannelRecord, type GroupSetting, Role, SystemGroup } from '../directory/records.ts';
import { putChannel, putUser, smallDirectory } from '../testing/database/small-directory.ts';
import {
  accessChannel,
  accessChannels,
  type ChannelName,
  type ChannelNeed,
  channelCreationRefusal,
  channelRefusal,
  contentAccess,
  knownChannel,
  sortChannels,
} from './channels.ts';

const directory = smallDirectory();
const group = (name: SystemGroup) => directory.groups.idOf(name);
const everyone = group(SystemGroup.everyone);
const user = (id: number, role: Role) => putUser(directory, id, role);

const users = {
  owner: user(1, Role.owner),
  administrator: user(2, Role.administrator),
  member: user(3, Role.member),
  /** A member who is subscribed to every channel. */
  subscriber: user(4, Role.member),
  guest: user(5, Role.guest),
  /** A guest who is subscribed to every channel. */
  invitedGuest: user(6, Role.guest),
  /** A member with the permission after which a channel is named. */
  chosen: user(7, Role.member),
};
type Who = keyof typeof users;

interface ChannelOptions {
  readonly isPrivate?: boolean;
  readonly isWebPublic?: boolean;
  readonly isArchived?: boolean;
  readonly sharesHistory?: boolean;
  readonly grants?: Partial<Record<keyof ChannelRecord['groupSettings'], GroupSetting>>;
}

const OPEN: Partial<Record<keyof ChannelRecord['groupSettings'], GroupSetting>> = {
  can_send_message: everyone,
  can_remove_subscribers: group(SystemGroup.administrators),
};

function channel(id: number, options: ChannelOptions = {}): ChannelRecord {
  const { isPrivate = false, isWebPublic = false, isArchived = false, sharesHistory = !isPrivate } = options;
  const fields = { isPrivate, isWebPublic, isArchived, historyPublicToSubscribers: sharesHistory };
  const record = putChannel(directory, id, fields, { ...OPEN, ...options.grants });
  for (const who of [users.subscriber, users.invitedGuest]) directory.subscriptions.add(id, who.id, 1);
  return record;
}

const toChosen: GroupSetting = { directMembers: [users.chosen.id], directSubgroups: [] };
const channels = {
  public: channel(10),
  private: channel(11, { isPrivate: true }),
  shared: channel(12, { isPrivate: true, sharesHistory: true }),
  webPublic: channel(13, { isWebPublic: true }),
  archived: channel(14, { isArchived: true }),
  archivedPrivate: channel(15, { isArchived: true, isPrivate: true }),
  joinable: channel(16, { isPrivate: true, grants: { can_subscribe: toChosen } }),
  growable: channel(17, { isPrivate: true, grants: { can_add_subscribers: toChosen } }),
  administered: channel(18, { isPrivate: true, grants: { can_administer_channel: toChosen } }),
  quiet: channel(19, { grants: { can_send_message: group(SystemGroup.administrators) } }),
  prunable: channel(20, { grants: { can_remove_subscribers: toChosen } }),
};

const allUsers: readonly Who[] = Object.keys(users) as Who[];
const subscribed: readonly Who[] = ['subscriber', 'invitedGuest'];
const members: readonly Who[] = ['owner', 'administrator', 'member', 'subscriber', 'chosen'];
const administrators: readonly Who[] = ['owner', 'administrator'];

/** Which users may do what with which channel. All others are refused. */
const rules: readonly (readonly [keyof typeof channels, ChannelNeed, readonly Who[]])[] = [
  ['public', 'know', [...members, 'invitedGuest']],
  ['public', 'read', [...members, 'invitedGuest']],
  ['public', 'post', [...members, 'invitedGuest']],
  ['public', 'subscribe', [...members, 'invitedGuest']],
  ['public', 'add-subscribers', members],
  ['public', 'remove-subscribers', administrators],
  ['public', 'administer', administrators],

  ['private', 'know', [...administrators, ...subscribed]],
  ['private', 'read', subscribed],
  ['private', 'post', subscribed],
  ['private', 'subscribe', subscribed],
  ['private', 'add-subscribers', ['subscriber']],
  ['private', 'remove-subscribers', administrators],
  ['private', 'administer', administrators],

  ['webPublic', 'know', allUsers],
  ['webPublic', 'read', allUsers],
  ['webPublic', 'subscribe', allUsers],
  ['webPublic', 'add-subscribers', members],

  ['archived', 'know', [...members, 'invitedGuest']],
  ['archived', 'read', [...members, 'invitedGuest']],
  ['archived', 'post', []],
  ['archived', 'type', []],
  ['archived', 'subscribe', [...members, 'invitedGuest']],
  ['archivedPrivate', 'read', subscribed],
  ['archivedPrivate', 'post', []],

  ['joinable', 'know', [...administrators, ...subscribed, 'chosen']],
  ['joinable', 'read', [...subscribed, 'chosen']],
  ['joinable', 'subscribe', [...subscribed, 'chosen']],
  ['joinable', 'add-subscribers', ['subscriber', 'chosen']],
  ['growable', 'know', [...administrators, ...subscribed, 'chosen']],
  ['growable', 'read', [...subscribed, 'chosen']],
  ['growable', 'subscribe', [...subscribed, 'chosen']],
  ['growable', 'add-subscribers', ['subscriber', 'chosen']],
  ['administered', 'know', [...administrators, ...subscribed, 'chosen']],
  ['administered', 'read', subscribed],
  ['administered', 'add-subscribers', ['subscriber']],
  ['administered', 'remove-subscribers', [...administrators, 'chosen']],
  ['administered', 'administer', [...administrators, 'chosen']],

  ['quiet', 'post', administrators],
  ['quiet', 'read', [...members, 'invitedGuest']],
  ['prunable', 'remove-subscribers', [...administrators, 'chosen']],
];

for (const [name, need, expected] of rules) {
  test(`the ${name} channel allows ${need} for ${expected.join(', ') || 'no user'}`, () => {
    const allowed = allUsers.filter((who) => channelRefusal(directory, users[who], channels[name], need) === undefined);
    assert.deepEqual(allowed.toSorted(), expected.toSorted());
  });
}

test('users who may subscribe may read, and users who may do anything can access the metadata', () => {
  const needs: readonly ChannelNeed[] = ['read', 'post', 'subscribe', 'add-subscribers', 'administer'];
  for (const record of Object.values(channels)) {
    for (const who of allUsers) {
      const may = (need: ChannelNeed) => channelRefusal(directory, users[who], record, need) === undefined;
      assert.equal(may('subscribe'), may('read'), `${who} and ${record.name}`);
      for (const need of needs)
        assert(!may(need) || may('know'), `${who} may ${need} ${record.name} without access to its metadata`);
    }
  }
});

test('received messages of protected history are readable, and all messages of shared and public history', () => {
  const access = (who: Who, name: keyof typeof channels) => contentAccess(directory, users[who], channels[name]);
  assert.equal(access('subscriber', 'private'), 'received');
  assert.equal(access('subscriber', 'shared'), 'all');
  assert.equal(access('administrator', 'shared'), 'none');
  assert.equal(access('chosen', 'joinable'), 'received');
  assert.equal(access('member', 'public'), 'all');
  assert.equal(access('invitedGuest', 'public'), 'all');
  assert.equal(access('guest', 'public'), 'none');
  assert.equal(access('guest', 'webPublic'), 'all');
});

const NEEDS: Readonly<Record<ChannelNeed, { readonly byId: string; readonly byName: string }>> = {
  know: { byId: 'Invalid channel ID', byName: "Invalid channel name 'NAME'" },
  narrow: {
    byId: 'Invalid narrow operator: unknown channel ID',
    byName: 'Invalid narrow operator: unknown channel NAME',
  },
  read: { byId: 'Invalid channel ID', byName: "Invalid channel name 'NAME'" },
  post: { byId: "Channel with ID 'ID' does not exist", byName: "Channel 'NAME' does not exist" },
  type: { byId: 'Invalid channel ID', byName: "Invalid channel name 'NAME'" },
  subscribe: { byId: 'Unable to access channel (ID).', byName: 'Unable to access channel (NAME).' },
  unsubscribe: { byId: 'Channel(s) (ID) do not exist', byName: 'Channel(s) (NAME) do not exist' },
  'own-subscription': { byId: 'Invalid channel ID', byName: "Invalid channel name 'NAME'" },
  'add-subscribers': { byId: 'Unable to access channel (ID).', byName: 'Unable to access channel (NAME).' },
  'remove-subscribers': { byId: 'Channel(s) (ID) do not exist', byName: 'Channel(s) (NAME) do not exist' },
  administer: { byId: 'Invalid channel ID', byName: "Invalid channel name 'NAME'" },
};

function refusalOf(act: () => unknown): ApiError {
  try {
    act();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  assert.fail('nothing was refused');
}

/** The content of a refusal, with a placeholder for the name of the channel. */
function contentOf({ code, message, extra }: ApiError, named: ChannelName) {
  const text = JSON.stringify({ code, message, extra });
  return text.replaceAll(String(named), typeof named === 'number' ? 'ID' : 'NAME');
}

for (const [need, { byId, byName }] of Object.entries(NEEDS) as [ChannelNeed, (typeof NEEDS)[ChannelNeed]][]) {
  test(`for ${need}, a hidden channel gives the same error as one that does not exist`, () => {
    const { member } = users;
    const refused = (named: ChannelName) => refusalOf(() => accessChannel(directory, member, named, need));
    const hidden = channels.private;
    assert.equal(refused(999).message.replaceAll('999', 'ID'), byId);
    assert.equal(contentOf(refused(hidden.id), hidden.id), contentOf(refused(999), 999));
    assert.equal(refused('cellar').message.replaceAll('cellar', 'NAME'), byName);
    // In the spelling of the request: the real spelling would reveal the channel.
    assert.equal(contentOf(refused('channel 11'), 'channel 11'), contentOf(refused('cellar'), 'cellar'));
    assert.equal(
      contentOf(channelRefusal(directory, member, hidden, need) ?? assert.fail(), hidden.id),
      contentOf(refused(999), 999),
    );
  });
}

test('a channel is found by its id, and by its name in any case and with surrounding spaces', () => {
  const { member } = users;
  for (const named of [10, 'Channel 10', ' CHANNEL 10 ']) {
    assert.equal(accessChannel(directory, member, named, 'post').id, channels.public.id);
    assert.equal(knownChannel(directory, member, named)?.id, channels.public.id);
  }
  assert.equal(knownChannel(directory, member, 'Channel 11'), undefined);
  assert.equal(knownChannel(directory, member, 999), undefined);
});

test('of many channels, each is returned once, and one error names all that do not exist before any other refusal', () => {
  const { member, subscriber } = users;
  const found = accessChannels(directory, subscriber, ['Channel 10', 11, 'channel 11', 'CHANNEL 10'], 'unsubscribe');
  assert.deepEqual(
    found.map(({ id }) => id),
    [10, 11],
  );
  const named = ['Channel 10', 'Channel 11', 'cellar'];
  for (const need of ['unsubscribe', 'remove-subscribers'] as const) {
    const refused = refusalOf(() => accessChannels(directory, member, named, need));
    assert.equal(refused.message, 'Channel(s) (Channel 11, cellar) do not exist');
  }
  const refused = refusalOf(() => accessChannels(directory, member, ['Channel 10'], 'remove-subscribers'));
  assert.equal(refused.message, 'Insufficient permission');
});

test('channels to join or create are sorted into allowed channels, refused channels and free names', () => {
  const { member } = users;
  const names = ['Channel 10', 'channel 11', 'loom', 'CHANNEL 10', 'Loom'];
  const { allowed, refused, free } = sortChannels(directory, member, names, 'subscribe');
  assert.deepEqual(
    allowed.map(({ id }) => id),
    [10],
  );
  assert.deepEqual(
    refused.map(({ name, refusal }) => [name, refusal.message]),
    [['channel 11', 'Unable to access channel (channel 11).']],
  );
  assert.deepEqual(free, ['loom']);
});

test('a visible channel that a user may not join gives the same error as a hidden one', () => {
  const { administrator, member } = users;
  const message = (user: typeof member) =>
    refusalOf(() => accessChannel(directory, user, 'channel 11', 'subscribe')).message;
  assert.equal(message(administrator), message(member));
});

test('a guest gets no channel permission that guests cannot have, whatever groups they are in', () => {
  const { invitedGuest } = users;
  const toGuest: GroupSetting = { directMembers: [invitedGuest.id], directSubgroups: [] };
  const grants = { can_administer_channel: toGuest, can_add_subscribers: toGuest, can_remove_subscribers: toGuest };
  const record = channel(22, { grants });
  const may = (need: ChannelNeed) => channelRefusal(directory, invitedGuest, record, need) === undefined;
  assert(!may('administer') && !may('add-subscribers'));
  assert(!may('remove-subscribers'), 'although this permission may be granted to everyone');
});

test('the error for a visible channel to which a user may not post names the channel', () => {
  const { administrator, member } = users;
  const { private: hidden, quiet, archived } = channels;
  assert.equal(
    channelRefusal(directory, administrator, hidden, 'post')?.message,
    "Not authorized to send to channel 'Channel 11'",
  );
  assert.equal(
    channelRefusal(directory, member, quiet, 'post')?.message,
    'You do not have permission to post in this channel.',
  );
  assert.equal(
    channelRefusal(directory, member, archived, 'post')?.message,
    "Not authorized to send to channel 'Channel 14'",
  );
});

test('members create public and private channels, guests none, and no user web-public ones without spectator access', () => {
  const may = (who: Who, kind: 'public' | 'private' | 'web-public') =>
    channelCreationRefusal(directory, users[who], kind) === undefined;
  assert(may('member', 'public') && may('member', 'private'));
  assert(!may('invitedGuest', 'public') && !may('invitedGuest', 'private'));
  assert(!may('owner', 'web-public'));
});

// rules: subscriptions-8
test('by default owners create web-public channels, if the server and the organization allow them', () => {
  const stored = { enable_spectator_access: true };
  for (const [isPossible, settings] of [
    [true, {}],
    [false, stored],
  ] as const) {
    const closed = smallDirectory(settings, { webPublicChannels: isPossible, gravatar: true });
    const refusal = channelCreationRefusal(closed, putUser(closed, 1, Role.owner), 'web-public');
    assert.equal(refusal?.message, 'Web-public channels are not enabled.');
  }
  const open = smallDirectory(stored, { webPublicChannels: true, gravatar: true });
  const refused = (role: Role) => channelCreationRefusal(open, putUser(open, role, role), 'web-public')?.message;
  assert.equal(refused(Role.owner), undefined);
  for (const role of [Role.administrator, Role.member]) assert.equal(refused(role), 'Insufficient permission');
  assert.equal(refused(Role.guest), 'Not allowed for guest users');
});
