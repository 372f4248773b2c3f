import type { Generated } from 'kysely';

/** A kind of event that an integration does not know. The owner of the bot was notified of it. */
interface WebhookNoticesTable {
  organization_id: number;
  bot_id: number;
  /** The name of the integration. */
  integration: string;
  /** Why its requests are refused, without numbers. */
  kind: string;
  notified_at: Generated<Date>;
}

declare module '../../db/schema.ts' {
  interface Database {
    webhook_notices: WebhookNoticesTable;
  }
}
