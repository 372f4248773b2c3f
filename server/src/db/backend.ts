import type pg from 'pg';

const known = new WeakMap<pg.ClientBase, number>();

/** Notes the result of `pg_backend_pid()` on the connection. Behind a pooler, it is not what was sent at the start of the connection. */
export function noteBackend(client: pg.ClientBase, backend: number): void {
  known.set(client, backend);
}

/** The id of the backend: as noted, or else as it was sent at the start of the connection. The types of `pg` lack that. */
export function backendOf(client: pg.ClientBase): number {
  return known.get(client) ?? ('processID' in client ? Number(client.processID) : 0);
}
