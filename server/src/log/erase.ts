import { sql } from 'kysely';
import type { DbTransaction } from '../db/schema.ts';
import type { LoggedEvent } from './event.ts';

/**
 * Types of events that contain a message's text, or what was done with it. Other events with its id describe things
 * that remain: a file that came with it, for example.
 */
const REDACTED_TYPES = ['message', 'update_message', 'reaction', 'submessage', 'reminders'];

/**
 * Of these, the audience gets a body without the text: `whenErased` of the body. A later event removes the thing, and a client that reads late
 * must know it. That body has `whenErased: null`, so that erasing it again changes nothing.
 */
const TYPES_WITH_REST = ['reminders'];

/**
 * Redacts the log's events about messages, in the change that deletes them. Readers find empty events at those
 * positions, or what remains of them. What the events changed in the directory stays. The log usually holds only the last
 * minutes. Index: `events_by_message`, which is coarse.
 */
export async function eraseEvents(
  db: DbTransaction,
  organizationId: number,
  messageIds: readonly number[],
): Promise<void> {
  // `CASE` comes first, so that only short bodies are parsed. `json` keeps the order of the fields.
  const rest = sql`CASE WHEN type = ANY (${TYPES_WITH_REST}::text[]) THEN body::json -> 'whenErased' END`;
  await sql`
    UPDATE events
       SET audience = CASE WHEN ${rest} IS NULL THEN '{"to":"nobody"}' ELSE audience END,
           body = CASE WHEN ${rest} IS NULL THEN 'null' WHEN json_typeof(${rest}) = 'null' THEN body ELSE (${rest})::text END
     WHERE organization_id = ${organizationId} AND type = ANY (${REDACTED_TYPES}::text[])
       AND message_id BETWEEN ${Math.min(...messageIds)} AND ${Math.max(...messageIds)}
       AND message_id = ANY (${messageIds}::bigint[])`.execute(db);
}

/**
 * Returns the event as it is in the log after these messages were deleted. If it is about none of them, that is the
 * same object.
 */
export function erasedEvent(event: LoggedEvent, messageIds: ReadonlySet<number>): LoggedEvent {
  const { type, messageId, body } = event;
  if (messageId === undefined || !messageIds.has(messageId) || !REDACTED_TYPES.includes(type)) return event;
  const rest = TYPES_WITH_REST.includes(type)
    ? (body as { readonly whenErased?: object | null }).whenErased
    : undefined;
  if (rest === undefined) return { ...event, audience: { to: 'nobody' }, body: null };
  return rest === null ? event : { ...event, body: rest };
}
