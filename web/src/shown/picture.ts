import type { UserRecord } from '@heddle/client/model/people/user-record.ts';
import { start } from '../base/early.ts';

/**
 * The address of a user's picture. Undefined if there is none: then the app draws initials. Pictures of gravatar are loaded only if the
 * operator allows it. The server redirects to them, so it knows which address may name the user.
 */
export function pictureOf(user: UserRecord | undefined): string | undefined {
  if (user === undefined) return undefined;
  const { id, avatarUrl, avatarVersion } = user;
  if (avatarUrl?.startsWith('/')) return avatarUrl;
  return start.gravatar ? `/avatar/${id}?version=${avatarVersion}` : undefined;
}
