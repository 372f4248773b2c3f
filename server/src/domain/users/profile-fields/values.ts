import { badRequest } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import { usersWithAccessTo } from '../../../access/people.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { Change } from '../../../directory/organization.ts';
import { Role, type UserRecord } from '../../../directory/records.ts';
import type { NewEvent } from '../../../log/event.ts';
import { checkedValue, hasMarkup } from './checking.ts';
import { type ProfileValue, profilesPart } from './profiles.ts';
import type { ProfileEvent } from './queries.ts';

/** A new value; null removes it. */
export interface RequestedProfileValue {
  readonly id: number;
  readonly value: string | readonly number[] | null;
}

interface Editing {
  /** The user who makes the change. Administrators can also change fields that users cannot change themselves. */
  readonly caller: UserRecord;
  readonly userId: number;
  /** Renders markup as HTML. */
  readonly render: (text: string) => string;
}

/** Renders before the transaction, so that the transaction finds the HTML in the cache of `render`. */
export function renderAhead(
  directory: Directory,
  requested: readonly RequestedProfileValue[],
  render: (text: string) => string,
): void {
  for (const { id, value } of requested) {
    const field = directory.part(profilesPart).field(id);
    if (field !== undefined && hasMarkup(field) && typeof value === 'string' && value.length <= MAX_RENDERED_LENGTH) {
      render(value);
    }
  }
}

/** Longer texts are refused, so rendering them is useless. */
const MAX_RENDERED_LENGTH = 2000;

/**
 * Changes values in a user's profile, and announces them. Values that stay the same are skipped. Two statements at
 * most.
 * @throws ApiError `BAD_REQUEST`: no such field, one that the caller cannot change, or an invalid value
 */
export async function changeProfile(
  change: Change,
  { caller, userId, render }: Editing,
  requested: readonly RequestedProfileValue[],
): Promise<void> {
  const { directory, append } = change;
  const given = new Map<number, ProfileValue>();
  const taken = new Set<number>();
  for (const { id, value: requestedValue } of requested) {
    const field = directory.part(profilesPart).field(id);
    if (field === undefined) throw badRequest(`Field id ${id} not found.`);
    if (!field.isEditableByUser && caller.role > Role.administrator) {
      throw badRequest('You are not allowed to change this field. Contact an administrator to update it.');
    }
    given.delete(id);
    taken.delete(id);
    const current = directory.part(profilesPart).valueOf(id, userId);
    if (requestedValue === null) {
      if (current !== undefined) taken.add(id);
      continue;
    }
    const value = checkedValue(directory, caller, field, requestedValue);
    if (textOf(current) === value) continue;
    given.set(id, hasMarkup(field) ? { value, html: render(value) } : value);
  }
  await writeValues(change, userId, given);
  await deleteRows(change, [...taken], [userId]);
  for (const fieldId of taken) append(valueEvent(directory, fieldId, userId, undefined));
  for (const [fieldId, value] of given) append(valueEvent(directory, fieldId, userId, value));
}

/** Removes the values of these users, and announces it. One statement, and one event per user. */
export async function removeValues(change: Change, fieldId: number, userIds: readonly number[]): Promise<void> {
  await deleteRows(change, [fieldId], userIds);
  for (const userId of userIds) change.append(valueEvent(change.directory, fieldId, userId, undefined));
}

async function deleteRows({ db, directory }: Change, fieldIds: readonly number[], userIds: readonly number[]) {
  if (fieldIds.length === 0 || userIds.length === 0) return;
  await sql`
    DELETE FROM profile_values
     WHERE organization_id = ${directory.organization.id} AND field_id = ANY(${fieldIds}::bigint[])
       AND user_id = ANY(${userIds}::integer[])`.execute(db);
}

async function writeValues({ db, directory }: Change, userId: number, given: ReadonlyMap<number, ProfileValue>) {
  if (given.size === 0) return;
  const values = [...given.values()];
  await sql`
    INSERT INTO profile_values (organization_id, field_id, user_id, value, html)
    SELECT ${directory.organization.id}::integer, new.field_id, ${userId}::integer, new.value, new.html
      FROM unnest(${[...given.keys()]}::bigint[], ${values.map(textOf)}::text[], ${values.map(htmlOf)}::text[])
           AS new (field_id, value, html)
        ON CONFLICT (organization_id, field_id, user_id) DO UPDATE SET value = excluded.value, html = excluded.html`.execute(
    db,
  );
}

function valueEvent(directory: Directory, fieldId: number, userId: number, value: ProfileValue | undefined): NewEvent {
  const html = htmlOf(value);
  const body: ProfileEvent = {
    op: 'profile',
    userId,
    fieldId,
    value: textOf(value) ?? null,
    ...(html !== null && { html }),
  };
  const deltas = [{ delta: 'profile-value', fieldId, userId, ...(value !== undefined && { value }) }];
  return { type: 'realm_user', audience: usersWithAccessTo(directory, { id: userId, isBot: false }), body, deltas };
}

/** The text without its HTML. */
export function textOf(value: ProfileValue | undefined): string | undefined {
  return typeof value === 'object' ? value.value : value;
}

function htmlOf(value: ProfileValue | undefined): string | null {
  return typeof value === 'object' ? value.html : null;
}
