import { badRequest } from '@heddle/api/errors.ts';
import type { Change } from '../../directory/organization.ts';
import type { ChannelRecord } from '../../directory/records.ts';
import { amendChannel } from './amending.ts';

/** Who sees a channel; `protected`: private, and subscribers read only what they received. */
export type ChannelVisibility = 'web-public' | 'public' | 'private' | 'protected';

/** The fields of a channel that say so. */
export type VisibilityFields = Pick<ChannelRecord, 'isPrivate' | 'isWebPublic' | 'historyPublicToSubscribers'>;

/**
 * Changes who sees a channel, and tells those who gain or lose it by that. Subscriptions stay. Whether the caller may is the caller's
 * question.
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
