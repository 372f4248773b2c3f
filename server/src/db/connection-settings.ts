import type pg from 'pg';

/** What `pg` needs to find the database: a connection string, or the embedded cluster's socket. */
export type ConnectionSettings = Pick<
  pg.PoolConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'
>;
