import type { domain } from '@heddle/api/objects/domain.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import { organizationSetting } from '../../access/organization-settings.ts';
import type { NumberInSql } from '../../db/parameters.ts';
import type { Db, DbTransaction } from '../../db/schema.ts';
import type { Directory } from '../../directory/directory.ts';
import { disposableDomains } from './disposable.ts';

export type Domain = Static<typeof domain>;

/** All of the organization's, as the wire has them. Index: the primary key; there is a bounded number (actions.ts). */
export function selectDomains(organizationId: NumberInSql): RawBuilder<readonly Domain[]> {
  return sql`
    SELECT coalesce(json_agg(known), '[]') FROM (
      SELECT domain, allows_subdomains AS allow_subdomains FROM organization_domains
       WHERE organization_id = ${organizationId} ORDER BY id
    ) AS known`;
}

/** The same by itself. */
export async function domainsOf(db: Db | DbTransaction, organizationId: number): Promise<readonly Domain[]> {
  return db
    .selectFrom('organization_domains')
    .select(['domain', 'allows_subdomains as allow_subdomains'])
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .execute();
}

/** Why an organization does not take an address. */
export type AddressRefusal = 'outside' | 'plus' | 'disposable';

/** In words that clients know, where invitations and changes of an address are refused. */
export const ADDRESS_REFUSALS: Readonly<Record<AddressRefusal, string>> = {
  outside: 'Outside your domain.',
  plus: 'Email addresses containing + are not allowed.',
  disposable: 'Please use your real email address.',
};

/**
 * What addresses the organization takes (public reference: "Restrict account creation").
 * @returns why an address is not taken; undefined where it is
 */
export async function addressRules(
  db: Db | DbTransaction,
  directory: Directory,
): Promise<(email: string) => AddressRefusal | undefined> {
  if (!organizationSetting(directory, 'emails_restricted_to_domains')) {
    if (!organizationSetting(directory, 'disallow_disposable_email_addresses')) return () => undefined;
    const isDisposable = await disposableDomains();
    return (email) => (isDisposable(hostOf(email)) ? 'disposable' : undefined);
  }
  const domains = await domainsOf(db, directory.organization.id);
  return (email) => {
    // Who has one address of a domain has as many of these as they like.
    if (email.slice(0, email.lastIndexOf('@')).includes('+')) return 'plus';
    const host = hostOf(email);
    const isIn = ({ domain, allow_subdomains }: Domain) =>
      host === domain || (allow_subdomains && host.endsWith(`.${domain}`));
    return domains.some(isIn) ? undefined : 'outside';
  };
}

function hostOf(email: string): string {
  return email
    .slice(email.lastIndexOf('@') + 1)
    .toLowerCase()
    .replace(/\.$/, '');
}
