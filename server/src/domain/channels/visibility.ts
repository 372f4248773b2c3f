import type { ChannelRecord } from '../../directory/records.ts';

/**
 * Who can see a channel. A `protected` channel is private, and subscribers read only messages that were delivered to
 * them.
 */
export type ChannelVisibility = 'web-public' | 'public' | 'private' | 'protected';

/** The fields of a channel that determine its visibility. */
export type VisibilityFields = Pick<ChannelRecord, 'isPrivate' | 'isWebPublic' | 'historyPublicToSubscribers'>;

export function visibilityOf({
  isPrivate,
  isWebPublic,
  historyPublicToSubscribers,
}: VisibilityFields): ChannelVisibility {
  if (isWebPublic) return 'web-public';
  if (!isPrivate) return 'public';
  return historyPublicToSubscribers ? 'private' : 'protected';
}
