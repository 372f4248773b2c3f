/** Whether somebody who says which address is theirs must show it first, and the mail that lets them. */
import { rateLimited } from '@heddle/api/errors.ts';
import { organizationSetting } from '../../access/organization-settings.ts';
import type { Organization } from '../../directory/organization.ts';
import { RateLimiter } from '../../http/limits.ts';
import { networkOf } from '../../http/networks.ts';
import { queueMail } from '../../mail/kind.ts';
import type { Invitation } from '../invitations/queries.ts';
import { oncePerRooms, type Rooms } from '../rooms.ts';
import { makeConfirmation } from './confirmations.ts';
import { joiningMail } from './mails.ts';

/** Of one network, in which a whole class may be: each is stored, and sends somebody a mail. */
const ASKED = { requests: 100, windowSeconds: 3600 } as const;

const limiterOf = oncePerRooms((_: Pick<Rooms, 'config'>) => new RateLimiter(ASKED));

/**
 * Addresses are confirmed wherever mails reach people. Where they are files that only the operator sees, a link that somebody of the
 * organization has passed on is enough, unless the address itself is what lets people in.
 */
export function mustConfirm(
  { config }: Pick<Rooms, 'config'>,
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
 * Sends a link to the address with which its owner can go on. Nothing tells whether there is an account: what is done here is the same for
 * all, and only whoever reads mails to the address hears it.
 * @param email one that mails can be sent to, and that the organization takes
 * @throws ApiError `RATE_LIMIT_HIT`
 */
export async function requestConfirmation(
  rooms: Rooms,
  organization: Organization,
  {
    email,
    invitation,
    remoteAddress,
  }: {
    readonly email: string;
    readonly invitation: Invitation | undefined;
    readonly remoteAddress: string;
  },
): Promise<void> {
  const { requests, windowSeconds } = ASKED;
  if (rooms.config.rateLimits && !limiterOf(rooms).take(networkOf(remoteAddress)).isAllowed) {
    throw rateLimited(windowSeconds, `${requests} addresses that people of a network join with in ${windowSeconds} s`);
  }
  const organizationId = organization.id;
  await rooms.db.transaction().execute(async (db) => {
    const wanted = { organizationId, address: email, invitationId: invitation?.id ?? null };
    const confirmationId = await makeConfirmation(rooms, db, wanted);
    if (confirmationId === undefined) return;
    await queueMail(db, joiningMail, { organizationId, about: { confirmationId } });
  });
  rooms.jobs.wake();
}
