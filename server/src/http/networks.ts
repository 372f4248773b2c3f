import ipaddr from 'ipaddr.js';

/** Half of an IPv6 address is a network's; whoever has one network has all addresses in it. */
const NETWORK_BYTES = 8;

/**
 * What limits count as one address: an IPv4 address, also where it is written as an IPv6 one; of an IPv6 address its /64 network. What is no
 * address stands for itself.
 */
export function networkOf(address: string): string {
  // Most are plain IPv4, which needs no parsing.
  if (!address.includes(':') || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${Buffer.from(parsed.toByteArray().slice(0, NETWORK_BYTES)).toString('hex')}::/64`;
}
