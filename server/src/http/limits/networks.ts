import ipaddr from 'ipaddr.js';

/** Half of an IPv6 address names the network. The owner of a network has all addresses in it. */
const NETWORK_BYTES = 8;

/**
 * What limits count as one address: an IPv4 address, also in IPv6 notation; or the /64 network of an IPv6 address. Other texts stand for
 * themselves.
 */
export function networkOf(address: string): string {
  // Most addresses are plain IPv4, which needs no parsing.
  if (!address.includes(':') || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${Buffer.from(parsed.toByteArray().slice(0, NETWORK_BYTES)).toString('hex')}::/64`;
}

/** The same network as people write it; null for what is no IP address. */
export function networkText(address: string): string | null {
  if (!ipaddr.isValid(address)) return null;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const bytes = parsed.toByteArray().map((byte, index) => (index < NETWORK_BYTES ? byte : 0));
  return `${ipaddr.fromByteArray(bytes).toString()}/${NETWORK_BYTES * 8}`;
}
