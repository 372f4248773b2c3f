import type pg from 'pg';

/** One process that imports into one subdomain. */
export interface ImportSession {
  readonly subdomain: string;
  /** The organization at the subdomain that the imported one replaces. */
  readonly replaces?: number | undefined;
  /** It holds the lock of the subdomain. */
  readonly client: pg.Client;
  /** For temporary files. It is empty, and removed in the end. */
  readonly workDirectory: string;
}
