import type { Generated } from 'kysely';

/** Mails that became messages of a user, by the SHA-256 of their Message-ID and address. */
interface ReceivedMailsTable {
  organization_id: number;
  user_id: number;
  digest: Buffer;
  received_at: Generated<Date>;
}

declare module '../../db/schema.ts' {
  interface Database {
    received_mails: ReceivedMailsTable;
  }
}
