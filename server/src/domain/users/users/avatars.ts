import { hash } from 'node:crypto';
import type { Directory } from '../../../directory/directory.ts';
import type { UserRecord } from '../../../directory/records.ts';
import { patternUrl } from '../../../pictures/patterns.ts';

/** A user's picture. A client that sees the address can compute a gravatar's URL. */
export interface Avatar {
  readonly url: string;
  readonly isGravatar: boolean;
}

export type AvatarSize = 'small' | 'medium';

/** The picture's URL, or null if it is a gravatar and the client computes those. */
export function avatarUrlFor(directory: Directory, user: UserRecord, clientGravatar: boolean): string | null {
  const avatar = avatarOf(directory, user);
  return clientGravatar && avatar.isGravatar ? null : avatar.url;
}

/** Keyed by the record that the picture follows from. A page of history needs it for each message. */
const remembered = new WeakMap<UserRecord, Avatar>();

/**
 * The uploaded picture, or else the gravatar. Gravatar returns a pattern for unknown addresses. If the operator
 * disables gravatars, the server draws a pattern. Clients never compute the pictures of system bots.
 */
export function avatarOf(directory: Directory, user: UserRecord): Avatar {
  let avatar = remembered.get(user);
  if (avatar === undefined) {
    const isGravatar = isComputable(user) && !hasUploadedAvatar(user) && directory.server.gravatar;
    avatar = { url: urlOf(directory, user, 'small'), isGravatar };
    remembered.set(user, avatar);
  }
  return avatar;
}

/** The same picture, 500 pixels wide and high. */
export function mediumAvatarUrl(directory: Directory, user: UserRecord): string {
  return urlOf(directory, user, 'medium');
}

export function hasUploadedAvatar({ avatarFile }: Pick<UserRecord, 'avatarFile'>): boolean {
  return avatarFile !== undefined;
}

/** The picture for an address without an account. It looks like those of real accounts, so it reveals nothing. */
export function inaccessibleAvatarUrl(directory: Directory, address: string, size: AvatarSize): string {
  return directory.server.gravatar ? gravatarUrl(address, size, 1) : patternUrl(0, size);
}

/** The one picture of all inaccessible users. */
export function unknownAvatarUrl(size: AvatarSize): string {
  return patternUrl(0, size);
}

function urlOf({ organization, server }: Directory, user: UserRecord, size: AvatarSize): string {
  const { id, email, avatarFile, avatarVersion } = user;
  if (avatarFile !== undefined) {
    const ending = size === 'medium' ? '-medium.png' : '.png';
    return `/user_avatars/${organization.id}/${id}-${avatarFile}${ending}?version=${avatarVersion}`;
  }
  // Uses the API address. The hash of a hidden real address would let a reader confirm a guess.
  return server.gravatar ? gravatarUrl(email, size, avatarVersion) : patternUrl(id, size);
}

function isComputable(user: UserRecord): boolean {
  return user.systemBot === undefined && user.email === user.deliveryEmail;
}

function gravatarUrl(address: string, size: AvatarSize, version: number): string {
  const pixels = size === 'medium' ? '&s=500' : '';
  const name = hash('md5', address.toLowerCase());
  return `https://secure.gravatar.com/avatar/${name}?d=identicon${pixels}&version=${version}`;
}
