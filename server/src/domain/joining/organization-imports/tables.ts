import type { ImportFormat } from '@heddle/api/objects/organization-import.ts';
import type { Generated } from 'kysely';

export interface ImportProgress {
  readonly stage: 'waiting' | 'reading' | 'importing';
  readonly table: string | null;
  readonly done: number;
  readonly total: number | null;
}

export interface ImportOutcome {
  readonly imported: Record<string, number>;
  readonly not_imported: { what: string; count: number; examples: string[] }[];
  readonly messages_left_out: number;
}

export interface ImportMails {
  readonly queued: number;
  readonly without_address: number;
}

interface OrganizationImportsTable {
  organization_id: number;
  /** Who uploaded the archive. After the import: the owner who has the login. */
  user_id: number;
  state: 'uploaded' | 'running' | 'stopping' | 'failed' | 'done';
  /** null after the import. */
  storage_key: string | null;
  filename: string;
  size: number;
  format: ImportFormat | null;
  organization_name: string | null;
  owner_email: string | null;
  progress: ImportProgress | null;
  /** How often the process of the import ended unexpectedly. */
  failures: Generated<number>;
  problem: string | null;
  report: ImportOutcome | null;
  mails: ImportMails | null;
  uploaded_at: Generated<Date>;
}

declare module '../../../db/schema.ts' {
  interface Database {
    organization_imports: OrganizationImportsTable;
  }
}
