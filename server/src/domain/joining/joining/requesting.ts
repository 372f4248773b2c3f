/** Decides whether a person must confirm an address first, and requests the confirmation mail. */

import { rateLimited } from '@heddle/api/errors.ts';
import type { LanguageTag } from '@heddle/api/languages.ts';
import { organizationSetting } from '../../../access/organization-settings.ts';
import { inRepeatedTransaction } from '../../../db/transaction.ts';
import type { Organization } from '../../../directory/organization.ts';
import { type AppContext, oncePerApp } from '../../../extension/app-context.ts';
import { networkOf } from '../../../http/limits/networks.ts';
import { queueMail } from '../../../mail/kind.ts';
import { SharedLimiter } from '../../credentials/attempt-limits.ts';
import type { Invitation } from '../invitations/rows.ts';
import { makeConfirmation } from './confirmations.ts';
import { joiningMail } from './mails.ts';

/** Per network, which a whole class may share. Each request is stored and causes a mail. */
const ASKED = { requests: 100, windowSeconds: 3600 } as const;

const limiterOf = oncePerApp(({ db }: Pick<AppContext, 'db'>) => new SharedLimiter(db, 'joining', ASKED));

/**
 * Addresses must be confirmed if the server sends mails. Without a mail server only the operator sees the mails. Then a
 * link from a member is enough, unless the organization restricts the domains of addresses.
 */
export function mustConfirm(
  { config }: Pick<AppContext, 'config'>,
  { directory }: Organization,
  invitation: Invitation | undefined,
): boolean {
  return (
    invitation === undefined ||
    config.smtpUrl !== null ||
    organizationSetting(directory, 'emails_restricted_to_domains')
  );
}

/**
 * Queues a mail to the address with a link to continue. The work is the same whether the address has an account or not.
 * Only the mail itself differs, so only its reader learns which.
 * @param email an address that can get mails, and that the organization accepts
 * @throws ApiError `RATE_LIMIT_HIT`
 */
export async function requestConfirmation(
  app: AppContext,
  organization: Organization,
  {
    email,
    invitation,
    remoteAddress,
    language,
  }: {
    readonly email: string;
    readonly invitation: Invitation | undefined;
    readonly remoteAddress: string;
    /** That of the page. There may be no account that has one. */
    readonly language: LanguageTag;
  },
): Promise<void> {
  const { requests, windowSeconds } = ASKED;
  if (app.config.rateLimits && !(await limiterOf(app).take(networkOf(remoteAddress))).isAllowed) {
    throw rateLimited(windowSeconds, `${requests} addresses that people of a network join with in ${windowSeconds} s`);
  }
  const organizationId = organization.id;
  await inRepeatedTransaction(app.pool, async (db) => {
    const wanted = { organizationId, address: email, invitationId: invitation?.id ?? null };
    const confirmationId = await makeConfirmation(app, db, wanted);
    if (confirmationId === undefined) return;
    await queueMail(db, joiningMail, { organizationId, about: { confirmationId, language } });
  });
  app.jobs.wake();
}
