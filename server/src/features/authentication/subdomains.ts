import { isIP } from 'node:net';

/** Hosts are whatever clients send: no more of them than this are remembered, and none that is longer than a name and a port can be. */
const MAXIMUM_REMEMBERED = 1000;
const MAXIMUM_LENGTH = 253 + ':65535'.length;

/**
 * Which organization a host name selects: `<subdomain>.<root domain>` that subdomain's, the root domain itself, an IP address or
 * `localhost` the one at the root (''), and any other name none (undefined).
 */
export class Subdomains {
  readonly #rootDomain: string;
  readonly #remembered = new Map<string, string | undefined>();

  /** @param rootDomain a host name in lower case, without a port */
  constructor(rootDomain: string) {
    this.#rootDomain = rootDomain;
  }

  /** Hosts in memory. */
  get remembered(): number {
    return this.#remembered.size;
  }

  /** @param host a `Host` header, port included or not */
  of(host: string): string | undefined {
    if (host.length > MAXIMUM_LENGTH) return undefined;
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
