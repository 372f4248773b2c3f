import { usersWithAccessTo } from '../../../access/people.ts';
import type { Change, OptimisticChange } from '../../../directory/organization.ts';
import type { UserRecord } from '../../../directory/records.ts';
import { userDelta } from '../../../directory/state-deltas.ts';
import { botUpdated } from '../../users/bots/present.ts';
import type { UserEvent } from '../../users/users/events.ts';
import { freeFullName } from '../../users/users/free-names.ts';

/**
 * Writes the record's name, picture, key version and bot settings, and appends the event with this body. Without a body
 * no client gets an event.
 */
export async function changeAccount(
  { db, directory, append }: Change,
  changed: UserRecord,
  body?: UserEvent,
): Promise<void> {
  await db
    .updateTable('users')
    .set({
      full_name: changed.fullName,
      bot_owner_id: changed.botOwnerId,
      bot_settings: changed.bot ?? null,
      avatar_file: changed.avatarFile ?? null,
      avatar_version: changed.avatarVersion,
      api_key_version: changed.apiKeyVersion,
    })
    .where('organization_id', '=', directory.organization.id)
    .where('id', '=', changed.id)
    .execute();
  const audience = body === undefined ? ({ to: 'nobody' } as const) : usersWithAccessTo(directory, changed);
  append({ type: 'realm_user', audience, body: body ?? null, deltas: [userDelta(changed)] });
}

/**
 * Renames an account, and announces it.
 * @returns the changed account
 * @throws ApiError `BAD_REQUEST`: the name is invalid or taken
 */
export async function renameUser(change: Change, user: UserRecord, text: string): Promise<UserRecord> {
  const { directory, append } = change;
  const fullName = freeFullName(directory, text, user.id);
  if (fullName === user.fullName) return user;
  const changed = { ...user, fullName };
  const body: UserEvent = { op: 'full-name', userId: user.id, fullName };
  await changeAccount(change, changed, body);
  if (user.isBot) append(botUpdated(directory, changed, ['full_name']));
  return changed;
}

/** Announces the time zone in the record. */
export function announceTimezone(
  { directory, append }: Pick<OptimisticChange, 'append' | 'directory'>,
  user: UserRecord,
): void {
  const body: UserEvent = { op: 'timezone', userId: user.id, email: user.email, timezone: user.timezone };
  append({ type: 'realm_user', audience: usersWithAccessTo(directory, user), body, deltas: [userDelta(user)] });
}
