import type { BriefUser, ListedUser, ProfileData, Role, SpectatedUser } from '../../calls/types.ts';

/** A person or a bot. Immutable: a change makes a new record. */
export interface UserRecord {
  readonly id: number;
  readonly name: string;
  /** The address for the API. */
  readonly email: string;
  /** The real address, or null if this client cannot see it. */
  readonly deliveryEmail: string | null;
  readonly role: Role;
  /** False for a deactivated user. */
  readonly isActive: boolean;
  readonly isBot: boolean;
  /** The server's own bots, for example the notification bot. */
  readonly isSystemBot: boolean;
  /** 1 generic, 2 incoming webhook, 3 outgoing webhook. Null for people. */
  readonly botType: number | null;
  readonly botOwnerId: number | null;
  /** An IANA time zone, or empty. */
  readonly timezone: string;
  /** ISO 8601. For spectators only the day. */
  readonly dateJoined: string;
  /** Null if the client computes the Gravatar URL from the address (parameter `client_gravatar`). */
  readonly avatarUrl: string | null;
  readonly avatarVersion: number;
  /** Values of custom profile fields by the id of the field. It can have values of fields that were removed. */
  readonly profileData: ProfileData;
}

type WireUser = (ListedUser | SpectatedUser | BriefUser) & { readonly is_system_bot?: true };

/** Users without own values share it. */
const NO_PROFILE: ProfileData = {};

/** Reads a user of the wire. With the capability `brief_users`, fields that have the usual value are missing. */
export function userRecord(user: WireUser, isActive: boolean): UserRecord {
  return {
    id: user.user_id,
    name: user.full_name,
    email: user.email,
    deliveryEmail: user.delivery_email === undefined ? user.email : user.delivery_email,
    role: user.role,
    isActive,
    isBot: user.is_bot ?? false,
    isSystemBot: user.is_system_bot ?? false,
    botType: user.bot_type ?? null,
    botOwnerId: user.bot_owner_id ?? null,
    timezone: ('timezone' in user ? user.timezone : undefined) ?? '',
    dateJoined: user.date_joined,
    avatarUrl: user.avatar_url ?? null,
    avatarVersion: user.avatar_version ?? 1,
    profileData: ('profile_data' in user ? user.profile_data : undefined) ?? NO_PROFILE,
  };
}

/**
 * Whether this is a placeholder for a user whom the account cannot access. Clients without the capability
 * `user_list_incomplete` receive them.
 */
export function isPlaceholder(user: Pick<ListedUser, 'full_name' | 'date_joined'>): boolean {
  return user.full_name === 'Unknown user' && user.date_joined.startsWith('1970-01-01');
}
