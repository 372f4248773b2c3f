import type pg from 'pg';

/** Destroys a connection in any state. Pending queries on it reject with the error. */
export function breakOff(client: pg.Client, error?: Error): void {
  client.connection.stream.destroy(error); // wire name: Node's word for the socket
}
