import { badRequest } from '@heddle/api/errors.ts';
import type { Change } from '../../directory/organization.ts';
import type { ChannelRecord } from '../../directory/records.ts';
import { amendChannel } from '../../domain/channels/amending.ts';
import type { ChannelVisibility } from '../../domain/channels/visibility.ts';

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
