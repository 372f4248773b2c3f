import type { ApiError, ErrorCode } from '@heddle/api/errors.ts';
import { html } from './html.ts';
import { layout } from './layout.ts';

/** What people can do about an error that they get in place of a page. */
const ADVICE: Partial<Record<ErrorCode, readonly [heading: string, text: string]>> = {
  NOT_FOUND: ['There is no such page', 'Look whether the address is complete.'],
  NONEXISTENT_SUBDOMAIN: ['There is no such organization', 'Look whether the address is right.'],
  REALM_DEACTIVATED: ['This organization is closed', 'It has been deactivated.'], // wire name: the error's code
  CSRF_FAILED: [
    'This form could not be taken',
    'It was open for too long, or your browser keeps no cookies of this site. Go back, load the page again and fill it in anew.',
  ],
  RATE_LIMIT_HIT: ['Too many attempts', 'Wait a while before you try again.'],
  SERVICE_UNAVAILABLE: ['Not available for the moment', 'Try again in a minute.'],
  INTERNAL_SERVER_ERROR: ['Something went wrong', 'It is not your fault. Try again in a while.'],
};

/** The page that people see in place of one that they asked for. */
export function pageForError({ code, message }: ApiError): string {
  const [heading, text] = ADVICE[code] ?? ['This did not work', message];
  return layout({ heading, isRefused: true, content: html`<p role="alert">${text}</p>` });
}
