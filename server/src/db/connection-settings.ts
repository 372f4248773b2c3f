import type pg from 'pg';
import { databaseHosts } from '../config/database-url.ts';
import { PrimarySearch } from './primary-search.ts';

/** What `pg` needs to find the database: a connection string, or the embedded cluster's socket. */
export type ConnectionSettings = Pick<
  pg.PoolConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'
> & {
  /** Finds the host that accepts writes, if there are several. */
  readonly primary?: PrimarySearch;
};

/** The settings for `HEDDLE_DATABASE_URL`. All connections of a process share them, so that they have one host. */
export function connectionSettingsOf(databaseUrl: string): ConnectionSettings {
  const hosts = databaseHosts(databaseUrl) ?? [];
  const [first] = hosts;
  if (first === undefined || hosts.length === 1) return { connectionString: databaseUrl };
  return { connectionString: first.url, primary: new PrimarySearch(hosts) };
}
