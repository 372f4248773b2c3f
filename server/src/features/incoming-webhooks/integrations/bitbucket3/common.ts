import type { Payload } from '../../payload.ts';

export function nameOf(user: Payload): string {
  return user.firstText('displayName', 'name') || 'Somebody';
}

/** The page of an object. Only people with access to the server can open it. */
export function urlOf(item: Payload): string {
  return item.text('links', 'self', 0, 'href');
}

/** The page of a repository, without a slash at its end; '' if the payload does not have it. */
export function pageOf(repository: Payload): string {
  return urlOf(repository).replace(/\/browse\/?$/, '');
}
