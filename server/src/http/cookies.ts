/**
 * What browsers keep for us: the session, and the token that forms must send back with it. Both are the host's alone; where clients
 * reach the server by HTTPS their names say so (`__Host-…`), which browsers then hold other hosts and plain HTTP to.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';

/** Browsers keep nothing for longer than 400 days. */
const LONGEST_SECONDS = 400 * 86_400;
/** Characters. Browsers keep no more of one. */
const LONGEST_VALUE = 4000;

const SESSION = 'sessionid';
const CSRF = 'csrftoken';

export interface CookieRules {
  /** Clients reach the server by HTTPS. */
  readonly isSecure: boolean;
  /** Ties the tokens of forms to sessions; nobody else has it. */
  readonly csrfKey: Buffer;
}

export interface NewCookie {
  readonly name: string;
  readonly value: string;
  /** 0 takes it away. */
  readonly seconds: number;
}

/** The cookies of one request and of its answer. */
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

  /** What the browser sent under this name of ours. */
  get(name: string): string | undefined {
    if (this.#sent === undefined) return undefined;
    this.#parsed ??= parseCookie(this.#sent);
    const value = this.#parsed[this.#nameOf(name)];
    return value === undefined || value === '' || value.length > LONGEST_VALUE ? undefined : value;
  }

  /** Gives the browser a cookie that no script reads, and that comes back with requests that people make themselves. */
  set({ name, value, seconds }: NewCookie): void {
    this.#write(name, value, seconds, true);
  }

  /** The session's token, right or not. */
  get session(): string | undefined {
    return this.get(SESSION);
  }

  /** Begins a session in the browser, in place of any that was there. */
  beginSession(token: string): void {
    this.set({ name: SESSION, value: token, seconds: LONGEST_SECONDS });
    this.#write(CSRF, this.#csrfOf(token), LONGEST_SECONDS, false);
  }

  endSession(): void {
    this.set({ name: SESSION, value: '', seconds: 0 });
    this.#write(CSRF, '', 0, false);
  }

  /** What a request that writes must send back; undefined where the browser has been given nothing of ours yet. */
  get expectedCsrf(): string | undefined {
    const { session } = this;
    return session === undefined ? this.get(CSRF) : this.#csrfOf(session);
  }

  /** The token for forms on the page that is answered, which the browser is given where it has none. */
  get csrfToken(): string {
    const expected = this.expectedCsrf;
    if (expected !== undefined) {
      if (this.get(CSRF) !== expected) this.#write(CSRF, expected, LONGEST_SECONDS, false);
      return expected;
    }
    if (this.#newCsrf === undefined) {
      this.#newCsrf = randomBytes(24).toString('base64url');
      this.#write(CSRF, this.#newCsrf, LONGEST_SECONDS, false);
    }
    return this.#newCsrf;
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
