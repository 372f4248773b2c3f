/** How the client of NATS reaches its servers. */
export interface NatsServers {
  /** Like `10.0.0.5:4222`. */
  readonly servers: string[];
  readonly user?: string;
  readonly pass?: string;
  readonly token?: string;
  /** Whether a connection must have TLS. Servers may also ask for it. */
  readonly tls?: Record<string, never>;
}

/** `nats://`, or `tls://` for connections that must be encrypted; perhaps an account; hosts; nothing else. */
const PARTS = /^(nats|tls):\/\/(?:([^/?#@]*)@)?([^/?#@]+)\/?$/i;

/**
 * The servers of a URL of NATS, or undefined if the URL is not valid. Several hosts of a cluster are separated by commas:
 * `nats://user:password@a:4222,b:4222`. A name without a password is a token.
 */
export function natsServers(given: string): NatsServers | undefined {
  const [, scheme = '', account, hosts = ''] = PARTS.exec(given) ?? [];
  const urls = hosts.split(',').map((host) => (host === '' ? null : URL.parse(`nats://${host}`)));
  const credentials = account === undefined ? {} : credentialsOf(account);
  if (credentials === undefined || urls.some((url) => url === null || url.hostname === '')) return undefined;
  return { servers: hosts.split(','), ...credentials, ...(scheme.toLowerCase() === 'tls' && { tls: {} }) };
}

function credentialsOf(account: string): Pick<NatsServers, 'user' | 'pass' | 'token'> | undefined {
  const url = URL.parse(`nats://${account}@host`);
  if (url === null || url.username === '') return undefined;
  try {
    const user = decodeURIComponent(url.username);
    return account.includes(':') ? { user, pass: decodeURIComponent(url.password) } : { token: user };
  } catch {
    // A percent sign that encodes nothing.
    return undefined;
  }
}
