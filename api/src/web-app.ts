/** The data that the page of the web app contains for its scripts. The server writes it into the page as JSON. */
import { firstAmong } from './languages.ts';

/** The languages of the app. */
export const WEB_APP_LOCALES = ['en', 'de'] as const;

export type WebAppLocale = (typeof WEB_APP_LOCALES)[number];

/** The first language of the app in `wanted` (BCP 47 tags such as `de-AT`). Undefined if it has none of them. */
export function webAppLocale(wanted: readonly string[]): WebAppLocale | undefined {
  return firstAmong(WEB_APP_LOCALES, wanted);
}

/**
 * The file of the app's font with Latin letters. Pages before the login load it, too, so it is there when the app needs it. The name changes with
 * the content. The build fails if it is another one.
 */
export const LATIN_FONT_FILE = 'inter-latin-wght-normal-Dx4kXJAl.woff2';

/**
 * A link of another organization's app passes on the organizations of the browser behind this fragment. The script of the login page puts them
 * into the session storage, under this key, instead of sending them to the server.
 */
export const PASSED_ORGANIZATIONS = {
  fragment: '#settings/organizations/',
  key: 'heddle-passed-organizations',
} as const;

/** Everything that the app must know before its first request. */
export interface WebAppStart {
  /** The user of the session. Null for a spectator: there is no session, and the organization shows some channels to everyone. */
  readonly userId: number | null;
  /**
   * A key of the account for AES-256, as hexadecimal digits. The app encrypts with it what stays in the browser when the login ends elsewhere.
   * Null for a spectator.
   */
  readonly textKey: string | null;
  /** The language of the account, for example `de`. Null for a spectator, whose browser decides. */
  readonly language: string | null;
  /** The name of the cookie with the token that each write must contain, in the header `X-CSRFToken`. */
  readonly csrfCookie: string;
  /** The address of the organization, without a slash at the end. */
  readonly serverUrl: string;
  readonly organizationName: string;
  /** The version of the server. */
  readonly version: string;
  /** Whether the app may load pictures from gravatar. */
  readonly gravatar: boolean;
  /** Whether the server sends mails. If not, it keeps them as files for its operator. */
  readonly sendsMails: boolean;
}
