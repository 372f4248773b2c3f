import { sql } from 'kysely';
import type { DbTransaction } from '../db/schema.ts';
import type { LoggedEvent } from './event.ts';

/**
 * Types of events that contain a message's text, or what was done with it. Other events with its id describe things
 * that remain: a file that came with it, for example.
 */
const REDACTED_TYPES = ['message', 'update_message', 'reaction', 'submessage', 'reminders'];

/**
 * Redacts the log's events about messages, in the change that deletes them. Readers find empty events at those
 * positions. What the events changed in the directory stays. The log usually holds only the last minutes. Index:
 * `events_by_message`, which is coarse.
 */
export async function eraseEvents(
  db: DbTransaction,
  organizationId: number,
  messageIds: readonly number[],
): Promise<void> {
  await sql`
    UPDATE events SET audience = '{"to":"nobody"}', body = 'null'
     WHERE organization_id = ${organizationId} AND type = ANY (${REDACTED_TYPES}::text[])
       AND message_id BETWEEN ${Math.min(...messageIds)} AND ${Math.max(...messageIds)}
       AND message_id = ANY (${messageIds}::bigint[])`.execute(db);
}

/**
 * Returns the event as it is in the log after these messages were deleted. If it is about none of them, that is the
 * same object.
 */
export function erasedEvent(event: LoggedEvent, messageIds: ReadonlySet<number>): LoggedEvent {
  const { type, messageId } = event;
  if (messageId === undefined || !messageIds.has(messageId) || !REDACTED_TYPES.includes(type)) return event;
  return { ...event, audience: { to: 'nobody' }, body: null };
}
