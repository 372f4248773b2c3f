import type { Generated } from 'kysely';

/** Messages that a user missed in one conversation. The arrays have an element per message. */
interface MissedBatchesTable {
  organization_id: number;
  user_id: number;
  /** Where the messages were when they were added. */
  conversation: string;
  message_ids: number[];
  /** Why the user is notified. */
  causes: string[];
  /** The user group that mentions the user. */
  group_ids: (number | null)[];
  /** Further messages, which the mail only counts. */
  left_out: Generated<number>;
  begun_at: Generated<Date>;
  due_at: Date;
}

/** How many mails about missed messages an account got since a time. Account 0 stands for the organization. */
interface MailCountsTable {
  organization_id: number;
  user_id: number;
  begun_at: Generated<Date>;
  mails: number;
}

declare module '../../db/schema.ts' {
  interface Database {
    missed_batches: MissedBatchesTable;
    mail_counts: MailCountsTable;
  }
}
