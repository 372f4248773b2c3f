/**
 * Where the server may connect to when a user has chosen the address: the service of an outgoing webhook bot, an image in a message.
 * Without this check users would reach what only the server reaches: its database, its neighbours, and the metadata that a cloud serves at
 * link-local addresses.
 */
import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { timeoutOf } from '../config/timeout-factor.ts';

/** The server must not connect to this address. */
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

  /** @param allowed private addresses and ranges that the operator allows as well */
  constructor(allowed: readonly string[]) {
    this.#allowed = allowed.map((range) => {
      const address = ipaddr.parse(range.split('/')[0] ?? '');
      return range.includes('/') ? ipaddr.parseCIDR(range) : [address, address.toByteArray().length * 8];
    });
  }

  /** Whether the address is public, or in a network that the operator allows. An IPv4 address counts as such when it is written as IPv6, too. */
  allows(address: string): boolean {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    if (parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || isGlobal(parsed))) return true;
    return this.#allowed.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits));
  }

  /**
   * The `lookup` of a connection. The connection uses the addresses that this checked and does not resolve the name again. A name that
   * changes its address meanwhile does not help an attacker. Node.js looks up no numeric addresses: check those with `allows`.
   */
  lookup(resolve: Resolve): LookupFunction {
    return (name, options, callback) => {
      // A name without a dot has no public address, and strangers must not choose what this machine's own resolver is asked.
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

/** All public IPv6 addresses are in this network. Others can contain an IPv4 address, such as `::127.0.0.1`, or get a meaning later. */
const [GLOBAL, GLOBAL_BITS] = ipaddr.parseCIDR('2000::/3');
const isGlobal = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean => address.match(GLOBAL, GLOBAL_BITS);

function noAddress(): Error {
  return Object.assign(new Error('the name has no address'), { code: 'ENOTFOUND' });
}

/** Web servers use these ports. Other programs that listen below 1024 could take a request for a command of theirs. */
export function isWebPort(port: number): boolean {
  return port === 80 || port === 443 || port >= 1024;
}

/** For each of two attempts. */
const NAME_SERVER_TIMEOUT_MS = timeoutOf(2000);

/**
 * Asks the name servers directly. The system's lookup would occupy threads that files and passwords need, and a stranger's name server can
 * be slow. Only names without a dot, which belong to this machine or its neighbours, go to the system.
 */
export function resolver(nameServers?: readonly string[]): Resolve {
  const dns = new Resolver({ timeout: NAME_SERVER_TIMEOUT_MS, tries: 2 });
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
