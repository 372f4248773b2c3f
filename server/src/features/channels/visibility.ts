import { badRequest } from '@heddle/api/errors.ts';
import { channelFact } from '../../directory/facts.ts';
import type { Change } from '../../directory/organization.ts';
import type { ChannelRecord } from '../../directory/records.ts';
import { kindOf } from '../../directory/visibility.ts';
import type { Audience } from '../../log/event.ts';
import { forgetChannels, revealChannels } from './access-events.ts';
import type { ChannelEvent } from './present.ts';

/** Who sees a channel; `protected`: private, and subscribers read only what they received. */
export type ChannelVisibility = 'web-public' | 'public' | 'private' | 'protected';

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
  const { db, directory, append } = change;
  const isPrivate = visibility === 'private' || visibility === 'protected';
  const isWebPublic = visibility === 'web-public';
  const historyPublicToSubscribers = visibility !== 'protected';
  if (isPrivate && channel.isDefault) throw badRequest('A default channel cannot be private.');
  if (
    channel.isPrivate === isPrivate &&
    channel.isWebPublic === isWebPublic &&
    channel.historyPublicToSubscribers === historyPublicToSubscribers
  ) {
    return;
  }
  await db
    .updateTable('channels')
    .set({
      is_private: isPrivate,
      is_web_public: isWebPublic,
      history_public_to_subscribers: historyPublicToSubscribers,
    })
    .where('organization_id', '=', directory.organization.id)
    .where('id', '=', channel.id)
    .execute();

  const changed = { ...channel, isPrivate, isWebPublic, historyPublicToSubscribers };
  // Both before the fact: who knows the channel is until then as it was.
  const now: Audience = { to: 'channel-viewers', channelId: channel.id };
  const then: Audience = { ...now, as: kindOf(changed) };
  if (kindOf(changed) !== kindOf(channel)) {
    forgetChannels(change, [channel], { to: 'any', of: [now], except: then });
    await revealChannels(change, [changed], { to: 'any', of: [then], except: now });
  }
  const { id, name, isArchived } = channel;
  const body: ChannelEvent = {
    op: 'visibility',
    channelId: id,
    name,
    isArchived,
    isPrivate,
    isWebPublic,
    historyPublicToSubscribers,
  };
  append({ type: 'stream', audience: now, body, facts: [channelFact(changed, channel)] });
}
