import type { Parameters } from '@heddle/api/contract.ts';
import type { getChannels } from '@heddle/api/endpoints/channels.ts';
import { badRequest } from '@heddle/api/errors.ts';
import { contentAccess } from '../../access/channels.ts';
import type { Directory } from '../../directory/directory.ts';
import { type ChannelRecord, Role, type UserRecord } from '../../directory/records.ts';
import { hasMetadataAccess } from '../../directory/visibility.ts';
import { byName } from './queries.ts';

type Filters = Parameters<typeof getChannels>;

/**
 * Returns the channels that match the filters and that the caller can access, sorted by name (interface document,
 * `GET /streams`).
 * @throws ApiError `BAD_REQUEST`: only administrators can use the old name of `include_all`
 */
export function listChannels(directory: Directory, caller: UserRecord, filters: Filters): ChannelRecord[] {
  if (filters.include_all_active && caller.role > Role.administrator) {
    throw badRequest('User not authorized for this query');
  }
  const owner = caller.botOwnerId;
  const isWanted = (channel: ChannelRecord): boolean => {
    if (filters.include_all || filters.include_all_active) return true;
    if (filters.include_public && caller.role !== Role.guest && !channel.isPrivate) return true;
    if (filters.include_web_public && channel.isWebPublic) return true;
    if (filters.include_subscribed && directory.subscriptions.has(channel.id, caller.id)) return true;
    return filters.include_can_access_content && contentAccess(directory, caller, channel) !== 'none';
  };
  const isOwners = (channel: ChannelRecord): boolean =>
    filters.include_owner_subscribed &&
    caller.isBot &&
    owner !== null &&
    directory.subscriptions.has(channel.id, owner);

  const found = [...directory.channels.values()].filter((channel) => {
    if (channel.isArchived && filters.exclude_archived) return false;
    // The filter for the owner's channels also shows a bot channels that the bot cannot access.
    return isOwners(channel) || (isWanted(channel) && hasMetadataAccess(directory, caller, channel));
  });
  return found.sort(byName);
}
