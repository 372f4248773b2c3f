import type { PlaceOfPin } from '@heddle/client/calls/types.ts';
import type { ChannelRecord } from '@heddle/client/model/channels/channel-record.ts';
import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { type PermissionResult, refused } from '@heddle/client/model/permissions/permission-result.ts';
import { factsOf, nowSeconds } from '../../content/message-facts.ts';

/** What decides about the commands of a message. */
export interface CommandFacts {
  readonly model: Model;
  readonly record: MessageRecord;
  readonly isOwn: boolean;
  readonly edit: PermissionResult;
  readonly remove: PermissionResult;
}

export function commandFacts(model: Model, record: MessageRecord): CommandFacts {
  const { messages } = model.permissions;
  return {
    model,
    record,
    isOwn: record.senderId === model.ownId,
    edit: messages.editContent(factsOf(record), nowSeconds()),
    remove: messages.delete(factsOf(record), nowSeconds()),
  };
}

export function mayReact({ model, record }: CommandFacts): PermissionResult {
  return model.permissions.messages.react(factsOf(record));
}

/** Polls and to-do lists have no text to edit. */
export function isOwnText({ isOwn, record }: CommandFacts): boolean {
  return isOwn && record.submessages.length === 0;
}

export function isInChannel(facts: CommandFacts): boolean {
  return channelOf(facts) !== undefined;
}

/** Whether the message can go to another channel, or to another topic of its channel. */
export function mayMove(facts: CommandFacts): PermissionResult {
  const { permissions } = facts.model;
  const channel = channelOf(facts);
  const leave = permissions.has('can_move_messages_between_channels_group');
  if (channel === undefined || (leave.allowed && !channel.isArchived)) return leave;
  return permissions.messages.move({ from: channel, to: channel, topic: 'renamed' });
}

/** Whether the user may pin and unpin messages of the channel. */
export function mayPin(facts: CommandFacts): PermissionResult {
  const channel = channelOf(facts);
  return channel === undefined ? refused('hidden') : facts.model.permissions.messages.pin(channel);
}

/** Where the message is pinned, as far as the client knows. */
export function pinOf({ model, record: { id, place } }: CommandFacts): PlaceOfPin | undefined {
  return place.kind === 'topic' ? model.cache.pinned.placeOf(place.channelId, id) : undefined;
}

function channelOf({ model, record: { place } }: CommandFacts): ChannelRecord | undefined {
  return place.kind === 'topic' ? model.channels.get(place.channelId) : undefined;
}

export function hasHistory({ model, record: { editedAt, movedAt } }: CommandFacts): boolean {
  const policy = model.organization.settings.message_edit_history_visibility_policy;
  if (policy === 'none') return false;
  return movedAt !== undefined || (policy !== 'moves' && editedAt !== undefined);
}

export function hasReceipts({ model }: CommandFacts): boolean {
  return model.organization.settings.enable_read_receipts;
}

export function canReport({ model, isOwn }: CommandFacts): boolean {
  return !isOwn && model.organization.settings.moderation_request_channel_id > 0;
}
