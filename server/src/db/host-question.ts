import pg from 'pg';
import type { DatabaseHost } from '../config/database-url.ts';
import { breakOff } from './break-off.ts';
import { PRIMARY_SEARCH_TIMEOUT_MS } from './timeouts.ts';

/** The host that accepts writes, as `pg` wants it. */
export interface Primary {
  /** For messages. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly timeline: number;
}

/** What a host says about itself. */
export type Candidate =
  | { readonly is: 'primary'; readonly primary: Primary }
  | { readonly is: 'standby' | 'unusable'; readonly reason: string };

/**
 * The timeline grows with each promotion. If an old primary comes back, the newer one has the larger timeline. The name of a WAL
 * file begins with it.
 */
const QUESTION = `
  SELECT pg_is_in_recovery() AS standby,
         current_setting('transaction_read_only') = 'on' AS readonly,
         CASE WHEN NOT pg_is_in_recovery() THEN pg_walfile_name(pg_current_wal_insert_lsn()) END AS wal`;
const TIMELINE_CHARACTERS = 8;

/** Asks a host, on a connection of its own, whether it is the primary or a standby. Never rejects. */
export async function askHost({ name, url }: DatabaseHost): Promise<Candidate> {
  const client = new pg.Client({ connectionString: url, application_name: 'heddle primary search' });
  const unusable = (reason: string) => ({ is: 'unusable', reason: `${name} ${reason}` }) as const;
  client.on('error', () => undefined);
  // One limit for the connection and the response.
  const silent = new Error(`no response for ${PRIMARY_SEARCH_TIMEOUT_MS} ms`);
  const timer = setTimeout(() => breakOff(client, silent), PRIMARY_SEARCH_TIMEOUT_MS);
  try {
    await client.connect();
    const { rows } = await client.query<{ standby: boolean; readonly: boolean; wal: string | null }>(QUESTION);
    const [row] = rows;
    if (row === undefined) return unusable('sent no row');
    if (row.standby) return { is: 'standby', reason: `${name} is a standby` };
    if (row.readonly) return unusable('is read-only');
    const timeline = Number.parseInt(row.wal?.slice(0, TIMELINE_CHARACTERS) ?? '0', 16);
    return { is: 'primary', primary: { name, host: client.host, port: client.port, timeline } };
  } catch (error) {
    return unusable(`cannot be used (${reasonOf(error)})`);
  } finally {
    clearTimeout(timer);
    client.end().catch(() => undefined);
  }
}

/** A connection attempt to several addresses of a name has a cause for each. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}
