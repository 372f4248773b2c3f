import { badRequest, invalidParameter } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import { usersWithAccessTo } from '../../access/people.ts';
import { readValue } from '../../db/prepared.ts';
import type { Directory } from '../../directory/directory.ts';
import type { OptimisticChange } from '../../directory/organization.ts';
import { type AskedEmoji, checkEmoji, emojiKind, meantEmoji } from '../../domain/messages/reactions/emoji.ts';
import type { StatusBody } from './events.ts';
import { NO_STATUS, type Status, selectStatus, statusOf } from './queries.ts';

const MAX_STATUS_TEXT_LENGTH = 60;

export interface GivenStatus {
  readonly status_text: string | undefined;
  readonly emoji_name: string | undefined;
  readonly emoji_code: string | undefined;
  readonly reaction_type: string | undefined;
}

/** The requested changes; undefined fields stay. */
export type RequestedStatus = { readonly [Name in keyof Status]: Status[Name] | undefined };

/**
 * The changes of a request (public reference, "Update your status").
 * @throws ApiError `BAD_REQUEST`
 */
export function requestedStatus(directory: Directory, given: GivenStatus): RequestedStatus {
  const text = given.status_text?.trim();
  if (text !== undefined && [...text.slice(0, 2 * MAX_STATUS_TEXT_LENGTH + 1)].length > MAX_STATUS_TEXT_LENGTH) {
    throw invalidParameter('status_text', `is too long (limit: ${MAX_STATUS_TEXT_LENGTH} characters)`);
  }
  return { text, emoji: requestedEmoji(directory, given) };
}

function requestedEmoji(directory: Directory, given: GivenStatus): Status['emoji'] | undefined {
  const { emoji_name: name, emoji_code: code, reaction_type: type } = given;
  if (name === '') return null;
  if (name === undefined) {
    if (code === undefined && type === undefined) return undefined;
    throw badRequest('Client must pass emoji_name if they pass either emoji_code or reaction_type.');
  }
  const asked: AskedEmoji = { name, code, kind: emojiKind(type) };
  const emoji = { ...meantEmoji(directory, asked), name };
  checkEmoji(directory, emoji);
  return emoji;
}

/** Changes a user's status and announces the requested fields. */
export async function changeStatus(
  change: OptimisticChange,
  userId: number,
  requested: RequestedStatus,
): Promise<void> {
  const { db, directory, append } = change;
  const organizationId = directory.organization.id;
  const row = await readValue(db, selectStatus(organizationId, userId));
  const before = row === null ? NO_STATUS : statusOf(row);
  const { text, emoji } = {
    text: requested.text ?? before.text,
    emoji: requested.emoji === undefined ? before.emoji : requested.emoji,
  };
  await sql`
    INSERT INTO user_statuses (organization_id, user_id, status_text, emoji_kind, emoji_code, emoji_name)
    VALUES (${organizationId}, ${userId}, ${text}, ${emoji?.kind ?? null}, ${emoji?.code ?? ''}, ${emoji?.name ?? ''})
    ON CONFLICT (organization_id, user_id) DO UPDATE SET
      status_text = excluded.status_text, emoji_kind = excluded.emoji_kind, emoji_code = excluded.emoji_code,
      emoji_name = excluded.emoji_name`.execute(db);
  if (text === '' && emoji === null) {
    await db
      .deleteFrom('user_statuses')
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', userId)
      .execute();
  }
  const changed = {
    userId,
    ...(requested.text !== undefined && { text }),
    ...(requested.emoji !== undefined && { emoji }),
  };
  append(statusEvent(directory, changed));
}

function statusEvent(directory: Directory, body: StatusBody) {
  const audience = usersWithAccessTo(directory, { id: body.userId, isBot: false });
  return { type: 'user_status', audience, body } as const;
}
