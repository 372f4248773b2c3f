import type { briefUser, listedUser, spectatedUser, user as userSchema } from '@heddle/api/objects/user.ts';
import type { Static } from 'typebox';
import { seesAddress, standInAddress } from '../../../access/addresses.ts';
import { STRANGER } from '../../../access/people.ts';
import type { Directory } from '../../../directory/directory.ts';
import { Role, type UserRecord } from '../../../directory/records.ts';
import { presentProfile } from '../profile-fields/queries.ts';
import { avatarOf, avatarUrlFor, hasUploadedAvatar, mediumAvatarUrl, unknownAvatarUrl } from './avatars.ts';
import { asSpectatorsSee, SPECTATOR } from './seen-by-spectators.ts';

export interface UserPresentation {
  /** The client computes gravatars itself, and gets null for them. */
  readonly clientGravatar: boolean;
  /** Whether the object has the values of custom profile fields. */
  readonly withProfileData: boolean;
  /** The reader, or the role that all readers share. It decides which addresses are visible. */
  readonly reader: Pick<UserRecord, 'id' | 'role'>;
}

/** A user in the API's format (interface document, "User"). */
export function presentUser(
  directory: Directory,
  user: UserRecord,
  presentation: UserPresentation,
): Static<typeof userSchema> {
  return { ...presentListed(directory, user, presentation), is_active: user.isActive };
}

/**
 * The same for lists whose name says whether the users are active. With `is_active` in them, clients would have to
 * update it.
 */
export function presentListed(
  directory: Directory,
  user: UserRecord,
  presentation: UserPresentation,
): Static<typeof listedUser> {
  return {
    user_id: user.id,
    delivery_email: seesAddress(presentation.reader, user) ? user.deliveryEmail : null,
    email: user.email,
    full_name: user.fullName,
    date_joined: isoTime(user.joinedAt),
    is_owner: user.role === Role.owner,
    is_admin: user.role <= Role.administrator,
    is_guest: user.role === Role.guest,
    is_bot: user.isBot,
    bot_type: user.botType,
    ...(user.isBot && { bot_owner_id: user.botOwnerId }),
    ...(user.systemBot !== undefined && { is_system_bot: true }),
    // The column has no other values.
    role: user.systemBot === undefined ? (user.role as Role) : Role.member,
    timezone: user.timezone,
    avatar_url: avatarUrlFor(directory, user, presentation.clientGravatar),
    avatar_version: user.avatarVersion,
    ...(presentation.withProfileData && !user.isBot && { profile_data: presentProfile(directory, user.id) }),
  };
}

/** The avatars of users who never changed theirs have this version. */
const FIRST_AVATAR_VERSION = 1;

/**
 * The same for clients with the capability `brief_users`: without what follows from the role, and what has the usual value. It has less than half
 * of the bytes, which matter for a hundred thousand users.
 */
export function presentBrief(
  directory: Directory,
  user: UserRecord,
  presentation: Omit<UserPresentation, 'withProfileData'>,
): Static<typeof briefUser> {
  const listed = presentListed(directory, user, { ...presentation, withProfileData: true });
  const {
    user_id,
    email,
    delivery_email,
    full_name,
    date_joined,
    role,
    bot_type,
    avatar_url,
    profile_data = {},
  } = listed;
  return {
    user_id,
    email,
    ...(delivery_email !== email && { delivery_email }),
    full_name,
    date_joined,
    role,
    ...(listed.is_bot && { is_bot: true }),
    ...(bot_type !== null && { bot_type }),
    ...('bot_owner_id' in listed && { bot_owner_id: listed.bot_owner_id }),
    ...(listed.timezone !== '' && { timezone: listed.timezone }),
    ...(avatar_url !== null && { avatar_url }),
    ...(listed.avatar_version !== FIRST_AVATAR_VERSION && { avatar_version: listed.avatar_version }),
    ...(Object.keys(profile_data).length > 0 && { profile_data }),
  };
}

/**
 * The placeholder for an inaccessible user (public reference: `user_list_incomplete`). Only the id is real. It always
 * describes an active member.
 */
export function presentInaccessible(directory: Directory, userId: number): Static<typeof userSchema> {
  return { ...presentListedInaccessible(directory, userId), is_active: true };
}

/** The same for the list of active users. */
export function presentListedInaccessible(directory: Directory, userId: number): Static<typeof listedUser> {
  return {
    user_id: userId,
    delivery_email: null,
    email: standInAddress(userId, directory.host),
    full_name: STRANGER,
    date_joined: isoTime(0),
    is_owner: false,
    is_admin: false,
    is_guest: false,
    is_bot: false,
    bot_type: null,
    role: Role.member,
    timezone: '',
    avatar_url: unknownAvatarUrl('small'),
    avatar_version: 1,
    profile_data: {},
  };
}

/**
 * A picture for its owner, and for everyone when it changes. It has the URLs even for clients that compute gravatars.
 */
export function presentAvatar(directory: Directory, user: UserRecord) {
  return {
    avatar_source: hasUploadedAvatar(user) ? ('U' as const) : ('G' as const),
    avatar_url: avatarOf(directory, user).url,
    avatar_url_medium: mediumAvatarUrl(directory, user),
  };
}

/** A user in the list for spectators: without personal data, and with the day of joining instead of the time. */
export function presentForSpectators(
  directory: Directory,
  user: UserRecord,
  host: string,
): Static<typeof spectatedUser> {
  const presentation = { clientGravatar: false, withProfileData: false, reader: SPECTATOR };
  const seen = presentListed(directory, asSpectatorsSee(user, host), presentation);
  const { timezone: _, ...presented } = seen;
  return { ...presented, delivery_email: null, date_joined: isoTime(user.joinedAt).slice(0, 10) };
}

/** @param seconds since the epoch */
function isoTime(seconds: number): string {
  // The input has whole seconds, so the fraction is always `.000Z`.
  return `${new Date(seconds * 1000).toISOString().slice(0, -5)}+00:00`;
}
