import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ChannelRecord, type GroupSetting, Role, SystemGroup } from '../directory/records.ts';
import { putChannel, putUser, smallDirectory } from '../testing/small-directory.ts';
import {
  accessChannel,
  accessChannelByName,
  type ChannelNeed,
  channelCreationRefusal,
  channelRefusal,
  contentAccess,
} from './channels.ts';

const directory = smallDirectory();
const group = (name: SystemGroup) => directory.groups.idOf(name);
const everyone = group(SystemGroup.everyone);
const user = (id: number, role: Role) => putUser(directory, id, role);

const users = {
  owner: user(1, Role.owner),
  administrator: user(2, Role.administrator),
  member: user(3, Role.member),
  /** A member who is subscribed to everything. */
  subscriber: user(4, Role.member),
  guest: user(5, Role.guest),
  /** A guest who is subscribed to everything. */
  invitedGuest: user(6, Role.guest),
  /** A member whom the channels that say so let do the thing they are named for. */
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
  can_create_topic: everyone,
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
  settled: channel(21, { grants: { can_create_topic: toChosen } }),
};

const everybody: readonly Who[] = Object.keys(users) as Who[];
const subscribed: readonly Who[] = ['subscriber', 'invitedGuest'];
const members: readonly Who[] = ['owner', 'administrator', 'member', 'subscriber', 'chosen'];
const administrators: readonly Who[] = ['owner', 'administrator'];

/** Who may do what with which channel; all others may not. */
const rules: readonly (readonly [keyof typeof channels, ChannelNeed, readonly Who[]])[] = [
  ['public', 'know', [...members, 'invitedGuest']],
  ['public', 'read', [...members, 'invitedGuest']],
  ['public', 'post', [...members, 'invitedGuest']],
  ['public', 'create-topic', [...members, 'invitedGuest']],
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

  ['webPublic', 'know', everybody],
  ['webPublic', 'read', everybody],
  ['webPublic', 'subscribe', everybody],
  ['webPublic', 'add-subscribers', members],

  ['archived', 'know', [...members, 'invitedGuest']],
  ['archived', 'read', [...members, 'invitedGuest']],
  ['archived', 'post', []],
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
  ['settled', 'create-topic', ['chosen']],
  ['settled', 'post', [...members, 'invitedGuest']],
];

for (const [name, need, expected] of rules) {
  test(`the ${name} channel: ${need} is for ${expected.join(', ') || 'nobody'}`, () => {
    const allowed = everybody.filter(
      (who) => channelRefusal(directory, users[who], channels[name], need) === undefined,
    );
    assert.deepEqual(allowed.toSorted(), expected.toSorted());
  });
}

test('whoever may subscribe may read, and whoever may do anything knows the channel', () => {
  const needs: readonly ChannelNeed[] = ['read', 'post', 'subscribe', 'add-subscribers', 'administer'];
  for (const record of Object.values(channels)) {
    for (const who of everybody) {
      const may = (need: ChannelNeed) => channelRefusal(directory, users[who], record, need) === undefined;
      assert.equal(may('subscribe'), may('read'), `${who} and ${record.name}`);
      for (const need of needs)
        assert(!may(need) || may('know'), `${who} may ${need} ${record.name} without knowing it`);
    }
  }
});

test('protected history is readable as far as it was received, shared and public history whole', () => {
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

test('a hidden channel is refused in the words for one that does not exist', () => {
  const message = (act: () => unknown) => {
    try {
      act();
    } catch (error) {
      return (error as Error).message;
    }
    return undefined;
  };
  const { member } = users;
  const hidden = message(() => accessChannel(directory, member, channels.private.id, 'know'));
  assert.equal(hidden, 'Invalid channel ID');
  assert.equal(
    message(() => accessChannel(directory, member, 999, 'know')),
    hidden,
  );
  assert.equal(
    message(() => accessChannelByName(directory, member, 'channel 11', 'know')),
    "Invalid channel name 'channel 11'",
  );
  assert.equal(
    message(() => accessChannelByName(directory, member, 'Channel 11', 'post')),
    "Channel 'Channel 11' does not exist",
  );
  assert.equal(accessChannelByName(directory, member, 'CHANNEL 10', 'post').id, channels.public.id);
});

test('a known channel that one may not post to is refused by name', () => {
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

test('members create public and private channels, guests none, and nobody web-public ones without spectators', () => {
  const may = (who: Who, kind: 'public' | 'private' | 'web-public') =>
    channelCreationRefusal(directory, users[who], kind) === undefined;
  assert(may('member', 'public') && may('member', 'private'));
  assert(!may('invitedGuest', 'public') && !may('invitedGuest', 'private'));
  assert(!may('owner', 'web-public'));
});
