/**
 * The script of the login page. Browsers send no fragment to the server. They keep it when the server redirects `/#narrow/…` to the login page.
 * So the script adds the fragment of the login page to the destinations of the login. Without scripts, the login leads to the path alone.
 */
import { hash } from 'node:crypto';

/** Characters. The login accepts no longer destination. */
const MAX_NEXT_LENGTH = 1000;

export const KEEP_FRAGMENT = `
const { hash } = location;
const withFragment = (path) => path.includes('#') || path.length + hash.length > ${MAX_NEXT_LENGTH} ? path : path + hash;
if (hash.length > 1) {
  for (const field of document.querySelectorAll('input[name="next"]')) field.value = withFragment(field.value);
  for (const link of document.querySelectorAll('a[href*="next="]')) {
    const url = new URL(link.href);
    url.searchParams.set('next', withFragment(url.searchParams.get('next')));
    link.href = url.href;
  }
}
`;

/** Its hash, for the content security policy of the page. The policy allows no other script. */
export const KEEP_FRAGMENT_HASH = `sha256-${hash('sha256', KEEP_FRAGMENT, 'base64')}` as const;
