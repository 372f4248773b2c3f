import { badRequest } from '@heddle/api/errors.ts';
import type { Change } from '../../directory/organization.ts';
import type { ChannelRecord } from '../../directory/records.ts';
import { amendChannel } from './amending.ts';

/**
 * Who can see a channel. A `protected` channel is private, and subscribers read only messages that were delivered to
 * them.
 */
export type ChannelVisibility = 'web-public' | 'public' | 'private' | 'protected';

/** The fields of a channel that determine its visibility. */
export type VisibilityFields = Pick<ChannelRecord, 'isPrivate' | 'isWebPublic' | 'historyPublicToSubscribers'>;

/**
 * Changes the visibility of a channel, and announces it to users who gain or lose access. Subscriptions stay. The
 * caller checks permissions.
 * @throws ApiError `BAD_REQUEST`: a default channel cannot be private
 */
export async function changeVisibility(
  change: Change,
  channel: ChannelRecord,
  visibility: ChannelVisibility,
): Promise<void> {
  const isPrivate = visibility === 'private' || visibility === 'protected';
  if (isPrivate && channel.isDefault) throw badRequest('A default channel cannot be private.');
  await amendChannel(change, channel, {
    ...channel,
    isPrivate,
    isWebPublic: visibility === 'web-public',
    historyPublicToSubscribers: visibility !== 'protected',
  });
}

export function visibilityOf({
  isPrivate,
  isWebPublic,
  historyPublicToSubscribers,
}: VisibilityFields): ChannelVisibility {
  if (isWebPublic) return 'web-public';
  if (!isPrivate) return 'public';
  return historyPublicToSubscribers ? 'private' : 'protected';
}
