import { isIP } from 'node:net';

/** Clients can send any host, so this many are cached, and none longer than a name with a port. */
const MAX_CACHED_HOSTS = 1000;
const MAXIMUM_LENGTH = 253 + ':65535'.length;

/**
 * Maps a host name to a subdomain. `<subdomain>.<root domain>` has that subdomain. The root domain, an IP address and
 * `localhost` have ''. Any other name has none (undefined).
 */
export class Subdomains {
  readonly #rootDomain: string;
  readonly #remembered = new Map<string, string | undefined>();

  /** @param rootDomain a host name in lower case, without a port */
  constructor(rootDomain: string) {
    this.#rootDomain = rootDomain;
  }

  /** The number of cached hosts. */
  get remembered(): number {
    return this.#remembered.size;
  }

  /** @param host a `Host` header, with or without a port */
  of(host: string): string | undefined {
    if (host.length > MAXIMUM_LENGTH) return undefined;
    if (this.#remembered.has(host)) return this.#remembered.get(host);
    const subdomain = this.#find(nameOf(host));
    if (this.#remembered.size >= MAX_CACHED_HOSTS) this.#remembered.clear();
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

/** The host in lower case, without its port and without the final dot of a full domain name. */
function nameOf(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}
