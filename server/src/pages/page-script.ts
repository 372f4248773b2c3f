/**
 * The script of pages with a password. Everything works without it, too.
 *
 * - Buttons show and hide passwords. Without scripts they stay hidden.
 * - Browsers send no fragment to the server. They keep it when the server redirects `/#narrow/…` to the login page. So the script adds the
 *   fragment of the page to the destinations in its fields and links. Without scripts, the login leads to the path alone.
 * - A list of the browser's organizations in the fragment stays in the browser: no server learns of the others.
 */
import { hash } from 'node:crypto';
import { PASSED_ORGANIZATIONS as PASSED } from '@heddle/api/web-app.ts';

/** Characters. The login accepts no longer destination. */
const MAX_NEXT_LENGTH = 1000;

export const PAGE_SCRIPT = `
let { hash } = location;
if (hash.startsWith('${PASSED.fragment}')) {
  try {
    sessionStorage.setItem('${PASSED.key}', hash.slice(${PASSED.fragment.length}));
  } catch {}
  hash = '${PASSED.fragment.slice(0, -1)}';
}
const withFragment = (path) => path.includes('#') || path.length + hash.length > ${MAX_NEXT_LENGTH} ? path : path + hash;
if (hash.length > 1) {
  for (const field of document.querySelectorAll('input[name="next"]')) field.value = withFragment(field.value);
  // The description of the organization may link to other sites.
  for (const link of document.querySelectorAll('a[href^="/"][href*="next="]')) {
    const url = new URL(link.href);
    const next = url.searchParams.get('next');
    if (next === null) continue;
    url.searchParams.set('next', withFragment(next));
    link.href = url.href;
  }
}
for (const button of document.querySelectorAll('button[data-shows]')) {
  const field = document.getElementById(button.dataset.shows);
  const show = (isShown) => {
    field.type = isShown ? 'text' : 'password';
    button.setAttribute('aria-pressed', String(isShown));
  };
  button.hidden = false;
  button.addEventListener('click', () => show(field.type === 'password'));
  // Browsers remember what was sent as text.
  field.form.addEventListener('submit', () => show(false));
}
`;

/** Its hash, for the content security policy of the page. The policy allows no other script. */
export const PAGE_SCRIPT_HASH = `sha256-${hash('sha256', PAGE_SCRIPT, 'base64')}` as const;
