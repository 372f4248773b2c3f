import type { Generated } from 'kysely';

/** When the last digest of an account was queued. */
interface DigestsTable {
  organization_id: number;
  user_id: number;
  queued_at: Generated<Date>;
}

declare module '../../db/schema.ts' {
  interface Database {
    digests: DigestsTable;
  }
}
