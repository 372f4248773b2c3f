import type { OptimisticChange } from '../../directory/organization.ts';
import { channelDelta } from '../../directory/state-deltas.ts';
import type { ChannelEvent } from './present.ts';

/** Announces the first message of a channel after messages were deleted or moved. Null: the channel is empty. */
export function announceFirstMessage(
  { directory, append }: OptimisticChange,
  channelId: number,
  firstMessageId: number | null,
): void {
  const channel = directory.channel(channelId);
  // Another process has just created the channel. This directory is older, so the commit will fail and retry.
  if (channel === undefined) return;
  const { name, isArchived } = channel;
  const archived = isArchived ? { isArchived } : {};
  const body: ChannelEvent = { op: 'first-message', channelId, name, firstMessageId, ...archived };
  const deltas = [channelDelta({ ...channel, firstMessageId }, channel)];
  append({ type: 'stream', audience: { to: 'channel-viewers', channelId }, body, deltas });
}
