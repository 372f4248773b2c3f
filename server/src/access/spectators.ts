/**
 * Spectators are clients without credentials: what they may see (public reference: "Public access option"). If the
 * organization shows them nothing, they get the same error for every request: credentials are missing.
 */
import { credentialsMissing } from '@heddle/api/errors.ts';
import type { Directory } from '../directory/directory.ts';
import type { ChannelRecord, UserRecord } from '../directory/records.ts';
import { organizationSetting } from './organization-settings.ts';

/** A reader: an account, or undefined for a spectator. */
export type Viewer = UserRecord | undefined;

/** Whether the organization may have channels for spectators. The server and the organization must both allow it. */
export function hasSpectatorAccess(directory: Directory): boolean {
  return directory.server.webPublicChannels && organizationSetting(directory, 'enable_spectator_access');
}

/** Whether spectators can see the channel and read all of it. They do not see archived channels. */
export function showsSpectators(directory: Directory, channel: ChannelRecord): boolean {
  if (!channel.isWebPublic || channel.isPrivate || channel.isArchived) return false;
  return hasSpectatorAccess(directory);
}

/** The channels that spectators can see. */
export function spectatorChannels(directory: Directory): readonly ChannelRecord[] {
  if (!hasSpectatorAccess(directory)) return [];
  return [...directory.channels.values()].filter((channel) => showsSpectators(directory, channel));
}

/** Whether spectators can see at least one channel. */
export function letsSpectatorsIn(directory: Directory): boolean {
  if (!hasSpectatorAccess(directory)) return false;
  for (const channel of directory.channels.values()) if (showsSpectators(directory, channel)) return true;
  return false;
}

/** @throws ApiError `UNAUTHORIZED` if spectators can see nothing */
export function checkSpectatorsLetIn(directory: Directory): void {
  if (!letsSpectatorsIn(directory)) throw credentialsMissing();
}
