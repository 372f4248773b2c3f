import type pg from 'pg';

/** Ends a connection at once, in whatever state it is; who waits for an answer on it gets the error. */
export function breakOff(client: pg.Client, error?: Error): void {
  client.connection.stream.destroy(error); // wire name: Node's word for the socket
}
