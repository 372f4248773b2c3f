import type { Parameters } from '@heddle/api/contract.ts';
import type { addPlayground as endpoint } from '@heddle/api/endpoints/playgrounds.ts';
import { badRequest, invalidField, invalidParameter } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import { organizationSetting } from '../../access/organization-settings.ts';
import { roleRefusal } from '../../access/setting-changes.ts';
import type { Change } from '../../directory/organization.ts';
import type { OrganizationRecord, PlaygroundRecord, UserRecord } from '../../directory/records.ts';
import { organizationDelta } from '../../directory/state-deltas.ts';
import type { OrganizationEvent } from '../../domain/organizations/organizations/present.ts';
import { safeLinkUrl, urlTemplateOf } from '../../markup/index.ts';
import type { PlaygroundsBody } from './events.ts';
import { playgroundsOf } from './queries.ts';

/** Each client gets all of them. */
export const MAX_PLAYGROUNDS = 100;
const MAX_NAME_LENGTH = 200;
const MAX_LANGUAGE_LENGTH = 40;
const MAX_TEMPLATE_LENGTH = 2000;

/** @throws ApiError `UNAUTHORIZED_PRINCIPAL` */
export function checkMayChangePlaygrounds(caller: UserRecord): void {
  const refusal = roleRefusal(caller, 'administrator');
  if (refusal !== undefined) throw refusal;
}

/**
 * Adds a code playground, announces it and returns its id (public reference, "Add a code playground").
 * @throws ApiError `UNAUTHORIZED_PRINCIPAL`, `INVALID_FIELDS`, `BAD_REQUEST`
 */
export async function addPlayground(
  change: Change,
  caller: UserRecord,
  given: Parameters<typeof endpoint>,
): Promise<number> {
  checkMayChangePlaygrounds(caller);
  const { db, directory } = change;
  const before = directory.organization;
  const others = playgroundsOf(directory);
  const checked = checkedPlayground(given);
  if (others.some(({ name, language }) => name === checked.name && language === checked.language)) {
    throw invalidField('__all__', 'Realm playground with this Realm, Pygments language and Name already exists.');
  }
  if (others.length >= MAX_PLAYGROUNDS) throw badRequest(`Too many playgrounds (limit: ${MAX_PLAYGROUNDS})`);
  const { last_playground_id: id } = await db
    .updateTable('organizations')
    .set({ last_playground_id: sql<number>`last_playground_id + 1` })
    .where('id', '=', before.id)
    .returning('last_playground_id')
    .executeTakeFirstOrThrow();
  await keep(change, { ...before, playgrounds: [...others, { id, ...checked }] });
  return id;
}

/**
 * Removes a playground. If it had the default language of code blocks, that default is removed, too (public reference).
 * @throws ApiError `UNAUTHORIZED_PRINCIPAL`, `BAD_REQUEST`: there is no such playground
 */
export async function removePlayground(change: Change, caller: UserRecord, id: number): Promise<void> {
  checkMayChangePlaygrounds(caller);
  const { directory, append } = change;
  const before = directory.organization;
  const all = playgroundsOf(directory);
  const gone = all.find((one) => one.id === id);
  if (gone === undefined) throw badRequest('Invalid playground');
  const wasDefault = organizationSetting(directory, 'default_code_block_language') === gone.language;
  const settings = wasDefault ? { ...before.settings, default_code_block_language: '' } : before.settings;
  await keep(change, { ...before, settings, playgrounds: all.filter((one) => one.id !== id) });
  if (!wasDefault) return;
  const body: OrganizationEvent = { op: 'update-one', property: 'default_code_block_language', value: '' };
  append({ type: 'realm', audience: { to: 'everyone' }, body });
}

async function keep({ db, directory, append }: Change, after: OrganizationRecord): Promise<void> {
  const playgrounds = after.playgrounds ?? [];
  await db
    .updateTable('organizations')
    .set({ settings: after.settings, playgrounds: sql`${JSON.stringify(playgrounds)}::jsonb` })
    .where('id', '=', after.id)
    .execute();
  const body: PlaygroundsBody = { playgrounds };
  const deltas = [organizationDelta(after, directory.organization)];
  append({ type: 'realm_playgrounds', audience: { to: 'everyone' }, body, deltas });
}

/** @throws ApiError `INVALID_FIELDS`, `BAD_REQUEST` */
export function checkedPlayground(given: Parameters<typeof endpoint>): Omit<PlaygroundRecord, 'id'> {
  const name = checkedLength('name', given.name, MAX_NAME_LENGTH);
  const language = checkedLength('pygments_language', given.pygments_language, MAX_LANGUAGE_LENGTH);
  if (!/^[ a-zA-Z0-9_+\-./#]*$/.test(language)) throw badRequest('Invalid characters in pygments language');
  const urlTemplate = checkedLength('url_template', given.url_template, MAX_TEMPLATE_LENGTH);
  const template = urlTemplateOf(urlTemplate);
  if (template === undefined || safeLinkUrl(template.expand({ code: 'x' })) === undefined) {
    throw invalidField('url_template', 'Invalid URL template.');
  }
  if (!template.variables.has('code')) {
    throw invalidField('__all__', 'Missing the required variable "code" in the URL template');
  }
  if (template.variables.size > 1) {
    throw invalidField('__all__', '"code" should be the only variable present in the URL template');
  }
  return { name, language, urlTemplate };
}

function checkedLength(field: string, given: string, most: number): string {
  const text = given.trim();
  if (text === '') throw invalidField(field, 'This field cannot be blank.');
  if (text.length > most) throw invalidParameter(field, `is too long (limit: ${most} characters)`);
  return text;
}
