import { badRequest } from '@heddle/api/errors.ts';
import type { Selectable } from 'kysely';
import type { DbTransaction, OrganizationsTable } from '../../../db/schema.ts';
import { inRepeatedTransaction } from '../../../db/transaction.ts';
import { changeOf } from '../../../directory/change.ts';
import { loadDirectoryFrom } from '../../../directory/load.ts';
import { Role, type UserRecord } from '../../../directory/records.ts';
import type { AppContext } from '../../../extension/app-context.ts';
import { changeWithin } from '../../../log/change.ts';
import { THIS_SERVER } from '../../../version.ts';
import { addUser, type ForNewcomer } from '../../accounts/accounts/actions.ts';
import { addSubscribers } from '../../channel-management/subscriptions/actions.ts';
import { createChannels, type NewChannel } from '../../channels/actions.ts';
import { checkedPasswordHash } from '../../credentials/passwords.ts';
import { checkedOrganizationName } from '../../organizations/organizations/names.ts';
import { descriptionRenderer } from '../../texts/descriptions/descriptions.ts';
import { insertSystemBots } from '../../users/users/system-bots.ts';
import { insertSystemGroups } from './system-groups.ts';

export interface NewOrganization {
  /** Part of its URL: `<subdomain>.<host of HEDDLE_URL>`; '' for the root domain. */
  readonly subdomain: string;
  readonly name: string;
  readonly ownerEmail: string;
  readonly ownerName: string;
  /** Without a password the owner has an API key only. */
  readonly ownerPassword?: string;
}

/** The channels of a new organization. New members are subscribed to them. */
const FIRST_CHANNELS: readonly NewChannel[] = [
  { name: 'general', description: 'For what concerns everyone', isDefault: true },
  { name: 'sandbox', description: 'For trying things out', isDefault: true },
];

export interface CreatedOrganization {
  readonly id: number;
  readonly subdomain: string;
  readonly name: string;
  readonly owner: UserRecord;
}

/**
 * Creates an organization with its log, system groups, system bots, owner and first channels, in one transaction.
 * @param besides further work for the owner in the same transaction
 * @throws ApiError `BAD_REQUEST`: the name, subdomain, address or password is invalid, or the subdomain is taken
 */
export async function createOrganization(
  app: Pick<AppContext, 'pool' | 'address' | 'organizations'>,
  organization: NewOrganization,
  besides?: ForNewcomer,
): Promise<CreatedOrganization> {
  const subdomain = checkedSubdomain(organization.subdomain);
  const name = checkedOrganizationName(organization.name);
  const { ownerEmail: email, ownerName: fullName, ownerPassword } = organization;
  const passwordHash =
    ownerPassword === undefined ? null : await checkedPasswordHash(ownerPassword, [fullName, email, name]);
  return inRepeatedTransaction(app.pool, async (transaction) => {
    const { id } = await insertOrganization(transaction, subdomain, name);
    await transaction.insertInto('logs').values({ organization_id: id }).execute();
    await insertSystemGroups(transaction, id);
    await insertSystemBots(transaction, id);
    const directory = await loadDirectoryFrom(transaction, id, app.organizations.directoryParts);
    const { result: owner } = await changeWithin(transaction, id, async (open) => {
      const change = changeOf(open, directory, app.organizations.hooks);
      const added = await addUser(change, { email, fullName, role: Role.owner, passwordHash });
      const creation = { creatorId: null, render: descriptionRenderer(directory, null, app.address.of(subdomain)) };
      const channels = await createChannels(change, FIRST_CHANNELS, creation);
      await addSubscribers(
        change,
        channels.map((channel) => ({ channel, userIds: [added.id] })),
      );
      await besides?.(change, added);
      return added;
    });
    return { id, subdomain, name, owner };
  });
}

async function insertOrganization(
  db: DbTransaction,
  subdomain: string,
  name: string,
): Promise<Selectable<OrganizationsTable>> {
  const row = await db
    .insertInto('organizations')
    .values({ subdomain, name, deactivated_at: null, told_server: THIS_SERVER })
    .onConflict((conflict) => conflict.column('subdomain').doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row !== undefined) return row;
  throw badRequest(
    subdomain === ''
      ? 'There is an organization at the root domain already'
      : `Subdomain '${subdomain}' already in use`,
  );
}

const MAXIMUM_SUBDOMAIN_LENGTH = 40;

/** @throws ApiError `BAD_REQUEST` */
export function checkedSubdomain(subdomain: string): string {
  if (subdomain === '') return subdomain;
  if (!/^[a-z\d]([a-z\d-]*[a-z\d])?$/.test(subdomain) || subdomain.length > MAXIMUM_SUBDOMAIN_LENGTH) {
    throw badRequest(
      `Subdomain '${subdomain}' is not valid: it can have up to ${MAXIMUM_SUBDOMAIN_LENGTH} lowercase letters, digits, and ` +
        'dashes between them',
    );
  }
  return subdomain;
}
