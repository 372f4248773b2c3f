import { sql } from 'kysely';
import type { OptimisticChange } from '../../../directory/organization.ts';
import { readersOf } from './readers.ts';
import { appendUpdate } from './update-event.ts';

interface Row {
  id: number;
  channel_id: number | null;
  content: string;
  rendered_content: string;
  is_me_message: boolean;
}

/**
 * Changes the HTML of messages and notifies the users who have them, without counting as an edit. Messages that stay
 * equal or no longer exist are skipped.
 */
export async function rerenderMessages(
  change: OptimisticChange,
  messageIds: readonly number[],
  rewrite: (html: string) => string,
): Promise<void> {
  const { db, directory } = change;
  const organizationId = directory.organization.id;
  const { rows } = await sql<Row>`
    SELECT id, channel_id, content, rendered_content, is_me_message FROM messages
     WHERE organization_id = ${organizationId} AND id = ANY (${messageIds}::bigint[])
     ORDER BY id FOR NO KEY UPDATE`.execute(db);
  const at = Math.floor(Date.now() / 1000);
  for (const row of rows) {
    const html = rewrite(row.rendered_content);
    if (html === row.rendered_content) continue;
    await sql`
      UPDATE messages SET rendered_content = ${html}
       WHERE organization_id = ${organizationId} AND id = ${row.id}`.execute(db);
    const message = { id: row.id, channelId: row.channel_id };
    const content = {
      before: { text: row.content, html: row.rendered_content },
      after: { text: row.content, html },
      isMeMessage: row.is_me_message,
      concernsMany: false,
    };
    const { readers, audience } = await readersOf(db, directory, message);
    appendUpdate(change, { user: null, at, message, messageIds: [row.id], content, readers, audience });
  }
}
