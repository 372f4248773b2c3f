/**
 * Who may send which messages (public reference: "Channel posting policy", "Topics policy", "Restrict direct messages",
 * "Restrict wildcard mentions", "Configure who can mention a group").
 */
import { badRequest, topicNotAllowed } from '@heddle/api/errors.ts';
import type { Directory } from '../directory/directory.ts';
import { type ChannelRecord, SystemGroup, type UserRecord } from '../directory/records.ts';
import { hasGroupPermission } from './groups.ts';
import { EMPTY_TOPIC_DISPLAY_NAME } from './limits.ts';
import { hasPermission, organizationSetting } from './organization-settings.ts';

/** @throws ApiError if the topics policy of the channel does not allow the topic */
export function checkTopicsPolicy(directory: Directory, channel: ChannelRecord, topic: string): void {
  const policy =
    channel.topicsPolicy === 'inherit' ? organizationSetting(directory, 'topics_policy') : channel.topicsPolicy;
  if (policy === 'disable_empty_topic' && topic === '') {
    throw topicNotAllowed(
      `Sending messages to the ${EMPTY_TOPIC_DISPLAY_NAME} is not allowed in this channel.`,
      EMPTY_TOPIC_DISPLAY_NAME,
    );
  }
  if (policy === 'empty_topic_only' && topic !== '') {
    throw topicNotAllowed(
      `Only the ${EMPTY_TOPIC_DISPLAY_NAME} topic is allowed in this channel.`,
      EMPTY_TOPIC_DISPLAY_NAME,
    );
  }
}

/**
 * @param conversationExists whether the conversation has messages; only used if `mayStartConversations` is false
 * @throws ApiError if the organization restricts direct messages
 */
export function checkMayWriteDirectly(
  directory: Directory,
  sender: UserRecord,
  participants: readonly UserRecord[],
  conversationExists: boolean,
): void {
  const others = participants.filter((participant) => participant.id !== sender.id);
  if (others.every((participant) => participant.isBot)) return;
  const permission = organizationSetting(directory, 'direct_message_permission_group');
  if (!participants.some((participant) => hasPermission(directory, participant, 'direct_message_permission_group'))) {
    throw permission === directory.groups.idOf(SystemGroup.nobody)
      ? badRequest('Direct messages are disabled in this organization.')
      : badRequest('This conversation does not include any users who can authorize it.');
  }
  if (!conversationExists && !mayStartConversations(directory, sender)) {
    throw badRequest('You do not have permission to initiate direct message conversations.');
  }
}

/** Whether the user may start direct conversations. If so, callers need not look up whether a conversation exists. */
export function mayStartConversations(directory: Directory, user: UserRecord): boolean {
  return hasPermission(directory, user, 'direct_message_initiator_group');
}

/** @throws ApiError `BAD_REQUEST` if the sender may not mention one of the groups */
export function checkMayMentionGroups(directory: Directory, sender: UserRecord, groupIds: readonly number[]): void {
  for (const id of groupIds) {
    const group = directory.groups.all.get(id);
    if (group !== undefined && !hasGroupPermission(directory, sender, group, 'can_mention_group')) {
      throw badRequest(`You are not allowed to mention user group '${group.name}'.`);
    }
  }
}

/** Whether the user may mention everyone in large channels. */
export function mayMentionMany(directory: Directory, user: UserRecord): boolean {
  return hasPermission(directory, user, 'can_mention_many_users_group');
}
