import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Role, SystemGroup } from '../directory/records.ts';
import { putChannel, putUser, smallDirectory } from '../testing/database/small-directory.ts';
import { ORGANIZATION_SETTING_NAMES } from './organization-settings.ts';
import {
  type ChannelSetting,
  channelSettingRefusal,
  newChannelSettingRefusal,
  organizationSettingRefusal,
} from './setting-changes.ts';

const directory = smallDirectory();
const users = {
  owner: putUser(directory, 1, Role.owner),
  administrator: putUser(directory, 2, Role.administrator),
  moderator: putUser(directory, 3, Role.moderator),
  member: putUser(directory, 4, Role.member),
  guest: putUser(directory, 5, Role.guest),
  /** A member who may administer the channel but cannot read it. */
  keeper: putUser(directory, 6, Role.member),
  /** A subscriber who may also administer the channel. */
  host: putUser(directory, 7, Role.moderator),
};
type Who = keyof typeof users;

const channel = putChannel(
  directory,
  10,
  { isPrivate: true },
  { can_administer_channel: { directMembers: [users.keeper.id, users.host.id], directSubgroups: [] } },
);
directory.subscriptions.add(channel.id, users.host.id, 1);
directory.subscriptions.add(channel.id, users.member.id, 1);

const allUsers = Object.keys(users) as Who[];
const whoMay = (refusal: (who: Who) => Error | undefined) => allUsers.filter((who) => refusal(who) === undefined);

test('administrators change the settings of the organization, and some need an owner', () => {
  const forOwners: string[] = [];
  for (const name of ORGANIZATION_SETTING_NAMES) {
    const who = whoMay((user) => organizationSettingRefusal(users[user], name));
    if (who.length === 1) forOwners.push(name);
    else assert.deepEqual(who, ['owner', 'administrator'], name);
  }
  assert.deepEqual(forOwners.toSorted(), [
    'can_create_groups',
    'can_invite_users_group',
    'can_manage_all_groups',
    'can_manage_billing_group',
    'create_multiuse_invite_group',
    'disallow_disposable_email_addresses',
    'emails_restricted_to_domains',
    'invite_required',
    'message_retention_days',
    'waiting_period_threshold',
  ]);
  assert.equal(
    organizationSettingRefusal(users.administrator, 'invite_required')?.message,
    'Must be an organization owner',
  );
});

const channelSettingRules: readonly (readonly [ChannelSetting, readonly Who[]])[] = [
  ['name', ['owner', 'administrator', 'keeper', 'host']],
  ['description', ['owner', 'administrator', 'keeper', 'host']],
  ['isPrivate', ['host']],
  ['isDefault', ['owner', 'administrator']],
  ['message_retention_days', ['owner']],
  ['topics_policy', ['owner', 'administrator', 'keeper', 'host']],
  ['can_send_message', ['owner', 'administrator', 'keeper', 'host']],
  ['can_administer_channel', ['owner', 'administrator', 'keeper', 'host']],
  ['can_subscribe', ['host']],
  ['can_add_subscribers', ['host']],
  ['can_delete_any_message', ['owner', 'administrator', 'host']],
  ['can_delete_own_message', ['owner', 'administrator', 'host']],
];
for (const [setting, expected] of channelSettingRules) {
  test(`${expected.join(', ')} may change ${setting} of a private channel`, () => {
    assert.deepEqual(
      whoMay((who) => channelSettingRefusal(directory, users[who], setting, channel)),
      expected,
    );
  });
}

test('the creator of a channel may choose every setting that its administrators may', () => {
  const may = (who: Who, setting: ChannelSetting) =>
    newChannelSettingRefusal(directory, users[who], setting) === undefined;
  assert(may('member', 'can_send_message') && may('member', 'can_subscribe'));
  assert(may('administrator', 'isDefault') && !may('member', 'isDefault'));
  assert(may('owner', 'message_retention_days') && !may('administrator', 'message_retention_days'));
  assert.equal(
    newChannelSettingRefusal(directory, users.member, 'message_retention_days')?.code,
    'UNAUTHORIZED_PRINCIPAL',
  );
  assert(may('administrator', 'can_delete_any_message') && !may('member', 'can_delete_any_message'));
  assert(may('moderator', 'can_delete_own_message') && !may('member', 'can_delete_own_message'));
  assert(may('member', 'topics_policy') && !may('guest', 'topics_policy'));
});

test("the organization's settings decide who sets policies of topics and deletion; its administrators always may", () => {
  const strict = smallDirectory({
    can_set_topics_policy_group: directory.groups.idOf(SystemGroup.nobody),
    can_set_delete_message_policy_group: directory.groups.idOf(SystemGroup.members),
  });
  assert(newChannelSettingRefusal(strict, users.moderator, 'topics_policy') !== undefined);
  assert.equal(newChannelSettingRefusal(strict, users.administrator, 'topics_policy'), undefined);
  assert.equal(newChannelSettingRefusal(strict, users.member, 'can_delete_any_message'), undefined);
});

test('a user who may not change the default channels gets that error if the channel exists', () => {
  const words = 'You do not have permission to change default channels.';
  assert.equal(channelSettingRefusal(directory, users.keeper, 'isDefault', channel)?.message, words);
  assert.equal(newChannelSettingRefusal(directory, users.member, 'isDefault')?.message, 'Insufficient permission');
});
