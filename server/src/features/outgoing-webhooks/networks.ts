/**
 * Where outgoing webhooks may lead. Everybody who may make bots says whom the server calls: without this they would reach what only the
 * server reaches, its database, its neighbours, and what a cloud tells its machines at link-local addresses.
 */
import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The address is none that may be called. */
export class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError';
}

interface Resolved {
  readonly address: string;
  readonly family: 4 | 6;
}

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<readonly Resolved[]>;

export class Networks {
  readonly #allowed: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][];

  /** @param allowed addresses and ranges of the operator's own that may be called as well */
  constructor(allowed: readonly string[]) {
    this.#allowed = allowed.map((range) => {
      const address = ipaddr.parse(range.split('/')[0] ?? '');
      return range.includes('/') ? ipaddr.parseCIDR(range) : [address, address.toByteArray().length * 8];
    });
  }

  /** Whether the address is a public one, or in a network that the operator allows; an IPv4 address also where it is written as an IPv6 one. */
  allows(address: string): boolean {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    if (parsed.range() === 'unicast') return true;
    return this.#allowed.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits));
  }

  /**
   * To be given to the connection: it connects to what was checked and to nothing else, so a name that leads elsewhere the next time it is
   * asked for is no way around. Numeric addresses are never looked up: check them by `allows`.
   */
  lookup(resolve: Resolve): LookupFunction {
    return (name, options, callback) => {
      // It can lead to no public address, and whoever makes bots must not choose what the machine is asked.
      if (!name.includes('.') && this.#allowed.length === 0) {
        callback(new ForbiddenAddressError(), '', 0);
        return;
      }
      resolve(name).then(
        (found) => {
          const ofFamily = found.filter(({ family }) => !options.family || options.family === family);
          const allowed = ofFamily.filter(({ address }) => this.allows(address));
          const [first] = allowed;
          if (first === undefined) callback(ofFamily.length > 0 ? new ForbiddenAddressError() : noAddress(), '', 0);
          else if (options.all) callback(null, [...allowed]);
          else callback(null, first.address, first.family);
        },
        (error: NodeJS.ErrnoException) => callback(error, '', 0),
      );
    };
  }
}

function noAddress(): Error {
  return Object.assign(new Error('the name has no address'), { code: 'ENOTFOUND' });
}

/** Web servers are there; what other programs listen at below 1024 would take a request for something else. */
export function isWebPort(port: number): boolean {
  return port === 80 || port === 443 || port >= 1024;
}

/** Milliseconds for an answer of a name server, which is asked twice. */
const NAME_SERVER_ANSWERS_WITHIN = 2000;

/**
 * Asks the name servers without the threads that files and passwords need: a name server of a stranger's may let us wait. The machine itself
 * is asked for names without a dot, which are its own or its neighbours' (and only where some of these may be called).
 */
export function resolver(nameServers?: readonly string[]): Resolve {
  const dns = new Resolver({ timeout: NAME_SERVER_ANSWERS_WITHIN, tries: 2 });
  if (nameServers !== undefined) dns.setServers(nameServers);
  return async (name) => {
    if (!name.includes('.')) {
      const found = await systemLookup(name, { all: true });
      return found.map(({ address }) => resolved(address));
    }
    const found = await Promise.allSettled([dns.resolve4(name), dns.resolve6(name)]);
    const addresses = found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const [first] = found;
    if (addresses.length === 0 && first?.status === 'rejected') throw first.reason;
    return addresses.map(resolved);
  };
}

function resolved(address: string): Resolved {
  return { address, family: isIP(address) === 6 ? 6 : 4 };
}
