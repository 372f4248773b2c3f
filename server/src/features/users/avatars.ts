import { hash } from 'node:crypto';
import type { UserRecord } from '../../directory/records.ts';

/** A user's picture. Clients that know the address can compute a gravatar's URL themselves. */
export interface Avatar {
  readonly url: string;
  readonly isGravatar: boolean;
}

/** The picture's URL; null where the client computes gravatars itself and it is one. Costs nothing then. */
export function avatarUrlFor(user: UserRecord, clientGravatar: boolean): string | null {
  return clientGravatar && isComputable(user) ? null : avatarOf(user).url;
}

/**
 * Until people can upload one, everybody's picture comes from gravatar, with a pattern where nobody set one there. Clients do not compute
 * those of the server's own bots, and of addresses that not everybody is told.
 */
export function avatarOf(user: UserRecord): Avatar {
  return { url: `${gravatar(user)}&version=${user.avatarVersion}`, isGravatar: isComputable(user) };
}

/** The same picture larger: 500 pixels wide and high. */
export function mediumAvatarOf(user: UserRecord): Avatar {
  return { url: `${gravatar(user)}&s=500&version=${user.avatarVersion}`, isGravatar: true };
}

function isComputable(user: UserRecord): boolean {
  return user.systemBot === undefined && user.email === user.deliveryEmail;
}

/** Of the API address: a picture of one that is hidden would tell it to whoever guesses it. */
function gravatar(user: UserRecord): string {
  return `https://secure.gravatar.com/avatar/${hash('md5', user.email.toLowerCase())}?d=identicon`;
}
