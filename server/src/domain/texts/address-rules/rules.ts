import type { domain } from '@heddle/api/objects/domain.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import { organizationSetting } from '../../../access/organization-settings.ts';
import type { NumberInSql } from '../../../db/parameters.ts';
import type { Db, DbTransaction } from '../../../db/schema.ts';
import type { Directory } from '../../../directory/directory.ts';
import { type Message, msg } from '../../../languages/language.ts';
import { disposableDomains } from './disposable.ts';

export type Domain = Static<typeof domain>;

/**
 * All domains of the organization, in the API's format. Index: the primary key. `features/domains/actions.ts` bounds
 * their number.
 */
export function selectDomains(organizationId: NumberInSql): RawBuilder<readonly Domain[]> {
  return sql`
    SELECT coalesce(json_agg(known), '[]') FROM (
      SELECT domain, allows_subdomains AS allow_subdomains FROM organization_domains
       WHERE organization_id = ${organizationId} ORDER BY id
    ) AS known`;
}

/** The same as a query of its own. */
export async function domainsOf(db: Db | DbTransaction, organizationId: number): Promise<readonly Domain[]> {
  return db
    .selectFrom('organization_domains')
    .select(['domain', 'allows_subdomains as allow_subdomains'])
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .execute();
}

/** Why an organization refuses an address. */
export type AddressRefusal = 'outside' | 'plus' | 'disposable';

/** The texts that clients know, for invitations and changes of an address. */
export const ADDRESS_REFUSALS: Readonly<Record<AddressRefusal, Message>> = {
  outside: msg('Outside your domain.'),
  plus: msg('Email addresses containing + are not allowed.'),
  disposable: msg('Please use your real email address.'),
};

/**
 * Loads the rules about addresses of the organization (public reference: "Restrict account creation").
 * @returns a function that returns why an address is refused, or undefined
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
    // A plus address gives one person any number of addresses in the domain.
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
