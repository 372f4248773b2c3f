/** Password reset with a link sent by mail. */

import { rateLimited } from '@heddle/api/errors.ts';
import { inRepeatedTransaction } from '../../../db/transaction.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { Organization } from '../../../directory/organization.ts';
import { Role, type UserRecord } from '../../../directory/records.ts';
import { type AppContext, oncePerApp } from '../../../extension/app-context.ts';
import { networkOf } from '../../../http/limits/networks.ts';
import { queueMail } from '../../../mail/kind.ts';
import { isUnreachable } from '../../../mail/mail.ts';
import { SharedLimiter } from '../../credentials/attempt-limits.ts';
import { claimAccount } from '../../credentials/claiming.ts';
import { checkedPasswordHash, knownOf } from '../../credentials/passwords.ts';
import { endSessionsIn } from '../../credentials/sessions.ts';
import { makeLink, openLink, useLink } from './links.ts';
import { firstPasswordMail, resetMail } from './mail-kinds.ts';

const PURPOSE = 'password reset';

/** Per network. Each request is stored, and may cause a mail. */
const ASKED = { requests: 30, windowSeconds: 3600 } as const;

const limiterOf = oncePerApp(({ db }: Pick<AppContext, 'db'>) => new SharedLimiter(db, 'password resets', ASKED));

/**
 * Queues a mail with a link for the account with this address. The work is the same whether an account exists or not,
 * so nothing reveals which.
 * @throws ApiError `RATE_LIMIT_HIT`
 */
export async function requestReset(
  app: AppContext,
  organization: Organization,
  { email, remoteAddress }: { readonly email: string; readonly remoteAddress: string },
): Promise<void> {
  const { requests, windowSeconds } = ASKED;
  if (app.config.rateLimits && !(await limiterOf(app).take(networkOf(remoteAddress))).isAllowed) {
    throw rateLimited(windowSeconds, `${requests} requests for passwords from an address in ${windowSeconds} s`);
  }
  const address = email.trim();
  const user = accountAt(organization.directory, address);
  await inRepeatedTransaction(app.pool, async (db) => {
    const link = { organizationId: organization.id, purpose: PURPOSE, userId: user?.id ?? null, address } as const;
    const linkId = await makeLink(app, db, link);
    if (linkId === undefined) return;
    await queueMail(db, resetMail, { organizationId: organization.id, about: { linkId } });
  });
  app.jobs.wake();
}

/** Links that one transaction queues. */
const LINKS_PER_TRANSACTION = 200;

/**
 * Queues a mail with a link that sets a password, for each active user or owner.
 * @param except this user has a password already
 */
export async function sendPasswordLinks(
  app: Pick<AppContext, 'pool' | 'secret' | 'jobs'>,
  organization: Organization,
  who: 'all' | 'owners',
  { except }: { readonly except?: number } = {},
): Promise<{ readonly sent: number; readonly skipped: number }> {
  const people = [...organization.directory.users.values()].filter(
    ({ id, isActive, isBot, role }) => isActive && !isBot && id !== except && (who === 'all' || role === Role.owner),
  );
  let sent = 0;
  for (let begin = 0; begin < people.length; begin += LINKS_PER_TRANSACTION) {
    const some = people
      .slice(begin, begin + LINKS_PER_TRANSACTION)
      .filter(({ deliveryEmail }) => !isUnreachable(deliveryEmail));
    sent += await inRepeatedTransaction(app.pool, async (db) => {
      let queued = 0;
      for (const { id, deliveryEmail: address } of some) {
        const link = { organizationId: organization.id, purpose: PURPOSE, userId: id, address } as const;
        const linkId = await makeLink(app, db, link);
        if (linkId === undefined) continue;
        await queueMail(db, firstPasswordMail, { organizationId: organization.id, about: { linkId } });
        queued += 1;
      }
      return queued;
    });
  }
  app.jobs.wake();
  return { sent, skipped: people.length - sent };
}

/** Finds active accounts of people, by their real address only. */
function accountAt(directory: Directory, address: string): UserRecord | undefined {
  const user = directory.userByEmail(address);
  const isTheirs = user?.deliveryEmail.toLowerCase() === address.toLowerCase();
  return isTheirs && user?.isActive && !user.isBot ? user : undefined;
}

/** The user whose password the link sets; undefined if the link is not valid, or not any more. */
export async function userOfReset(
  { db }: Pick<AppContext, 'db'>,
  organization: Organization,
  key: string,
): Promise<UserRecord | undefined> {
  const link = await openLink(db, organization.id, PURPOSE, key);
  const user = link === undefined || link.user_id === null ? undefined : organization.directory.user(link.user_id);
  return user?.isActive ? user : undefined;
}

/**
 * Sets the password and ends the link. Sessions and other links of the account end. Its API key stays, unless the
 * address was never confirmed: then another person may know the key.
 * @returns whether the link was still valid
 * @throws ApiError `BAD_REQUEST`, `SERVICE_UNAVAILABLE`
 */
export async function resetPassword(
  app: Pick<AppContext, 'db' | 'pool' | 'queues'>,
  organization: Organization,
  { key, user: asked, password }: { readonly key: string; readonly user: UserRecord; readonly password: string },
): Promise<boolean> {
  const known = knownOf(organization, { fullName: asked.fullName, email: asked.deliveryEmail });
  const passwordHash = await checkedPasswordHash(password, known);
  const userId = await organization.transact('server', 'optimistic', async (change) => {
    const { db } = change;
    const link = await useLink(db, organization.id, PURPOSE, key);
    if (link === undefined) return undefined;
    const { numUpdatedRows } = await db
      .updateTable('users')
      .set({ password_hash: passwordHash })
      .where('organization_id', '=', organization.id)
      .where('id', '=', link.user_id)
      .where('is_active', '=', true)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) return undefined;
    await endSessionsIn(change, link.user_id);
    return link.user_id;
  });
  const user = typeof userId === 'number' ? organization.directory.user(userId) : undefined;
  if (user !== undefined) await claimAccount(app, organization, user, 'is new');
  return user !== undefined;
}
