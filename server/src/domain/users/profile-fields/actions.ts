import type { Parameters } from '@heddle/api/contract.ts';
import type { createProfileField, updateProfileField } from '@heddle/api/endpoints/profile-fields.ts';
import { badRequest } from '@heddle/api/errors.ts';
import { MAX_PROFILE_FIELDS } from '@heddle/api/objects/profile-field.ts';
import { sql } from 'kysely';
import { roleRefusal } from '../../../access/setting-changes.ts';
import type { Change } from '../../../directory/organization.ts';
import type { UserRecord } from '../../../directory/records.ts';
import { addJob } from '../../../jobs/adding.ts';
import { type CheckedField, checkedField, defaultAccount, type FieldData, isChoice, SELECT } from './checking.ts';
import type { FieldsBody } from './events.ts';
import { removeFieldKind } from './job-kinds.ts';
import { type ProfileDelta, type ProfileFieldRecord, profileFieldRecord, profilesPart } from './profiles.ts';
import { presentField } from './queries.ts';
import { removeValues, textOf } from './values.ts';

/**
 * Creates a field, as the last one.
 * @returns its id
 * @throws ApiError `UNAUTHORIZED_PRINCIPAL`; `BAD_REQUEST`: an invalid value, a name that is taken, or too many fields
 */
export async function createField(
  change: Change,
  caller: UserRecord,
  requested: Parameters<typeof createProfileField>,
): Promise<number> {
  checkMayChange(caller);
  const { db, directory } = change;
  const { fields } = directory.part(profilesPart);
  if (fields.length >= MAX_PROFILE_FIELDS)
    throw badRequest(`Too many custom profile fields (limit: ${MAX_PROFILE_FIELDS})`);
  const checked = checkedField(directory, {
    name: requested.name,
    type: requested.field_type,
    hint: requested.hint,
    data: requested.field_data,
    isRequired: requested.required,
    isEditableByUser: requested.editable_by_user,
    isInSummary: requested.display_in_profile_summary,
  });
  const position = Math.max(0, ...fields.map((field) => field.position)) + 1;
  const row = await db
    .insertInto('profile_fields')
    .values({ organization_id: directory.organization.id, ...columnsOf(checked), position })
    .returningAll()
    .executeTakeFirstOrThrow();
  const field = profileFieldRecord(row);
  announce(change, [...fields, field], [{ delta: 'profile-field', field }]);
  return field.id;
}

/** The most users who lose a removed option in one commit. */
const MAX_USERS_PER_COMMIT = 500;

/**
 * Changes the given properties of a field. Users who chose a removed option lose the value first, one batch per
 * transaction. So the field keeps the option until no value refers to it.
 * @returns false if the caller must call this again in another transaction
 * @throws ApiError `UNAUTHORIZED_PRINCIPAL`; `BAD_REQUEST`: no such field, an invalid value, a name that is taken, or a
 * property of a default account that cannot change
 */
export async function changeField(
  change: Change,
  caller: UserRecord,
  requested: Omit<Parameters<typeof updateProfileField>, 'field_id'> & { readonly id: number },
): Promise<boolean> {
  checkMayChange(caller);
  const { db, directory } = change;
  const field = existingField(change, requested.id);
  const data = field.data === '' ? {} : (JSON.parse(field.data) as FieldData);
  const checked = checkedField(
    directory,
    {
      name: requested.name ?? field.name,
      type: field.type,
      hint: requested.hint ?? field.hint,
      data: requested.field_data ?? data,
      isRequired: requested.required ?? field.isRequired,
      isEditableByUser: requested.editable_by_user ?? field.isEditableByUser,
      isInSummary: requested.display_in_profile_summary ?? field.isInSummary,
    },
    field,
  );
  checkDefaultAccount(field, data, requested);
  const stale = field.type === SELECT.id ? withoutChoice(change, field, checked) : [];
  await removeValues(change, field.id, stale.slice(0, MAX_USERS_PER_COMMIT));
  if (stale.length > MAX_USERS_PER_COMMIT) return false;
  const changed: ProfileFieldRecord = { ...field, ...checked };
  if (JSON.stringify(changed) === JSON.stringify(field)) return true;
  await db
    .updateTable('profile_fields')
    .set(columnsOf(checked))
    .where('organization_id', '=', directory.organization.id)
    .where('id', '=', field.id)
    .execute();
  const fields = directory.part(profilesPart).fields.map((one) => (one.id === field.id ? changed : one));
  announce(change, fields, [{ delta: 'profile-field', field: changed }]);
  return true;
}

/** A field for a default external account can change only its flags: clients know its name, hint and data. */
function checkDefaultAccount(
  field: ProfileFieldRecord,
  data: FieldData,
  { name, hint, field_data }: Pick<Parameters<typeof updateProfileField>, 'name' | 'hint' | 'field_data'>,
): void {
  if (defaultAccount(field.type, data) === undefined) return;
  const stays =
    (name === undefined || name.trim() === field.name) &&
    (hint === undefined || hint === field.hint) &&
    (field_data === undefined || JSON.stringify(field_data) === field.data);
  if (!stays) throw badRequest('Default custom field cannot be updated.');
}

function withoutChoice({ directory }: Change, { id }: ProfileFieldRecord, after: CheckedField): readonly number[] {
  const values = [...directory.part(profilesPart).valuesOf(id)];
  return values.filter(([, value]) => !isChoice(after, String(textOf(value)))).map(([userId]) => userId);
}

/**
 * Sets the order of the fields.
 * @throws ApiError `UNAUTHORIZED_PRINCIPAL`; `BAD_REQUEST`: a field is missing, repeated or unknown
 */
export async function reorderFields(change: Change, caller: UserRecord, order: readonly number[]): Promise<void> {
  checkMayChange(caller);
  const { db, directory } = change;
  const { fields } = directory.part(profilesPart);
  const places = new Map(order.map((id, place) => [id, place]));
  if (order.length !== fields.length || fields.some(({ id }) => !places.has(id))) {
    throw badRequest('Invalid order mapping.');
  }
  const ordered = fields.map((field) => ({ ...field, position: places.get(field.id) ?? 0 }));
  ordered.sort((a, b) => a.position - b.position);
  if (ordered.length === 0) return;
  await sql`
    UPDATE profile_fields SET position = place - 1
      FROM unnest(${order}::bigint[]) WITH ORDINALITY AS wanted (field_id, place)
     WHERE organization_id = ${directory.organization.id} AND id = field_id`.execute(db);
  announce(
    change,
    ordered,
    ordered.map((field) => ({ delta: 'profile-field', field })),
  );
}

/**
 * Deletes a field. All profiles lose their value at once; a job deletes the rows.
 * @throws ApiError `UNAUTHORIZED_PRINCIPAL`; `BAD_REQUEST`: no such field
 */
export async function deleteField(change: Change, caller: UserRecord, id: number): Promise<void> {
  checkMayChange(caller);
  const { db, directory } = change;
  const field = existingField(change, id);
  const organizationId = directory.organization.id;
  await db
    .updateTable('profile_fields')
    .set({ deleted_at: sql<Date>`now()` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', field.id)
    .execute();
  await addJob(db, removeFieldKind, { organizationId, payload: { fieldId: field.id } });
  const others = directory.part(profilesPart).fields.filter((one) => one.id !== field.id);
  announce(change, others, [{ delta: 'profile-field-gone', fieldId: field.id }]);
}

function existingField({ directory }: Change, id: number): ProfileFieldRecord {
  const field = directory.part(profilesPart).field(id);
  if (field === undefined) throw badRequest(`Field id ${id} not found.`);
  return field;
}

function announce({ append }: Change, fields: readonly ProfileFieldRecord[], deltas: readonly ProfileDelta[]): void {
  const body: FieldsBody = { fields: fields.map(presentField) };
  append({ type: 'custom_profile_fields', audience: { to: 'everyone' }, body, deltas });
}

function columnsOf(field: CheckedField) {
  return {
    name: field.name,
    type: field.type,
    hint: field.hint,
    data: field.data,
    is_required: field.isRequired,
    is_editable_by_user: field.isEditableByUser,
    is_in_summary: field.isInSummary,
  };
}

function checkMayChange(caller: UserRecord): void {
  const refusal = roleRefusal(caller, 'administrator');
  if (refusal !== undefined) throw refusal;
}
