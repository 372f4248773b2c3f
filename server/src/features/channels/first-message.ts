import { channelFact } from '../../directory/facts.ts';
import type { OrdinaryChange } from '../../directory/organization.ts';
import type { ChannelEvent } from './present.ts';

/** Tells those who may know the channel which message is its first now, since others were deleted or moved; null: it has none. */
export function announceFirstMessage(
  { directory, append }: OrdinaryChange,
  channelId: number,
  firstMessageId: number | null,
): void {
  const channel = directory.channel(channelId);
  // Another process has just made it: the change is held against an older directory, and will be refused and made again.
  if (channel === undefined) return;
  const { name, isArchived } = channel;
  const archived = isArchived ? { isArchived } : {};
  const body: ChannelEvent = { op: 'first-message', channelId, name, firstMessageId, ...archived };
  const facts = [channelFact({ ...channel, firstMessageId }, channel)];
  append({ type: 'stream', audience: { to: 'channel-viewers', channelId }, body, facts });
}
