import { type RawBuilder, sql } from 'kysely';
import type { NumberInSql } from '../../db/parameters.ts';
import type { Directory } from '../../directory/directory.ts';
import type { UserRecord } from '../../directory/records.ts';
import type { Emoji, EmojiKind } from '../../domain/messages/reactions/emoji.ts';
import { settingOf } from '../../domain/users/user-settings/queries.ts';
import { rememberedBy } from '../../extension/remembered-state.ts';

/** The status of a user. */
export interface Status {
  /** Empty: no text. */
  readonly text: string;
  readonly emoji: Emoji | null;
}

export const NO_STATUS: Status = { text: '', emoji: null };

export type StatusRow = readonly [userId: number, text: string, kind: EmojiKind | null, code: string, name: string];

/** The statuses of all users who have one, as one value; null if there are none. Index: the primary key. */
export function selectStatuses(organizationId: NumberInSql): RawBuilder<StatusRow[] | null> {
  return sql`
    SELECT json_agg(json_build_array(user_id, status_text, emoji_kind, emoji_code, emoji_name)) FROM user_statuses
     WHERE organization_id = ${organizationId}`;
}

/** The status of one user, in the same form. */
export function selectStatus(organizationId: number, userId: number): RawBuilder<StatusRow | null> {
  return sql`
    SELECT json_build_array(user_id, status_text, emoji_kind, emoji_code, emoji_name) FROM user_statuses
     WHERE organization_id = ${organizationId} AND user_id = ${userId}`;
}

export function statusOf([, text, kind, code, name]: StatusRow): Status {
  return { text, emoji: kind === null ? null : { kind, code, name } };
}

/** A user who hides their presence is away for older clients. */
export function isAway(user: UserRecord): boolean {
  return !settingOf(user, 'presence_enabled');
}

const whoIsAway = rememberedBy(['users', 'settings'], (directory): readonly UserRecord[] => {
  // A user without settings of their own does not hide.
  return [...directory.users.values()].filter((user) => user.settings !== undefined && user.isActive && isAway(user));
});

/** Of all users who have a status or are away, by id, without deactivated ones. */
export function allStatuses(directory: Directory, rows: readonly StatusRow[] | null): ReadonlyMap<number, Status> {
  const statuses = new Map<number, Status>();
  for (const row of rows ?? []) if (directory.user(row[0])?.isActive) statuses.set(row[0], statusOf(row));
  for (const { id } of whoIsAway(directory)) if (!statuses.has(id)) statuses.set(id, NO_STATUS);
  return statuses;
}
