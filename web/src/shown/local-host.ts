/** Networks that are not part of the internet (RFC 1122, 1918, 3927, 6598). */
const PRIVATE_IPV4 =
  /^(?:0|10|127)\.|^192\.168\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./;
/** The same for IPv6 (RFC 4193, 4291): `::`, `::1`, `fc00::/7`, `fe80::/10`. */
const PRIVATE_IPV6 = /^::1?$|^f[cd][0-9a-f]{2}:|^fe[89ab][0-9a-f]:/;
/** Names that no public server has (RFC 6761, 6762, 8375). */
const LOCAL_NAMES = /(?:^|\.)(?:localhost|local|internal|test|lan|home\.arpa)$/;

/** Whether a computer elsewhere cannot reach this host, by its name or address: the own machine, or a private network. */
export function isLocalHost(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
  if (name.includes(':')) return PRIVATE_IPV6.test(name);
  if (/^\d+(?:\.\d+){3}$/.test(name)) return PRIVATE_IPV4.test(name);
  // A name without a dot belongs to the own network.
  return LOCAL_NAMES.test(name) || !name.includes('.');
}
