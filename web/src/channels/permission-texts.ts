import type { ChannelPermission } from '@heddle/client/model/channels/channel-record.ts';
import { type Message, msg } from '../base/i18n.ts';

/** The permissions of a channel in the order in which they are shown. */
export const CHANNEL_PERMISSION_LABELS: readonly (readonly [ChannelPermission, Message])[] = [
  ['can_send_message_group', msg('Who can post')],
  ['can_administer_channel_group', msg('Who can administer the channel')],
  ['can_subscribe_group', msg('Who can join')],
  ['can_add_subscribers_group', msg('Who can add others')],
  ['can_remove_subscribers_group', msg('Who can remove others')],
  ['can_move_messages_within_channel_group', msg('Who can move messages inside the channel')],
  ['can_move_messages_out_of_channel_group', msg('Who can move messages to other channels')],
  ['can_resolve_topics_group', msg('Who can resolve topics')],
  ['can_delete_any_message_group', msg('Who can delete any message')],
  ['can_delete_own_message_group', msg('Who can delete own messages')],
];
