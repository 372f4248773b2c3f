import assert from 'node:assert/strict';
import { request } from 'node:http';
import { encode, type Fields } from './client.ts';
import type { Json } from './json.ts';

export interface VisitorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The target of a redirect, or ''. */
  readonly location: string;
  /** The `Set-Cookie` headers. */
  readonly cookies: readonly string[];
  readonly json: Json;
}

/** A browser without scripts: keeps cookies, submits forms with their hidden fields, and sends an Origin header. */
export class Visitor {
  readonly #url: string;
  readonly host: string;
  readonly jar = new Map<string, string>();
  /** The hidden fields of the forms on the last page, by form action. */
  readonly #forms = new Map<string, Fields>();

  /** @param host selects the organization */
  constructor(url: string, host = new URL(url).host) {
    this.#url = url;
    this.host = host;
  }

  get cookieHeader(): string {
    return [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<VisitorAnswer> {
    return this.send('GET', path, undefined, headers);
  }

  /** Fills in and submits a form of the last page. */
  submit(action: string, fields: Fields = {}, headers: Readonly<Record<string, string>> = {}): Promise<VisitorAnswer> {
    const hidden = this.#forms.get(action);
    assert(hidden !== undefined, `the page has no form that goes to ${action}`);
    return this.send('POST', action, { ...hidden, ...fields }, headers);
  }

  /** Logs in through the login page. */
  async logIn(username: string, password: string, query = ''): Promise<VisitorAnswer> {
    await this.get(`/login/${query}`);
    return this.submit('/login/', { username, password });
  }

  /** The CSRF token of the forms on the last page. */
  get csrfToken(): string {
    const [form] = this.#forms.values();
    return String(form?.csrfmiddlewaretoken ?? '');
  }

  send(
    method: string,
    path: string,
    fields: Fields | undefined,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<VisitorAnswer> {
    const body = fields === undefined ? undefined : encode(fields);
    const { promise, resolve, reject } = Promise.withResolvers<VisitorAnswer>();
    const outgoing = request(
      `${this.#url}${path}`,
      {
        method,
        headers: {
          host: this.host,
          accept: 'text/html',
          ...(this.jar.size > 0 && { cookie: this.cookieHeader }),
          ...(method !== 'GET' && { origin: `http://${this.host}` }),
          ...(body !== undefined && {
            'content-type': 'application/x-www-form-urlencoded',
            'content-length': String(Buffer.byteLength(body)),
          }),
          ...headers,
        },
      },
      async (incoming) => {
        const text = Buffer.concat(await incoming.toArray()).toString();
        const cookies = incoming.headers['set-cookie'] ?? [];
        for (const cookie of cookies) this.#keep(cookie);
        if (incoming.headers['content-type']?.startsWith('text/html')) this.#readForms(text);
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text,
          location: incoming.headers.location ?? '',
          cookies,
          get json() {
            return JSON.parse(text);
          },
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
    return promise;
  }

  #keep(cookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (/;\s*max-age=0/i.test(cookie)) this.jar.delete(name);
    else this.jar.set(name, value);
  }

  #readForms(text: string): void {
    this.#forms.clear();
    for (const [, action = '', inner = ''] of text.matchAll(
      /<form method="post" action="([^"]*)"[^>]*>(.*?)<\/form>/gs,
    )) {
      const hidden = inner.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g);
      const fields = Array.from(hidden, ([, name, value]) => [name, value?.replaceAll('&amp;', '&')]);
      this.#forms.set(action, Object.fromEntries(fields));
    }
  }
}
