import type { UserRecord } from '@heddle/client/model/user-record.ts';

/**
 * The address of a user's picture. Pictures of other services go through this server's address, which knows whether the
 * operator allows them.
 */
export function pictureOf(user: UserRecord | undefined): string | undefined {
  if (user === undefined) return undefined;
  const { id, avatarUrl, avatarVersion } = user;
  if (avatarUrl?.startsWith('/')) return avatarUrl;
  return `/avatar/${id}?version=${avatarVersion}`;
}
