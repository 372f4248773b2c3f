import { isIP } from 'node:net';

/** Hosts are whatever clients send: no more of them than this are remembered. */
const MAXIMUM_REMEMBERED = 1000;

/**
 * Which organization a host name selects, given the server's external base URL: `<subdomain>.<host of the URL>` that subdomain, the bare
 * host, an IP address or `localhost` the one at the root (''), and any other name none (undefined).
 */
export class Subdomains {
  readonly #rootDomain: string;
  readonly #remembered = new Map<string, string | undefined>();

  constructor(externalUrl: string) {
    this.#rootDomain = new URL(externalUrl).hostname;
  }

  /** @param host a `Host` header, port included or not */
  of(host: string): string | undefined {
    if (this.#remembered.has(host)) return this.#remembered.get(host);
    const subdomain = this.#find(nameOf(host));
    if (this.#remembered.size >= MAXIMUM_REMEMBERED) this.#remembered.clear();
    this.#remembered.set(host, subdomain);
    return subdomain;
  }

  #find(name: string): string | undefined {
    if (name === this.#rootDomain) return '';
    if (name.endsWith(`.${this.#rootDomain}`)) return name.slice(0, -this.#rootDomain.length - 1);
    if (name === '' || name === 'localhost' || isIP(name.replace(/^\[|\]$/g, '')) !== 0) return '';
    return undefined;
  }
}

/** The host without its port and the dot at the end that a full domain name may have, in lower case. */
function nameOf(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}
