import type { listedUser, spectatedUser, user as userSchema } from '@heddle/api/objects/user.ts';
import type { Static } from 'typebox';
import { seesAddress, standInAddress } from '../../access/addresses.ts';
import { STRANGER } from '../../access/people.ts';
import type { Directory } from '../../directory/directory.ts';
import { Role, type UserRecord } from '../../directory/records.ts';
import { presentProfile } from '../profile-fields/queries.ts';
import { avatarOf, avatarUrlFor, hasUploadedAvatar, mediumAvatarUrl, unknownAvatarUrl } from './avatars.ts';
import { asSpectatorsSee, SPECTATOR } from './seen-by-spectators.ts';

export interface UserPresentation {
  /** The client computes gravatar pictures itself: it gets null for them. */
  readonly clientGravatar: boolean;
  /** With the values of custom profile fields. */
  readonly withProfileData: boolean;
  /** Who reads it, or what all of them have in common: whose addresses they are told follows from that. */
  readonly reader: Pick<UserRecord, 'id' | 'role'>;
}

/** A user as the wire has it (interface document, "User"). */
export function presentUser(
  directory: Directory,
  user: UserRecord,
  presentation: UserPresentation,
): Static<typeof userSchema> {
  return { ...presentListed(directory, user, presentation), is_active: user.isActive };
}

/** The same for a list that says by its name whether those in it are active: else clients would have to keep the field true. */
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
    // The column holds nothing else.
    role: user.systemBot === undefined ? (user.role as Role) : Role.member,
    timezone: user.timezone,
    avatar_url: avatarUrlFor(directory, user, presentation.clientGravatar),
    avatar_version: user.avatarVersion,
    ...(presentation.withProfileData && !user.isBot && { profile_data: presentProfile(directory, user.id) }),
  };
}

/**
 * What stands for somebody whom the reader may not know: only the id is theirs (public reference: `user_list_incomplete`). Whatever
 * they are, it says that they are an active member.
 */
export function presentStranger(directory: Directory, userId: number): Static<typeof userSchema> {
  return { ...presentListedStranger(directory, userId), is_active: true };
}

/** The same for the list of those who are active. */
export function presentListedStranger(directory: Directory, userId: number): Static<typeof listedUser> {
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

/** A picture as its owner is told of it, and everybody where it changes: whole, also to clients that compute gravatars. */
export function presentAvatar(directory: Directory, user: UserRecord) {
  return {
    avatar_source: hasUploadedAvatar(user) ? ('U' as const) : ('G' as const),
    avatar_url: avatarOf(directory, user).url,
    avatar_url_medium: mediumAvatarUrl(directory, user),
  };
}

/** A user as spectators are told of them in such a list: without what is personal, and of when they joined the day alone. */
export function presentForSpectators(
  directory: Directory,
  user: UserRecord,
  host: string,
): Static<typeof spectatedUser> {
  const presentation = { clientGravatar: false, withProfileData: false, reader: SPECTATOR };
  const seen = presentListed(directory, asSpectatorsSee(user, host), presentation);
  const { timezone: _, ...told } = seen;
  return { ...told, delivery_email: null, date_joined: isoTime(user.joinedAt).slice(0, 10) };
}

/** @param seconds since the epoch */
function isoTime(seconds: number): string {
  // Whole seconds: the fraction is always `.000Z`.
  return `${new Date(seconds * 1000).toISOString().slice(0, -5)}+00:00`;
}
