import type { ApiError, ErrorCode } from '@heddle/api/errors.ts';
import { type Language, type Message, msg } from '../languages/language.ts';
import { type HtmlValue, html } from './html.ts';
import { layout } from './layout.ts';
import { type LanguagePreferences, languageOfPage } from './page-language.ts';

/** What people can do about an error that they see instead of a page. */
const ADVICE: Partial<Record<ErrorCode, readonly [heading: Message, text: Message]>> = {
  NOT_FOUND: [msg('Page not found'), msg('Check the address.')],
  NONEXISTENT_SUBDOMAIN: [msg('Organization not found'), msg('Check the address.')],
  REALM_DEACTIVATED: [msg('This organization is deactivated'), msg('It is no longer available.')], // wire name: the error's code
  CSRF_FAILED: [
    msg('This form has expired'),
    msg(
      'It was open for too long, or your browser blocks cookies of this site. Go back, reload the page and fill in the form again.',
    ),
  ],
  RATE_LIMIT_HIT: [msg('Too many attempts'), msg('Wait a few minutes, then try again.')],
  OUTCOME_UNKNOWN: [
    msg('Perhaps saved'),
    msg('The server lost its database while it saved this. Look whether it is saved before you try again.'),
  ],
  SERVICE_UNAVAILABLE: [msg('Temporarily unavailable'), msg('Try again in a minute.')],
  INTERNAL_SERVER_ERROR: [msg('Something went wrong'), msg('This is an error of the server. Try again later.')],
};

/** Where to go from an address that names nothing. The app leads to the login first, if the visitor needs one. */
function leadsOn({ t }: Language) {
  return html`
<ul class="after">
<li><a href="/#inbox">${t('Open your inbox')}</a></li>
<li><a href="/#recent">${t('Recent conversations')}</a></li>
<li><a href="/#search-operators">${t('Search operators')}</a></li>
</ul>`;
}

/** The message of an error. Without a translation it is English, and screen readers must pronounce it so. */
function textOf(message: string, { known, tag }: Language): HtmlValue {
  const text = known(message);
  return text === message && tag !== 'en' ? html`<span lang="en">${message}</span>` : text;
}

/**
 * Renders the page that people see instead of the one that they requested.
 * @param path of the requested page, if it can be opened again
 */
export function pageForError({ code, message }: ApiError, preferences: LanguagePreferences, path?: string): string {
  const language = languageOfPage(preferences);
  const { t } = language;
  const advice = ADVICE[code];
  const text = advice === undefined ? textOf(message, language) : t(advice[1]);
  return layout({
    language,
    path,
    heading: advice === undefined ? t('There is a problem') : t(advice[0]),
    isRefused: true,
    content: html`<p role="alert">${text}</p>${code === 'NOT_FOUND' ? leadsOn(language) : ''}`,
  });
}
