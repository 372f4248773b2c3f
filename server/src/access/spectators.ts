/**
 * Spectators are whoever asks without credentials: what they may see (public reference: "Public access option"). Where they see nothing
 * they are nobody: they are asked for credentials, in the same words whatever there is.
 */
import { credentialsMissing } from '@heddle/api/errors.ts';
import type { Directory } from '../directory/directory.ts';
import type { ChannelRecord, UserRecord } from '../directory/records.ts';
import { organizationSetting } from './organization-settings.ts';

/** Who reads: an account, or a spectator, who has none. */
export type Viewer = UserRecord | undefined;

/** Whether the organization may have channels for spectators: the server and the organization must want it. */
export function hasSpectatorAccess(directory: Directory): boolean {
  return directory.server.webPublicChannels && organizationSetting(directory, 'enable_spectator_access');
}

/** Whether spectators know the channel and read all of it. Of archived channels they know nothing. */
export function showsSpectators(directory: Directory, channel: ChannelRecord): boolean {
  if (!channel.isWebPublic || channel.isPrivate || channel.isArchived) return false;
  return hasSpectatorAccess(directory);
}

/** The channels that spectators see. */
export function spectatorChannels(directory: Directory): readonly ChannelRecord[] {
  if (!hasSpectatorAccess(directory)) return [];
  return [...directory.channels.values()].filter((channel) => showsSpectators(directory, channel));
}

/** Whether there is anything for spectators to see. */
export function letsSpectatorsIn(directory: Directory): boolean {
  if (!hasSpectatorAccess(directory)) return false;
  for (const channel of directory.channels.values()) if (showsSpectators(directory, channel)) return true;
  return false;
}

/** @throws ApiError `UNAUTHORIZED` where spectators see nothing */
export function checkSpectatorsLetIn(directory: Directory): void {
  if (!letsSpectatorsIn(directory)) throw credentialsMissing();
}
