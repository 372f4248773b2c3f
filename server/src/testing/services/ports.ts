/** Ports of programs that tests start. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { until } from '../server/until.ts';

/**
 * Linux gives connections, and servers that ask for any port, only higher ones. So no other test takes such a port before its program listens,
 * or while the program restarts.
 */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_000;

/** The ports that this process has returned. */
const returned = new Set<number>();

/** A free port of 127.0.0.1, for programs that cannot choose one themselves. */
export async function freePort(): Promise<number> {
  return until(async () => {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    if (returned.has(port) || !(await isFree(port))) return undefined;
    returned.add(port);
    return port;
  }, 'a free port');
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  const isListening = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (!isListening) return false;
  server.close();
  await once(server, 'close');
  return true;
}

/** Whether a program listens on the port. */
export function accepts(port: number, address = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, address, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
