import type { Payload } from '../../payload.ts';

/** The page of the repository, without the name of an account before the host. */
export function pageOf(repository: Payload): string {
  const url = URL.parse(repository.firstText('webUrl', 'remoteUrl'));
  if (url === null || !/^https?:$/.test(url.protocol)) return '';
  url.username = '';
  url.password = '';
  // Begins at the first of several slashes only. Otherwise, many of them in the middle would take quadratic time.
  return url.href.replace(/(?<!\/)\/+$/, '');
}

/** A value, or the name of an account, which older versions send as `Ada Lovelace <ada@example.com>`. */
export function nameIn(value: Payload): string {
  const name = value.firstText('displayName', 'name') || value.text();
  return name.slice(0, 1000).replace(/ <[^<>@]*@[^<>@]*>$/, '');
}
