import ipaddr from 'ipaddr.js';

/** Half of an IPv6 address names the network. The owner of a network has all addresses in it. */
const NETWORK_BYTES = 8;

/** What limits count as one address: its network. Texts that are no address stand for themselves. */
export function networkOf(address: string): string {
  // Most addresses are plain IPv4, which needs no parsing.
  return address.includes(':') ? (networkText(address) ?? address) : address;
}

/**
 * The network of an address, as people write it: an IPv4 address, also of IPv6 notation; or the /64 network of an IPv6 address. Null for a text
 * that is no address.
 */
export function networkText(address: string): string | null {
  if (!ipaddr.isValid(address)) return null;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const bytes = parsed.toByteArray().map((byte, index) => (index < NETWORK_BYTES ? byte : 0));
  return `${ipaddr.fromByteArray(bytes).toString()}/${NETWORK_BYTES * 8}`;
}
