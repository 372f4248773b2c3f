import { type Kysely, sql } from 'kysely';

/**
 * Messages that users missed and that wait to be mailed: one row per user and conversation, which is one mail. Existing
 * organizations begin with what is new, so nobody gets mails about old messages.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE missed_batches (
      organization_id integer     NOT NULL,
      user_id         integer     NOT NULL,
      conversation    text        NOT NULL,
      message_ids     bigint[]    NOT NULL,
      causes          text[]      NOT NULL,
      group_ids       integer[]   NOT NULL,
      left_out        integer     NOT NULL DEFAULT 0,
      begun_at        timestamptz NOT NULL DEFAULT now(),
      due_at          timestamptz NOT NULL,
      PRIMARY KEY (organization_id, user_id, conversation),
      FOREIGN KEY (organization_id, user_id) REFERENCES users
    )`.execute(db);
  await sql`CREATE INDEX missed_batches_due ON missed_batches (due_at)`.execute(db);
  // How many mails an account (0: all accounts of the organization) got since `begun_at`.
  await sql`
    CREATE TABLE mail_counts (
      organization_id integer     NOT NULL REFERENCES organizations,
      user_id         integer     NOT NULL,
      begun_at        timestamptz NOT NULL DEFAULT now(),
      mails           integer     NOT NULL,
      PRIMARY KEY (organization_id, user_id)
    )`.execute(db);
  await sql`
    INSERT INTO log_cursors (organization_id, consumer, position)
    SELECT organization_id, 'missed-mails', head FROM logs
    ON CONFLICT DO NOTHING`.execute(db);
}
