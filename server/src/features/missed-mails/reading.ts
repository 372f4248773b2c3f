/** Reads the log for messages that users missed, and adds them to the batches of their conversations. */
import { sql } from 'kysely';
import type { DbTransaction } from '../../db/schema.ts';
import type { Directory } from '../../directory/directory.ts';
import { messageBody } from '../../domain/messages/messages/message-body.ts';
import { type Known, type Missed, missedIn } from '../../domain/notifications/notifications/missed.ts';
import { presenceStatusOf } from '../../domain/presence/queries.ts';
import type { AppContext } from '../../extension/app-context.ts';
import type { Consumed, LogConsumer } from '../../jobs/consumers.ts';
import type { LoggedEvent } from '../../log/event.ts';
import { isMailable } from '../../mail/mail.ts';
import { dropExcess, MAX_MESSAGES_PER_BATCH } from './batches.ts';

/** A server that was down for longer starts with what is new. */
const MAX_AGE_SECONDS = 86_400;

type ReadingContext = Parameters<typeof presenceStatusOf>[0] & Pick<AppContext, 'log' | 'scheduler'>;

export function missedMailsConsumer(app: ReadingContext): LogConsumer {
  return {
    // The migration has it, too.
    name: 'missed-mails',
    isForAll: true,
    async reader(organization) {
      const { directory } = organization;
      const known = { directory, statusOf: await presenceStatusOf(app, organization) };
      return { types: ['message', 'update_message'], read: (db, page) => readPage(app, db, known, page) };
    },
  };
}

async function readPage(
  { log, scheduler }: ReadingContext,
  db: DbTransaction,
  known: Known,
  page: readonly LoggedEvent[],
): Promise<Consumed> {
  const { directory } = known;
  const { missed, events } = await missedIn(db, known, page, {
    medium: 'email',
    candidates: mailableUsers(directory),
    maxAgeSeconds: MAX_AGE_SECONDS,
    isLeftOut: isGreeting(directory),
    isNotifiedOnline: () => false,
  });
  if (missed.length === 0) return { handled: events.length };
  const { due, isGrowing } = await addToBatches(db, directory.organization.id, missed);
  const dropped = isGrowing ? await dropExcess(db, directory.organization.id) : 0;
  if (dropped > 0) {
    const facts = { organization: directory.organization.id, dropped };
    log.warn(facts, 'mails about missed messages were dropped: too many wait');
  }
  return { handled: events.length, ...(due !== undefined && { afterCommit: () => scheduler.expect(due) }) };
}

/** The Welcome Bot greets people who are about to open the app. */
function isGreeting(directory: Directory): (event: LoggedEvent) => boolean {
  return (event) =>
    event.type === 'message' &&
    event.body !== null &&
    directory.correspondent(messageBody(event).sender.id)?.systemBot === 'welcome';
}

function mailableUsers(directory: Directory): ReadonlySet<number> {
  const users = [...directory.users.values()].filter(
    ({ isActive, isBot, deliveryEmail }) => isActive && !isBot && isMailable(deliveryEmail),
  );
  return new Set(users.map(({ id }) => id));
}

interface Added {
  /** When the first of the batches is due; undefined if all messages are deleted. */
  readonly due: Date | undefined;
  /** Whether there are more batches than before. */
  readonly isGrowing: boolean;
}

/** Messages that are in one conversation now share a mail. One statement. Index: the primary keys. */
async function addToBatches(db: DbTransaction, organizationId: number, missed: readonly Missed[]): Promise<Added> {
  const { rows } = await sql<{ due_at: Date; is_new: boolean }>`
    INSERT INTO missed_batches AS batch
      (organization_id, user_id, conversation, message_ids, causes, group_ids, left_out, due_at)
    SELECT ${organizationId}::integer, user_id, conversation,
           (array_agg(message_id ORDER BY place))[1:${sql.lit(MAX_MESSAGES_PER_BATCH)}],
           (array_agg(cause ORDER BY place))[1:${sql.lit(MAX_MESSAGES_PER_BATCH)}],
           (array_agg(group_id ORDER BY place))[1:${sql.lit(MAX_MESSAGES_PER_BATCH)}],
           greatest(count(*) - ${sql.lit(MAX_MESSAGES_PER_BATCH)}, 0),
           now() + make_interval(secs => min(period))
      FROM unnest(${missed.map(({ userId }) => userId)}::integer[],
                  ${missed.map(({ messageId }) => messageId)}::bigint[],
                  ${missed.map(({ cause }) => cause)}::text[],
                  ${missed.map(({ groupId }) => groupId)}::integer[],
                  ${missed.map(({ settings }) => settings.email_notifications_batching_period_seconds)}::integer[])
             WITH ORDINALITY AS missed (user_id, message_id, cause, group_id, period, place)
      JOIN messages m ON m.organization_id = ${organizationId} AND m.id = missed.message_id
     CROSS JOIN LATERAL (
           SELECT CASE WHEN m.channel_id IS NULL THEN 'direct ' || m.conversation_id
                       ELSE 'channel ' || m.channel_id || ' ' || lower(m.topic) END AS conversation) AS at
     GROUP BY user_id, conversation
     ORDER BY user_id, conversation
    ON CONFLICT (organization_id, user_id, conversation) DO UPDATE
       SET message_ids = (batch.message_ids || excluded.message_ids)[1:${sql.lit(MAX_MESSAGES_PER_BATCH)}],
           causes = (batch.causes || excluded.causes)[1:${sql.lit(MAX_MESSAGES_PER_BATCH)}],
           group_ids = (batch.group_ids || excluded.group_ids)[1:${sql.lit(MAX_MESSAGES_PER_BATCH)}],
           left_out = batch.left_out + excluded.left_out
             + greatest(cardinality(batch.message_ids) + cardinality(excluded.message_ids)
                        - ${sql.lit(MAX_MESSAGES_PER_BATCH)}, 0)
    RETURNING due_at, xmax = 0 AS is_new`.execute(db);
  return {
    due: rows.length === 0 ? undefined : new Date(Math.min(...rows.map(({ due_at }) => due_at.getTime()))),
    isGrowing: rows.some(({ is_new }) => is_new),
  };
}
