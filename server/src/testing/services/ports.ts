/** Ports of programs that tests start. */
import { connect, createServer } from 'node:net';
import { until } from '../server/until.ts';

/** Browsers and `fetch` refuse some lower ports. */
const FIRST_PORT = 11_000;
/** The system gives higher ports to the connections of all programs. Such a port could be taken before the program listens on it. */
const PORTS = 20_000;

/** Processes that run side by side begin at different ports. */
let next = (process.pid * 61) % PORTS;

/** A port of 127.0.0.1 that was free a moment ago, for programs that cannot choose one themselves. */
export function freePort(): Promise<number> {
  return until(async () => {
    const port = FIRST_PORT + next;
    next = (next + 1) % PORTS;
    return (await isFree(port)) && port;
  }, 'a free port');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
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
