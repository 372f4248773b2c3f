/**
 * A user changes the address of the own account, and confirms it with a link sent there (public reference: `PATCH
 * /settings`).
 */
import { ApiError, badRequest, rateLimited } from '@heddle/api/errors.ts';
import { correspondentAt } from '../../../access/addresses.ts';
import { organizationSetting } from '../../../access/organization-settings.ts';
import type { DbTransaction } from '../../../db/schema.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { Change, Organization } from '../../../directory/organization.ts';
import { Role, type UserRecord } from '../../../directory/records.ts';
import type { AppContext } from '../../../extension/app-context.ts';
import { msg } from '../../../languages/language.ts';
import { queueMail } from '../../../mail/kind.ts';
import { isMailable } from '../../../mail/mail.ts';
import { ADDRESS_REFUSALS, addressRules } from '../../texts/address-rules/rules.ts';
import { languageOfUser } from '../../users/user-settings/language.ts';
import { changeAddress } from '../../users/users/addresses.ts';
import { freeEmail } from '../../users/users/free-names.ts';
import { checkedEmail } from '../../users/users/names.ts';
import { makeLink, openLink, useLink } from './links.ts';
import { addressChangedMail, confirmAddressMail } from './mail-kinds.ts';

const PURPOSE = 'change of address';
const HOUR_SECONDS = 3600;

/**
 * Queues a mail with a link to the new address. The account keeps its address until the link is used. Call
 * `jobs.wake()` after the commit.
 * @throws ApiError `BAD_REQUEST`, `RATE_LIMIT_HIT`
 */
export async function beginAddressChange(
  app: Pick<AppContext, 'secret'>,
  { db, directory }: Pick<Change, 'db' | 'directory'>,
  user: UserRecord,
  given: string,
): Promise<void> {
  if (given.trim() === user.deliveryEmail) return;
  // The response must not reveal an account whose address the caller cannot see. In that case `mails.ts` drops the
  // mail.
  const correspondent = correspondentAt(directory, user, given.trim());
  const refusal = await refusalOf(db, directory, user, given, correspondent);
  if (refusal !== undefined) throw badRequest(refusal);
  const organizationId = directory.organization.id;
  const link = { organizationId, purpose: PURPOSE, userId: user.id, address: checkedEmail(given) } as const;
  const linkId = await makeLink(app, db, link);
  if (linkId === undefined) throw rateLimited(HOUR_SECONDS, 'changes of an address');
  await queueMail(db, confirmAddressMail, { organizationId, about: { linkId } });
}

/**
 * Why the account cannot get the address, in texts that clients know.
 * @param taken the account that has the address
 */
async function refusalOf(
  db: DbTransaction,
  directory: Directory,
  user: UserRecord,
  given: string,
  taken: UserRecord | undefined,
): Promise<string | undefined> {
  if (organizationSetting(directory, 'email_changes_disabled') && user.role > Role.administrator) {
    return msg('Email address changes are disabled in this organization.');
  }
  const address = given.trim();
  if (!isMailable(address) || !isAddress(address)) return msg('Invalid address.');
  const outside = (await addressRules(db, directory))(address);
  if (outside !== undefined) return ADDRESS_REFUSALS[outside];
  if (taken !== undefined && taken.id !== user.id) {
    return taken.isActive ? msg('Already has an account.') : msg('Account has been deactivated.');
  }
  // A placeholder address is refused.
  const isNobodys = directory.correspondentByEmail(address) === undefined;
  return isNobodys && !isFree(directory, address, user.id) ? msg('Invalid address.') : undefined;
}

const isAddress = (text: string) => !isRefused(() => checkedEmail(text));
const isFree = (directory: Directory, text: string, own: number) => !isRefused(() => freeEmail(directory, text, own));

function isRefused(check: () => unknown): boolean {
  try {
    check();
    return false;
  } catch (error) {
    if (error instanceof ApiError) return true;
    throw error;
  }
}

/** The address that the link sets, and the user who gets it. Undefined if the link is not valid, or not any more. */
export async function addressOfLink(
  { db }: Pick<AppContext, 'db'>,
  { id, directory }: Organization,
  key: string,
): Promise<{ readonly address: string; readonly user: UserRecord } | undefined> {
  const link = await openLink(db, id, PURPOSE, key);
  const user = link === undefined || link.user_id === null ? undefined : directory.user(link.user_id);
  return link === undefined || user === undefined ? undefined : { address: link.address, user };
}

/** The result of using a link. */
export type Confirmed =
  | { readonly is: 'changed'; readonly address: string; readonly user: UserRecord }
  | { readonly is: 'refused'; readonly why: string; readonly user: UserRecord }
  | { readonly is: 'ended' };

/** Changes the address, ends the link, and queues a mail to the old address. */
export async function confirmAddress(app: AppContext, organization: Organization, key: string): Promise<Confirmed> {
  const confirmed = await organization.transact('server', 'exclusive', async (change): Promise<Confirmed> => {
    const { db, directory } = change;
    const link = await useLink(db, organization.id, PURPOSE, key);
    const user = link === undefined ? undefined : directory.user(link.user_id);
    if (link === undefined || !user?.isActive) return { is: 'ended' };
    // The rules may have changed since the request.
    const refusal = await refusalOf(db, directory, user, link.address, directory.correspondentByEmail(link.address));
    if (refusal !== undefined) return { is: 'refused', why: refusal, user };
    const { tag: language } = await languageOfUser(db, organization.id, user.id);
    const about = { to: user.deliveryEmail, address: link.address, language };
    await changeAddress(change, user, link.address);
    if (isMailable(about.to)) await queueMail(db, addressChangedMail, { organizationId: organization.id, about });
    return { is: 'changed', address: link.address, user };
  });
  app.jobs.wake();
  return confirmed;
}
