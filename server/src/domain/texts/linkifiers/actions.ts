import { badRequest, invalidField } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import { roleRefusal } from '../../../access/setting-changes.ts';
import type { Change } from '../../../directory/organization.ts';
import type { LinkifierRecord, UserRecord } from '../../../directory/records.ts';
import { organizationDelta } from '../../../directory/state-deltas.ts';
import { groupsOfPattern, PatternError, safeLinkUrl, urlTemplateOf } from '../../../markup/index.ts';
import type { LinkifiersBody } from './events.ts';
import { linkifiersOf } from './queries.ts';

/** The most linkifiers in an organization. Every message is searched for each pattern. */
export const MAX_LINKIFIERS = 100;
const MAX_PATTERN_LENGTH = 1000;
const MAX_TEMPLATE_LENGTH = 2000;

export interface LinkifierTexts {
  readonly pattern: string;
  readonly url_template: string;
}

/** @throws ApiError `UNAUTHORIZED_PRINCIPAL` */
export function checkMayChangeLinkifiers(caller: UserRecord): void {
  const refusal = roleRefusal(caller, 'administrator');
  if (refusal !== undefined) throw refusal;
}

/**
 * Adds a linkifier after all others and announces it to everyone. Returns its id.
 * @throws ApiError `UNAUTHORIZED_PRINCIPAL`, `INVALID_FIELDS`, `BAD_REQUEST`: too many linkifiers
 */
export async function addLinkifier(change: Change, caller: UserRecord, given: LinkifierTexts): Promise<number> {
  checkMayChangeLinkifiers(caller);
  const { db, directory } = change;
  const before = linkifiersOf(directory);
  const texts = checkedLinkifier(given, before);
  if (before.length >= MAX_LINKIFIERS) throw badRequest(`Too many linkifiers (limit: ${MAX_LINKIFIERS})`);
  const { last_linkifier_id: id } = await db
    .updateTable('organizations')
    .set({ last_linkifier_id: sql<number>`last_linkifier_id + 1` })
    .where('id', '=', directory.organization.id)
    .returning('last_linkifier_id')
    .executeTakeFirstOrThrow();
  await keep(change, [...before, { id, ...texts }]);
  return id;
}

/** @throws ApiError `UNAUTHORIZED_PRINCIPAL`, `INVALID_FIELDS`, `BAD_REQUEST`: the linkifier does not exist */
export async function editLinkifier(
  change: Change,
  caller: UserRecord,
  id: number,
  given: LinkifierTexts,
): Promise<void> {
  checkMayChangeLinkifiers(caller);
  const before = linkifiersOf(change.directory);
  checkThere(before, id);
  const texts = checkedLinkifier(
    given,
    before.filter((one) => one.id !== id),
  );
  await keep(
    change,
    before.map((one) => (one.id === id ? { id, ...texts } : one)),
  );
}

/** @throws ApiError `UNAUTHORIZED_PRINCIPAL`, `BAD_REQUEST`: the linkifier does not exist */
export async function removeLinkifier(change: Change, caller: UserRecord, id: number): Promise<void> {
  checkMayChangeLinkifiers(caller);
  const before = linkifiersOf(change.directory);
  checkThere(before, id);
  await keep(
    change,
    before.filter((one) => one.id !== id),
  );
}

/** @throws ApiError `UNAUTHORIZED_PRINCIPAL`, `BAD_REQUEST`: the list does not contain each linkifier exactly once */
export async function orderLinkifiers(change: Change, caller: UserRecord, ids: readonly number[]): Promise<void> {
  checkMayChangeLinkifiers(caller);
  const before = linkifiersOf(change.directory);
  if (new Set(ids).size < ids.length) throw badRequest('The ordered list must not contain duplicated linkifiers');
  const ordered = ids.flatMap((id) => before.find((one) => one.id === id) ?? []);
  if (ordered.length !== ids.length || ordered.length !== before.length) {
    throw badRequest('The ordered list must enumerate all existing linkifiers exactly once');
  }
  if (ordered.length > 0) await keep(change, ordered);
}

function checkThere(linkifiers: readonly LinkifierRecord[], id: number): void {
  if (!linkifiers.some((one) => one.id === id)) throw badRequest('Linkifier not found.');
}

async function keep({ db, directory, append }: Change, linkifiers: readonly LinkifierRecord[]): Promise<void> {
  const before = directory.organization;
  await db
    .updateTable('organizations')
    .set({ linkifiers: sql`${JSON.stringify(linkifiers)}::jsonb` })
    .where('id', '=', before.id)
    .execute();
  const body: LinkifiersBody = { linkifiers };
  const deltas = [organizationDelta({ ...before, linkifiers }, before)];
  append({ type: 'realm_linkifiers', audience: { to: 'everyone' }, body, deltas });
}

/**
 * Checks a pattern and its URL template together (public reference: "Add a linkifier").
 * @throws ApiError `INVALID_FIELDS`
 */
export function checkedLinkifier(
  given: LinkifierTexts,
  others: readonly Pick<LinkifierRecord, 'pattern'>[],
): Omit<LinkifierRecord, 'id'> {
  const pattern = checkedLength('pattern', given.pattern.trim(), MAX_PATTERN_LENGTH);
  const urlTemplate = checkedLength('url_template', given.url_template.trim(), MAX_TEMPLATE_LENGTH);
  const groups = checkedGroups(pattern);
  const template = urlTemplateOf(urlTemplate);
  if (template === undefined) throw invalidField('url_template', 'Invalid URL template.');
  const [missing] = [...template.variables].filter((name) => !groups.has(name)).sort();
  if (missing !== undefined) {
    throw invalidField('__all__', `Group '${missing}' in URL template is not present in linkifier pattern.`);
  }
  const [unused] = [...groups].filter((name) => !template.variables.has(name)).sort();
  if (unused !== undefined) {
    throw invalidField('__all__', `Group '${unused}' in linkifier pattern is not present in URL template.`);
  }
  // Expands the template with sample values, which must give a valid link. Other values are checked when a message
  // contains them. The reference does not check this, so its own errors come first.
  const sample = Object.fromEntries([...template.variables].map((name) => [name, 'x']));
  if (safeLinkUrl(template.expand(sample)) === undefined) throw invalidField('url_template', 'Invalid URL template.');
  if (others.some((one) => one.pattern === pattern)) {
    throw invalidField('__all__', 'Realm filter with this Realm and Pattern already exists.');
  }
  return { pattern, urlTemplate };
}

function checkedLength(field: keyof LinkifierTexts, text: string, most: number): string {
  if (text === '') throw invalidField(field, 'This field cannot be blank.');
  if (text.length > most) throw invalidField(field, `Ensure this value has at most ${most} characters.`);
  return text;
}

function checkedGroups(pattern: string): ReadonlySet<string> {
  try {
    return groupsOfPattern(pattern);
  } catch (error) {
    if (error instanceof PatternError) throw invalidField('pattern', `Bad regular expression: ${error.message}`);
    throw error;
  }
}
