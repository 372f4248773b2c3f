/** A host of a database URL. */
export interface DatabaseHost {
  /** For messages: like `10.0.0.5:5432`, without the password. */
  readonly name: string;
  /** The URL with this host alone. */
  readonly url: string;
}

const DEFAULT_POSTGRES_PORT = '5432';

/** Splits a URL into what is before its hosts, its hosts, and what follows. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/is;

/** What a server may ask of its hosts. Heddle writes, so it cannot use another one. */
const WRITABLE = ['read-write', 'primary'];

/**
 * The hosts of a PostgreSQL URL, in their order, or undefined if the URL is not valid. Several hosts are separated by commas, as in libpq:
 * `postgresql://user@a:5432,b:5432/database`, or `postgresql:///database?host=/run/a,/run/b`.
 */
export function databaseHosts(given: string): readonly DatabaseHost[] | undefined {
  const [, before = '', authority, after = ''] = PARTS.exec(given) ?? [];
  if (authority === undefined) return undefined;
  const names = authority.split(',');
  if (names.length > 1 && names.includes('')) return undefined;
  const urls = names.map((name) => URL.parse(`${before}${name}${after}`));
  const valid = urls.filter((url) => url !== null);
  const [first] = valid;
  if (first === undefined || valid.length < urls.length) return undefined;
  const wanted = first.searchParams.get('target_session_attrs');
  if (wanted !== null && !WRITABLE.includes(wanted)) return undefined;
  const hosts = valid.length > 1 ? valid : hostsOfQuery(first);
  return hosts?.map((url) => ({ name: nameOf(url), url: hosts.length === 1 ? given : url.href }));
}

/** The hosts of the parameters `host` and `port`. There is one port for all hosts, or one for each. */
function hostsOfQuery(url: URL): readonly URL[] | undefined {
  const hosts = url.searchParams.get('host')?.split(',') ?? [];
  const ports = url.searchParams.get('port')?.split(',') ?? [];
  if (hosts.length < 2) return ports.length > 1 ? undefined : [url];
  if (hosts.includes('') || (ports.length > 1 && ports.length !== hosts.length)) return undefined;
  return hosts.map((host, index) => {
    const one = new URL(url);
    one.searchParams.set('host', host);
    const port = ports.length > 1 ? ports[index] : ports[0];
    if (port !== undefined) one.searchParams.set('port', port);
    return one;
  });
}

function nameOf({ hostname, port, searchParams }: URL): string {
  const host = searchParams.get('host') ?? hostname;
  return `${decodeURIComponent(host)}:${searchParams.get('port') ?? (port || DEFAULT_POSTGRES_PORT)}`;
}
