/** A proxy to the database that a test can make silent, like a network that drops packets, or close. */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '../services/ports.ts';

export interface StallingProxy {
  /** The connection string of the database through the proxy. */
  readonly url: string;
  /** From now on nothing passes in either direction. Connections are accepted but get no data. */
  hold(): void;
  /** From now on requests still reach the database, and its responses do not come back. */
  mute(): void;
  /** Forwards the held data, and everything after it. */
  resume(): void;
  /** Ends all connections and refuses new ones. */
  refuse(): Promise<void>;
  /** Accepts connections again. */
  accept(): Promise<void>;
  close(): Promise<void>;
}

/** @param databaseUrl the URL of a PostgreSQL that is reached by a local socket or by TCP */
export async function startStallingProxy(databaseUrl: string): Promise<StallingProxy> {
  const url = new URL(databaseUrl);
  const target = targetOf(url);
  const sockets = new Set<Socket>();
  /** Those of them that lead to the database. */
  const outgoing = new WeakSet<Socket>();
  let isHeld = false;
  let server: Server | undefined;
  // No other program takes this port while the proxy refuses connections.
  const port = await freePort();

  const pass = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on('data', (chunk) => to.write(chunk));
    from.on('error', () => undefined);
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
    if (isHeld) from.pause();
  };
  const accept = async () => {
    server = createServer((incoming) => {
      const toDatabase = connect(target);
      outgoing.add(toDatabase);
      pass(incoming, toDatabase);
      pass(toDatabase, incoming);
    }).listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const refuse = async () => {
    const closed = server === undefined ? undefined : once(server, 'close');
    server?.close();
    server = undefined;
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await accept();
  for (const name of ['host', 'port']) url.searchParams.delete(name);
  const { username, password } = userOf(url);
  return {
    url: `postgresql://${username}${password}@127.0.0.1:${port}${url.pathname}`,
    hold() {
      isHeld = true;
      for (const socket of sockets) socket.pause();
    },
    mute() {
      for (const socket of sockets) if (outgoing.has(socket)) socket.pause();
    },
    resume() {
      isHeld = false;
      for (const socket of sockets) socket.resume();
    },
    refuse,
    accept,
    close: refuse,
  };
}

function targetOf(url: URL): { path: string } | { host: string; port: number } {
  const host = url.searchParams.get('host') ?? url.hostname;
  const port = Number(url.searchParams.get('port') ?? (url.port || 5432));
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
}

function userOf(url: URL) {
  const username = url.searchParams.get('user') ?? url.username;
  return { username, password: url.password === '' ? '' : `:${url.password}` };
}
