/** Bounds what the permissions of all channels and groups list together: each register contains all of it. */
import { badRequest } from '@heddle/api/errors.ts';
import type { Directory } from '../directory/directory.ts';
import { type GroupSetting, Role } from '../directory/records.ts';
import { accountOf } from './bots.ts';
import { shareOf } from './shares.ts';

/** Shorter lists do not count: their number is bounded with that of channels and groups. */
const MAX_UNCOUNTED_ENTRIES_PER_LIST = 10;
/** Users and groups in all long lists together, about 3 MB in each register. */
const MAX_LISTED_ENTRIES = 500_000;

/** The users and groups in the long lists of these values. */
export function listedIn(settings: Iterable<GroupSetting | undefined>): number {
  let listed = 0;
  for (const setting of settings) {
    if (setting === undefined || typeof setting === 'number') continue;
    const length = setting.directMembers.length + setting.directSubgroups.length;
    if (length > MAX_UNCOUNTED_ENTRIES_PER_LIST) listed += length;
  }
  return listed;
}

/**
 * Checks the bound, and the share of the account that created the channel or group.
 * @param more listed in the new values, minus what the old ones list
 * @throws ApiError `BAD_REQUEST`
 */
export function checkListed(directory: Directory, creatorId: number | null, more: number): void {
  if (more <= 0) return;
  const creator = creatorId === null ? undefined : directory.user(creatorId);
  const account = creator && accountOf(creator);
  const holder = account === undefined ? undefined : directory.user(account);
  let [all, own] = [more, more];
  for (const { creatorId: otherId, settings } of allPermissions(directory)) {
    const listed = listedIn(Object.values(settings));
    if (listed === 0) continue;
    all += listed;
    const other = otherId === null ? undefined : directory.user(otherId);
    if (other !== undefined && accountOf(other) === account) own += listed;
  }
  if (all > MAX_LISTED_ENTRIES) throw tooMany('limit of the organization', MAX_LISTED_ENTRIES);
  const share = shareOf(MAX_LISTED_ENTRIES);
  if (holder !== undefined && holder.role > Role.administrator && own > share)
    throw tooMany('limit of one user', share);
}

function* allPermissions({ channels, groups }: Directory) {
  for (const { creatorId, groupSettings } of channels.values()) yield { creatorId, settings: groupSettings };
  for (const { creatorId, permissions = {} } of groups.all.values()) yield { creatorId, settings: permissions };
}

function tooMany(limit: string, count: number) {
  return badRequest(`Permissions of channels and groups name too many users and groups (${limit}: ${count})`);
}
