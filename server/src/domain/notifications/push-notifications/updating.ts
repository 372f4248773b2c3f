/** Finds notifications in browsers that show an old text or place. Phones keep what they show: their apps have no such update. */
import { sql } from 'kysely';
import type { DbTransaction } from '../../../db/schema.ts';
import type { LoggedEvent } from '../../../log/event.ts';
import { messageUpdateBody } from '../../editing/editing/body.ts';

/** Further edits within this time are the same push. */
const UPDATE_DELAY_SECONDS = 5;

/**
 * Makes shown notifications due soon. What is on its way is sent again when it has arrived. A row keeps the conversation in which the browser
 * shows the message, until the browser gets the new one. Returns whether there were any. Index: web_push_notifications_by_message.
 */
export async function noteEdited(
  db: DbTransaction,
  organizationId: number,
  events: readonly LoggedEvent[],
): Promise<boolean> {
  const messageIds = new Set(events.flatMap(changedBy));
  if (messageIds.size === 0) return false;
  const { rows } = await sql`
    UPDATE web_push_notifications n
       SET is_changed = n.attempts > 0,
           due_at = CASE WHEN n.state = 'shown' THEN coalesce(n.due_at, now() + make_interval(secs => ${UPDATE_DELAY_SECONDS}))
                         ELSE n.due_at END
     WHERE n.organization_id = ${organizationId} AND n.message_id = ANY (${[...messageIds]}::bigint[])
       AND n.state <> 'leaving'
    RETURNING n.user_id`.execute(db);
  return rows.length > 0;
}

/** The messages whose text or place the event changes. A thumbnail changes neither. */
function changedBy(event: LoggedEvent): readonly number[] {
  if (event.type !== 'update_message' || event.body === null) return [];
  const { messageIds, messageId = event.messageId, content, move, isRenderingOnly } = messageUpdateBody(event);
  if (move !== undefined) return messageIds;
  return content !== null && isRenderingOnly !== true && messageId !== undefined ? [messageId] : [];
}
