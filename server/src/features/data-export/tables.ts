import type { Generated, GeneratedAlways } from 'kysely';

interface DataExportsTable {
  organization_id: number;
  id: GeneratedAlways<number>;
  acting_user_id: number;
  /** As in the API: 1 or 2. */
  type: 1 | 2;
  requested_at: Generated<Date>;
  /** Where the archive is, or where the current attempt writes it. */
  storage_key: Generated<string | null>;
  /** Of a complete archive, in bytes. */
  size: Generated<number | null>;
  completed_at: Generated<Date | null>;
  failed_at: Generated<Date | null>;
  deleted_at: Generated<Date | null>;
}

declare module '../../db/schema.ts' {
  interface Database {
    data_exports: DataExportsTable;
  }
}
