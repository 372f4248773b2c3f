import { sql } from 'kysely';
import type { DbTransaction } from '../db/schema.ts';
import type { LoggedEvent } from './event.ts';

/** Events that tell what a message says, or what was done with it. Others that have its id, as of the file that came with it, tell of something that stays. */
const TELLING = ['message', 'update_message', 'reaction', 'submessage', 'reminders'];

/**
 * Takes what the log says of messages out of it, in the change that deletes them: whoever reads it later finds the places empty. What
 * they changed in the directory stays. The log holds minutes of events, mostly; index: events_by_message, which is coarse.
 */
export async function eraseEvents(
  db: DbTransaction,
  organizationId: number,
  messageIds: readonly number[],
): Promise<void> {
  await sql`
    UPDATE events SET audience = '{"to":"nobody"}', body = 'null'
     WHERE organization_id = ${organizationId} AND type = ANY (${TELLING}::text[])
       AND message_id BETWEEN ${Math.min(...messageIds)} AND ${Math.max(...messageIds)}
       AND message_id = ANY (${messageIds}::bigint[])`.execute(db);
}

/** The event as the log has it once these messages are deleted: itself, where it tells nothing of them. */
export function erasedEvent(event: LoggedEvent, messageIds: ReadonlySet<number>): LoggedEvent {
  const { type, messageId } = event;
  if (messageId === undefined || !messageIds.has(messageId) || !TELLING.includes(type)) return event;
  return { ...event, audience: { to: 'nobody' }, body: null };
}
