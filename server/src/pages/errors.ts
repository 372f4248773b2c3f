import type { ApiError, ErrorCode } from '@heddle/api/errors.ts';
import { html } from './html.ts';
import { layout } from './layout.ts';

/** What people can do about an error that they see instead of a page. */
const ADVICE: Partial<Record<ErrorCode, readonly [heading: string, text: string]>> = {
  NOT_FOUND: ['Page not found', 'Check the address.'],
  NONEXISTENT_SUBDOMAIN: ['Organization not found', 'Check the address.'],
  REALM_DEACTIVATED: ['This organization is deactivated', 'It is no longer available.'], // wire name: the error's code
  CSRF_FAILED: [
    'This form has expired',
    'It was open for too long, or your browser blocks cookies of this site. Go back, reload the page and fill in the form again.',
  ],
  RATE_LIMIT_HIT: ['Too many attempts', 'Wait a few minutes, then try again.'],
  OUTCOME_UNKNOWN: [
    'Perhaps saved',
    'The server lost its database while it saved this. Look whether it is saved before you try again.',
  ],
  SERVICE_UNAVAILABLE: ['Temporarily unavailable', 'Try again in a minute.'],
  INTERNAL_SERVER_ERROR: ['Something went wrong', 'This is an error of the server. Try again later.'],
};

/** Where to go from an address that names nothing. The app leads to the login first, if the visitor needs one. */
const LEADS_ON = html`
<ul class="after">
<li><a href="/#inbox">Open your inbox</a></li>
<li><a href="/#recent">Recent conversations</a></li>
<li><a href="/#search-operators">Search messages</a></li>
</ul>`;

/** Renders the page that people see instead of the one that they requested. */
export function pageForError({ code, message }: ApiError): string {
  const [heading, text] = ADVICE[code] ?? ['There is a problem', message];
  const content = html`<p role="alert">${text}</p>${code === 'NOT_FOUND' ? LEADS_ON : ''}`;
  return layout({ heading, isRefused: true, content });
}
