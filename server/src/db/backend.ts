import type pg from 'pg';

/** The id of the backend, as it was sent at the start of the connection. A pooler sends an id of its own. The types of `pg` lack it. */
export function backendOf(client: pg.Client): number {
  return 'processID' in client ? Number(client.processID) : 0;
}
