import { badRequest, resourceNotFound } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import { MAX_REMINDER_NOTE_LENGTH } from '../../access/limits.ts';
import { noSuchMessage } from '../../access/message-door.ts';
import type { Row } from '../../db/schema.ts';
import type { OptimisticChange, Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { noticeContextOf } from '../../domain/sending/sending/notices.ts';
import { isLong } from '../../domain/sending/sending/prepare.ts';
import { checkedDeliveryTime } from '../../domain/texts/shared/delivery-time.ts';
import { checkAddedTexts } from '../../domain/texts/shared/kept-texts.ts';
import type { AppContext } from '../../extension/app-context.ts';
import { turn } from '../../http/limits/turns.ts';
import { addedEvent, addedWithoutQuoteEvent, removedEvent } from './events.ts';
import { toReminder } from './queries.ts';
import { targetOf } from './target.ts';
import { OF_DELETED, OF_DELETED_HTML, reminderText } from './text.ts';

export interface ReminderRequest {
  readonly messageId: number;
  /** Seconds since the epoch. */
  readonly deliverAt: number;
  /** Written by the user; may be empty. */
  readonly note: string;
}

/**
 * Creates a reminder of a message that the caller may read, and returns its id.
 * @throws ApiError `BAD_REQUEST`: no such message, a time that is not in the future, a note that is too long, or too many reminders or too
 *   much in them
 */
export async function remind(
  app: Pick<AppContext, 'db' | 'address' | 'scheduler'>,
  organization: Organization,
  caller: UserRecord,
  { messageId, deliverAt: timestamp, note: written }: ReminderRequest,
): Promise<number> {
  const deliverAt = checkedDeliveryTime(timestamp);
  const note = checkedNote(written);
  const { directory } = organization;
  const url = app.address.of(directory.organization.subdomain);
  const { render } = noticeContextOf(directory, caller, url);
  const before = await targetOf(app.db, directory, caller, messageId, 'look');
  if (before !== undefined) {
    // The slow part comes before the transaction, which uses its result.
    const content = reminderText(before, note, url);
    if (isLong(content)) await turn();
    render(content);
  }
  const id = await organization.transact(caller, 'optimistic', async (change, user) => {
    const { db, append } = change;
    const target = await targetOf(db, change.directory, user, messageId, 'change');
    if (target === undefined) throw noSuchMessage();
    const content = reminderText(target, note, url);
    const row = await db
      .insertInto('reminders')
      .values({
        organization_id: organization.id,
        user_id: user.id,
        message_id: messageId,
        note,
        content,
        rendered_content: render(content),
        deliver_at: deliverAt,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await checkAddedTexts(db, 'reminders', { organizationId: organization.id, userId: user.id });
    append(addedEvent(user.id, toReminder(row)));
    return row.id;
  });
  app.scheduler.expect(deliverAt);
  return id;
}

/** @throws ApiError `RESOURCE_NOT_FOUND`: the caller has no such reminder, or it was delivered */
export async function deleteReminder(
  { db, directory, append }: OptimisticChange,
  { id: userId }: UserRecord,
  id: number,
): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('reminders')
    .where('organization_id', '=', directory.organization.id)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw resourceNotFound('Reminder does not exist');
  append(removedEvent(userId, id));
}

/**
 * Removes quotes of messages from reminders, in the transaction that deletes the messages. The reminders still arrive, with their notes.
 * Clients know no change of a reminder, so they get a removal and an addition. Index: reminders_by_message.
 */
export async function forgetQuotes(
  { db, directory, append }: OptimisticChange,
  messageIds: readonly number[],
): Promise<void> {
  const { rows } = await sql<Row<'reminders'>>`
    UPDATE reminders SET content = ${OF_DELETED}, rendered_content = ${OF_DELETED_HTML}
     WHERE organization_id = ${directory.organization.id} AND message_id = ANY (${messageIds}::bigint[])
    RETURNING *`.execute(db);
  for (const row of rows) {
    append(removedEvent(row.user_id, row.id));
    append(addedWithoutQuoteEvent(row.user_id, toReminder(row)));
  }
}

/**
 * @throws ApiError `BAD_REQUEST`: it is too long
 */
function checkedNote(text: string): string {
  const note = text.trimEnd().replace(/^\n+/, '');
  if ([...note.slice(0, 2 * MAX_REMINDER_NOTE_LENGTH + 1)].length > MAX_REMINDER_NOTE_LENGTH) {
    throw badRequest(`Maximum reminder note length: ${MAX_REMINDER_NOTE_LENGTH} characters`);
  }
  return note;
}
