/** How programs and the web app get a connection. */
import { Connection, type ConnectionOptions, type SessionCredentials } from './connection.ts';
import type { CallOptions } from './operation.ts';
import { fetchApiKey } from './operations.ts';

export interface LoginOptions extends Omit<ConnectionOptions, 'credentials'> {
  /** The email address of the account. */
  readonly username: string;
  readonly password: string;
}

/**
 * Exchanges a password for the account's API key. Store the key instead of the password if the program starts often.
 *
 * @throws ApiError `AUTHENTICATION_FAILED`, `USER_DEACTIVATED` and those of every call
 * @example
 * const connection = await logIn({ url, username: email, password });
 */
export async function logIn(
  { username, password, ...options }: LoginOptions,
  callOptions: CallOptions = {},
): Promise<Connection> {
  const { email, api_key: apiKey } = await fetchApiKey(new Connection(options), { username, password }, callOptions);
  return new Connection({ ...options, credentials: { email, apiKey } });
}

/** The session of the page that runs this, which the server's login page began. */
export function browserSession(): SessionCredentials {
  return { session: csrfTokenOfPage };
}

/** The cookie has the prefix `__Host-` if the server is reached by HTTPS. */
const CSRF_COOKIE = /(?:^|;\s*)(?:__Host-)?csrftoken=([^;]+)/;

function csrfTokenOfPage(): string | undefined {
  const { document } = globalThis as { readonly document?: { readonly cookie: string } };
  return CSRF_COOKIE.exec(document?.cookie ?? '')?.[1];
}
