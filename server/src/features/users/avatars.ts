import { hash } from 'node:crypto';
import type { Directory } from '../../directory/directory.ts';
import type { UserRecord } from '../../directory/records.ts';
import { patternUrl } from '../../pictures/patterns.ts';

/** A user's picture. Clients that know the address can compute a gravatar's URL themselves. */
export interface Avatar {
  readonly url: string;
  readonly isGravatar: boolean;
}

export type AvatarSize = 'small' | 'medium';

/** The picture's URL; null where the client computes gravatars itself and it is one. */
export function avatarUrlFor(directory: Directory, user: UserRecord, clientGravatar: boolean): string | null {
  const avatar = avatarOf(directory, user);
  return clientGravatar && avatar.isGravatar ? null : avatar.url;
}

/** With the record that it follows from: a page of history asks for it with each message. */
const remembered = new WeakMap<UserRecord, Avatar>();

/**
 * What was uploaded; or else what gravatar has, which is a pattern where nobody set one there, or a pattern of ours where the operator
 * wants no gravatars. Clients do not compute those of the server's own bots.
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

/** The same picture larger: 500 pixels wide and high. */
export function mediumAvatarUrl(directory: Directory, user: UserRecord): string {
  return urlOf(directory, user, 'medium');
}

export function hasUploadedAvatar({ avatarFile }: Pick<UserRecord, 'avatarFile'>): boolean {
  return avatarFile !== undefined;
}

/** The picture of an address that is nobody's, so that it cannot be told from others. */
export function strangersAvatarUrl(directory: Directory, address: string, size: AvatarSize): string {
  return directory.server.gravatar ? gravatarUrl(address, size, 1) : patternUrl(0, size);
}

/** The picture of everybody whom the reader may not know. */
export function unknownAvatarUrl(size: AvatarSize): string {
  return patternUrl(0, size);
}

function urlOf({ organization, server }: Directory, user: UserRecord, size: AvatarSize): string {
  const { id, email, avatarFile, avatarVersion } = user;
  if (avatarFile !== undefined) {
    const ending = size === 'medium' ? '-medium.png' : '.png';
    return `/user_avatars/${organization.id}/${id}-${avatarFile}${ending}?version=${avatarVersion}`;
  }
  // Of the API address: a picture of one that is hidden would tell it to whoever guesses it.
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
