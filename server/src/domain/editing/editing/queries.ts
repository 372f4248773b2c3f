import { badRequest } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import { accessMessages, noSuchMessage } from '../../../access/message-door.ts';
import { type EditHistoryVisibility, organizationSetting } from '../../../access/organization-settings.ts';
import type { Reading } from '../../../directory/reading.ts';
import { type EditRow, editOf, type MessageEdit, selectEdits, WHOLE } from '../../messages/messages/edits.ts';
import type { MessageText } from './body.ts';

/** A message between one change and the next. */
export interface Snapshot {
  readonly userId: number;
  /** Seconds since the epoch. */
  readonly at: number;
  readonly content: MessageText;
  /** Null for direct messages. */
  readonly topic: string | null;
  /** The change that led to this version; null for the original message. */
  readonly edit: MessageEdit | null;
}

interface Row {
  sender_id: number;
  sent_at: number;
  text: string;
  html: string;
  topic: string | null;
  edits: EditRow[] | null;
}

/**
 * Returns the versions of a message, newest first (public reference: "Get a message's edit history"). If users see only
 * moves, every version has the present text. Indexes: the primary keys.
 * @throws ApiError if the organization hides the history, or this user cannot read the message
 */
export async function messageHistory(
  { db, directory, caller }: Reading,
  messageId: number,
): Promise<readonly Snapshot[]> {
  const visibility = organizationSetting(directory, 'message_edit_history_visibility_policy');
  if (visibility === 'none') throw badRequest('Message edit history is disabled in this organization');
  await accessMessages(db, directory, caller, [messageId], 'read', 'look');
  const organizationId = directory.organization.id;
  const edits = selectEdits({ organizationId, messageId: sql`m.id`, visibility, bounds: WHOLE });
  const { rows } = await sql<Row>`
    SELECT m.sender_id, extract(epoch FROM m.sent_at)::bigint AS sent_at, m.content AS text, m.rendered_content AS html,
           CASE WHEN m.channel_id IS NOT NULL THEN m.topic END AS topic, ${edits} AS edits
      FROM messages m
     WHERE m.organization_id = ${organizationId} AND m.id = ${messageId}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw noSuchMessage();
  return snapshotsOf(row, visibility);
}

function snapshotsOf(row: Row, visibility: EditHistoryVisibility): readonly Snapshot[] {
  const edits = (row.edits ?? []).map(editOf);
  let content: MessageText = { text: row.text, html: row.html };
  let topic = row.topic;
  const snapshots: Snapshot[] = [];
  for (const edit of edits) {
    snapshots.push({ userId: edit.userId, at: edit.at, content, topic, edit });
    content = edit.content ?? content;
    topic = edit.topic?.before ?? topic;
  }
  if (reachesBack(edits, visibility)) {
    snapshots.push({ userId: row.sender_id, at: row.sent_at, content, topic, edit: null });
  }
  return snapshots;
}

/** Whether the edits include the first one. Otherwise the original message is unknown. */
function reachesBack(edits: readonly MessageEdit[], visibility: EditHistoryVisibility): boolean {
  // A move deletes the entries of moves beyond this number of changes.
  if (visibility === 'moves') return (edits[0]?.number ?? 1) <= WHOLE.changes;
  return (edits.at(-1)?.number ?? 1) === 1;
}
