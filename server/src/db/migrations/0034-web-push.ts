import { type Kysely, sql } from 'kysely';

/**
 * Browsers with Web Push, and their notifications. A subscription belongs to a session and ends with it, whatever code ends the session.
 * There is no foreign key to `messages`: browsers must still remove the notification of a deleted message.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE web_push_subscriptions (
      organization_id integer     NOT NULL,
      user_id         integer     NOT NULL,
      id              bigint      GENERATED ALWAYS AS IDENTITY,
      session_hash    bytea       NOT NULL,
      endpoint        text        NOT NULL,
      host            text        NOT NULL,
      public_key      bytea       NOT NULL,
      auth_secret     bytea       NOT NULL,
      shows_text      boolean     NOT NULL,
      registered_at   timestamptz NOT NULL DEFAULT now(),
      notified_at     timestamptz,
      PRIMARY KEY (organization_id, user_id, id),
      UNIQUE (organization_id, session_hash),
      FOREIGN KEY (organization_id, user_id) REFERENCES users,
      FOREIGN KEY (organization_id, session_hash) REFERENCES sessions ON DELETE CASCADE
    )`.execute(db);
  // The secret of a browser finds its earlier subscription for another account.
  await sql`
    CREATE INDEX web_push_subscriptions_by_secret ON web_push_subscriptions (organization_id, auth_secret)`.execute(db);
  await sql`
    CREATE TABLE web_push_notifications (
      organization_id integer     NOT NULL,
      user_id         integer     NOT NULL,
      subscription_id bigint      NOT NULL,
      message_id      bigint      NOT NULL,
      conversation    text        NOT NULL,
      host            text        NOT NULL,
      cause           text        NOT NULL,
      group_id        integer,
      state           text        NOT NULL,
      is_changed      boolean     NOT NULL DEFAULT false,
      attempts        integer     NOT NULL DEFAULT 0,
      due_at          timestamptz,
      added_at        timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (organization_id, user_id, message_id, subscription_id),
      FOREIGN KEY (organization_id, user_id, subscription_id) REFERENCES web_push_subscriptions ON DELETE CASCADE
    )`.execute(db);
  await sql`
    CREATE INDEX web_push_notifications_due ON web_push_notifications (host, due_at) WHERE due_at IS NOT NULL`.execute(
    db,
  );
  await sql`
    CREATE INDEX web_push_notifications_by_message ON web_push_notifications (organization_id, message_id)`.execute(db);
  await sql`
    CREATE INDEX web_push_notifications_by_conversation
        ON web_push_notifications (organization_id, user_id, subscription_id, conversation)`.execute(db);
}
