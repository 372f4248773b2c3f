import type { Server } from 'node:net';

/**
 * Closes each connection after this time. Otherwise, clients that send some bytes now and then could keep all
 * connections, or the memory for mails. Other mail servers try again.
 */
export function limitSessions(server: Server, milliseconds: number): void {
  server.on('connection', (socket) => {
    const timer = setTimeout(() => socket.destroy(), milliseconds);
    socket.once('close', () => clearTimeout(timer));
  });
}
