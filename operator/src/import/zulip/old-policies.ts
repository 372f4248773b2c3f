/** Policies of older versions of the reference server. Each is a number or a choice. Newer versions have permissions. */
import { SystemGroup } from '@heddle/api/permissions.ts';
import type { Json } from '../fields.ts';

const { administrators, everyone, fullMembers, members, moderators, nobody, owners } = SystemGroup;

type Groups = ReadonlyMap<unknown, SystemGroup>;

const COMMON: Groups = new Map<unknown, SystemGroup>([
  [1, members],
  [2, administrators],
  [3, fullMembers],
  [4, moderators],
  [5, everyone],
  [6, nobody],
  [7, owners],
]);

const MENTIONS: Groups = new Map<unknown, SystemGroup>([
  [1, everyone],
  [2, members],
  [3, fullMembers],
  // Those of the channel, which these versions did not have yet.
  [4, administrators],
  [5, administrators],
  [6, nobody],
  [7, moderators],
]);

const POSTS: Groups = new Map<unknown, SystemGroup>([
  [1, everyone],
  [2, administrators],
  [3, fullMembers],
  [4, moderators],
]);

const choice = (ifTrue: SystemGroup, ifFalse: SystemGroup): Groups =>
  new Map<unknown, SystemGroup>([
    [true, ifTrue],
    [false, ifFalse],
  ]);

const BOTS: Groups = new Map<unknown, SystemGroup>([
  [1, members],
  [2, administrators],
  [3, administrators],
]);
const WRITE_ONLY_BOTS: Groups = new Map<unknown, SystemGroup>([
  [1, members],
  [2, members],
  [3, administrators],
]);

type Policy = readonly [permission: string, column: string, groups: Groups];

/** If two have the same permission, the first one is newer. */
export const OF_ORGANIZATIONS: readonly Policy[] = [
  ['can_add_custom_emoji_group', 'add_custom_emoji_policy', COMMON],
  ['can_add_custom_emoji_group', 'add_emoji_by_admins_only', choice(administrators, members)],
  ['can_add_subscribers_group', 'invite_to_stream_policy', COMMON],
  ['can_create_bots_group', 'bot_creation_policy', BOTS],
  ['can_create_groups', 'user_group_edit_policy', COMMON],
  ['can_create_private_channel_group', 'create_private_stream_policy', COMMON],
  ['can_create_private_channel_group', 'create_stream_policy', COMMON],
  ['can_create_public_channel_group', 'create_public_stream_policy', COMMON],
  ['can_create_public_channel_group', 'create_stream_policy', COMMON],
  ['can_create_web_public_channel_group', 'create_web_public_stream_policy', COMMON],
  ['can_create_write_only_bots_group', 'bot_creation_policy', WRITE_ONLY_BOTS],
  ['can_delete_own_message_group', 'delete_own_message_policy', COMMON],
  ['can_delete_own_message_group', 'allow_message_deleting', choice(everyone, administrators)],
  ['can_invite_users_group', 'invite_to_realm_policy', COMMON],
  ['can_invite_users_group', 'invite_by_admins_only', choice(administrators, members)],
  ['can_mention_many_users_group', 'wildcard_mention_policy', MENTIONS],
  ['can_move_messages_between_channels_group', 'move_messages_between_streams_policy', COMMON],
  ['can_move_messages_between_topics_group', 'edit_topic_policy', COMMON],
  ['can_move_messages_between_topics_group', 'allow_community_topic_editing', choice(everyone, administrators)],
  [
    'direct_message_permission_group',
    'private_message_policy',
    new Map<unknown, SystemGroup>([
      [1, everyone],
      [2, nobody],
    ]),
  ],
];

export const OF_CHANNELS: readonly Policy[] = [
  ['can_send_message_group', 'stream_post_policy', POSTS],
  ['can_send_message_group', 'is_announcement_only', choice(administrators, everyone)],
];

export function columnsOf(policies: readonly Policy[]): string {
  return [...new Set(policies.map(([, column]) => column))].join(' ');
}

/** The system groups by the names of the permissions. A value that no version had is no name of a group. */
export function policiesOf(row: Json, policies: readonly Policy[]): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [permission, column, groups] of policies) {
    const given = row[column];
    const isKnown = found[permission] !== undefined || (row[permission] ?? undefined) !== undefined;
    if (isKnown || given === undefined || given === null) continue;
    found[permission] = groups.get(given) ?? `${column} ${String(given)}`;
  }
  return found;
}
