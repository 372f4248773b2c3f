/**
 * The cookies of browsers: the session, and the token that forms must contain. Both belong to one host. If clients reach the server by
 * HTTPS, the names begin with `__Host-`, so browsers protect them from other hosts and from plain HTTP.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';

/** Browsers keep nothing longer than 400 days. */
const MAX_COOKIE_AGE_SECONDS = 400 * 86_400;
/** Characters. Browsers keep no longer value. */
const MAX_COOKIE_VALUE_LENGTH = 4000;

const SESSION = 'sessionid';
const CSRF = 'csrftoken';

export interface CookieRules {
  /** Clients reach the server by HTTPS. */
  readonly isSecure: boolean;
  /** Binds the tokens of forms to sessions. It is secret. */
  readonly csrfKey: Buffer;
}

export interface NewCookie {
  readonly name: string;
  readonly value: string;
  /** 0 deletes it. */
  readonly seconds: number;
}

/** The cookies of one request and its response. */
export class RequestCookies {
  readonly #rules: CookieRules;
  readonly #sent: string | undefined;
  #parsed: Readonly<Record<string, string | undefined>> | undefined;
  readonly #changes = new Map<string, string>();
  #newCsrf: string | undefined;

  constructor(rules: CookieRules, sent: string | undefined) {
    this.#rules = rules;
    this.#sent = sent;
  }

  /** The value that the browser sent under this name. */
  get(name: string): string | undefined {
    if (this.#sent === undefined) return undefined;
    this.#parsed ??= parseCookie(this.#sent);
    const value = this.#parsed[this.#nameOf(name)];
    return value === undefined || value === '' || value.length > MAX_COOKIE_VALUE_LENGTH ? undefined : value;
  }

  /** Sets a cookie that no script can read. Browsers send it with requests that people cause themselves. */
  set({ name, value, seconds }: NewCookie): void {
    this.#write(name, value, seconds, true);
  }

  /** The token of the session, valid or not. */
  get session(): string | undefined {
    return this.get(SESSION);
  }

  /** Starts a session in the browser and replaces the previous one. */
  beginSession(token: string): void {
    this.set({ name: SESSION, value: token, seconds: MAX_COOKIE_AGE_SECONDS });
    this.#write(CSRF, this.#csrfOf(token), MAX_COOKIE_AGE_SECONDS, false);
  }

  endSession(): void {
    this.set({ name: SESSION, value: '', seconds: 0 });
    this.#write(CSRF, '', 0, false);
  }

  /** The token that a write must contain; undefined if the browser has no cookie of ours yet. */
  get expectedCsrf(): string | undefined {
    const { session } = this;
    return session === undefined ? this.get(CSRF) : this.#csrfOf(session);
  }

  /** The token for forms on the page of this response. A browser without one gets it with the response. */
  get csrfToken(): string {
    const expected = this.expectedCsrf;
    if (expected !== undefined) {
      if (this.get(CSRF) !== expected) this.#write(CSRF, expected, MAX_COOKIE_AGE_SECONDS, false);
      return expected;
    }
    if (this.#newCsrf === undefined) {
      this.#newCsrf = randomBytes(24).toString('base64url');
      this.#write(CSRF, this.#newCsrf, MAX_COOKIE_AGE_SECONDS, false);
    }
    return this.#newCsrf;
  }

  /** Sets the cookie with the token for writes, if the browser does not have it. */
  ensureCsrfCookie(): void {
    void this.csrfToken;
  }

  /** The name of the cookie with the token for writes. Scripts of our pages can read it. */
  get csrfCookie(): string {
    return this.#nameOf(CSRF);
  }

  /** The `Set-Cookie` headers. */
  get changes(): readonly string[] {
    return [...this.#changes.values()];
  }

  #csrfOf(session: string): string {
    return createHmac('sha256', this.#rules.csrfKey).update(session).digest('base64url');
  }

  #nameOf(name: string): string {
    return this.#rules.isSecure ? `__Host-${name}` : name;
  }

  #write(name: string, value: string, seconds: number, httpOnly: boolean): void {
    const { isSecure: secure } = this.#rules;
    const cookie = { name: this.#nameOf(name), value, maxAge: seconds, httpOnly, secure, path: '/' } as const;
    this.#changes.set(name, stringifySetCookie({ ...cookie, sameSite: 'lax' }));
  }
}
