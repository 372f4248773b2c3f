import { completed } from '@heddle/api/contract.ts';
import { updateOrganization } from '@heddle/api/endpoints/organizations.ts';
import { badRequest } from '@heddle/api/errors.ts';
import { roleRefusal } from '../../access/setting-changes.ts';
import type { Change } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { changeOrganization } from '../../domain/organizations/organization-settings/changing.ts';
import { type Domain, domainsOf } from '../../domain/texts/address-rules/rules.ts';
import type { AppContext } from '../../extension/app-context.ts';
import { domainsEvent } from './events.ts';

/** Each register returns all of them. */
export const MAX_DOMAINS = 200;

/**
 * @returns its id
 * @throws ApiError `UNAUTHORIZED_PRINCIPAL`; `BAD_REQUEST`: not a domain, or it exists already
 */
export async function addDomain(change: Change, caller: UserRecord, added: Domain): Promise<readonly [number, string]> {
  checkOwner(caller);
  const { db, directory, append } = change;
  const domain = checkedDomain(added.domain);
  const organizationId = directory.organization.id;
  const known = await domainsOf(db, organizationId);
  if (known.some((one) => one.domain === domain)) {
    throw badRequest(`The domain ${domain} is already a part of your organization.`);
  }
  if (known.length >= MAX_DOMAINS) throw badRequest(`Too many domains (limit: ${MAX_DOMAINS})`);
  const { id } = await db
    .insertInto('organization_domains')
    .values({ organization_id: organizationId, domain, allows_subdomains: added.allow_subdomains })
    .returning('id')
    .executeTakeFirstOrThrow();
  append(domainsEvent({ op: 'add', domain: { ...added, domain } }));
  return [id, domain];
}

/** @throws ApiError `UNAUTHORIZED_PRINCIPAL`; `BAD_REQUEST`: there is no such domain */
export async function changeDomain(change: Change, caller: UserRecord, changed: Domain): Promise<void> {
  checkOwner(caller);
  const { db, directory, append } = change;
  const domain = changed.domain.toLowerCase();
  const { numUpdatedRows } = await db
    .updateTable('organization_domains')
    .set({ allows_subdomains: changed.allow_subdomains })
    .where('organization_id', '=', directory.organization.id)
    .where('domain', '=', domain)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw unknown(changed.domain);
  append(domainsEvent({ op: 'change', domain: { ...changed, domain } }));
}

/**
 * Removing the last domain ends the restriction of addresses, because nobody could join otherwise.
 * @throws ApiError `UNAUTHORIZED_PRINCIPAL`; `BAD_REQUEST`: there is no such domain
 */
export async function removeDomain(
  { config }: Pick<AppContext, 'config'>,
  change: Change,
  caller: UserRecord,
  given: string,
): Promise<void> {
  checkOwner(caller);
  const { db, directory, append } = change;
  const organizationId = directory.organization.id;
  const domain = given.toLowerCase();
  const { numDeletedRows } = await db
    .deleteFrom('organization_domains')
    .where('organization_id', '=', organizationId)
    .where('domain', '=', domain)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw unknown(given);
  append(domainsEvent({ op: 'remove', name: domain }));
  if ((await domainsOf(db, organizationId)).length === 0) {
    const parameters = completed(updateOrganization, { emails_restricted_to_domains: false });
    await changeOrganization(change, caller, { parameters, config });
  }
}

function unknown(domain: string) {
  return badRequest(`No entry found for domain ${domain}.`);
}

function checkOwner(caller: UserRecord): void {
  const refusal = roleRefusal(caller, 'owner');
  if (refusal !== undefined) throw refusal;
}

/**
 * Names of the Domain Name System with at least two parts, in ASCII (RFC 1035; others as `xn--…`).
 * @throws ApiError `BAD_REQUEST`
 */
export function checkedDomain(text: string): string {
  const domain = text.trim().toLowerCase();
  const invalid = (why: string) => badRequest(`Invalid domain: ${why}`);
  if (domain === '') throw invalid("Domain can't be empty.");
  if (!domain.includes('.')) throw invalid('Domain must have at least one dot (.)');
  if (domain.startsWith('.') || domain.endsWith('.')) throw invalid('Domain cannot start or end with a dot (.)');
  for (const part of domain.split('.')) {
    if (part === '') throw invalid("Consecutive '.' are not allowed.");
    if (part.startsWith('-') || part.endsWith('-')) throw invalid("Subdomains cannot start or end with a '-'.");
    if (!/^[a-z0-9-]{1,63}$/.test(part)) throw invalid("Domain can only have letters, numbers, '.' and '-'s.");
  }
  if (domain.length > 253) throw invalid('Domain is too long');
  return domain;
}
