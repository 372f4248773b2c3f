import { badRequest, type InvitationProblem, invitationFailed } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import { shareOf } from '../../../access/shares.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { Change } from '../../../directory/organization.ts';
import { Role, type UserRecord } from '../../../directory/records.ts';
import type { AppContext } from '../../../extension/app-context.ts';
import { queueMails } from '../../../mail/kind.ts';
import { isMailable } from '../../../mail/mail.ts';
import { ADDRESS_REFUSALS, addressRules } from '../../texts/address-rules/rules.ts';
import { newLink } from '../../texts/shared/link-keys.ts';
import { checkedEmail } from '../../users/users/names.ts';
import { checkMayInvite, checkMayManage, checkMayUseInvitations, type Invited } from './checking.ts';
import { invitesChanged } from './events.ts';
import { invitationMail } from './mails.ts';
import {
  countOpen,
  endInvitation,
  forgetOld,
  type Invitation,
  lockInvitation,
  MAX_OPEN_INVITATIONS,
  mailedToday,
} from './rows.ts';
import { hasPassed, linkOf } from './status.ts';

type InvitingContext = Pick<AppContext, 'config' | 'secret' | 'address'>;

/**
 * Creates a reusable invitation link.
 * @returns its URL
 * @throws ApiError `BAD_REQUEST`, `UNAUTHORIZED_PRINCIPAL`
 */
export async function createLink(
  app: InvitingContext,
  change: Change,
  caller: UserRecord,
  invited: Invited,
): Promise<string> {
  checkMayInvite(change.directory, caller, 'create_multiuse_invite_group', invited);
  const [made] = await storeInvitations(app, change, caller, { ...invited, emails: [null], tellsInviter: true });
  if (made === undefined) throw new Error('an invitation that was just made is not there');
  return linkOf(app, change.directory, made);
}

/**
 * Invites people by mail. If an address is invalid or not allowed, no one is invited. Addresses with an account are
 * skipped.
 * @returns why addresses were skipped
 * @throws ApiError `BAD_REQUEST`, `UNAUTHORIZED_PRINCIPAL`, `INVITATION_FAILED`
 */
export async function inviteByMail(
  app: InvitingContext,
  change: Change,
  caller: UserRecord,
  { addresses, tellsInviter, ...invited }: Invited & { readonly addresses: string; readonly tellsInviter: boolean },
): Promise<readonly InvitationProblem[]> {
  const { db, directory } = change;
  checkMayInvite(directory, caller, 'can_invite_users_group', invited);
  if (addresses.trim() === '') throw badRequest('You must specify at least one email address.');
  const emails = addressesIn(addresses);
  await checkDailyLimit(app, change, emails.length);

  const refusalOf = await addressRules(db, directory);
  const invalid = emails.flatMap((email): InvitationProblem[] => {
    if (!isAddress(email)) return [[email, 'Invalid address.', false]];
    const refusal = refusalOf(email);
    return refusal === undefined ? [] : [[email, ADDRESS_REFUSALS[refusal], false]];
  });
  const taken = emails.flatMap((email) => takenProblem(directory, email));
  if (invalid.length > 0) {
    const text = "Some emails did not validate, so we didn't send any invitations.";
    throw invitationFailed(text, { errors: [...invalid, ...taken] });
  }
  if (taken.length === emails.length) throw invitationFailed("We weren't able to invite anyone.", { errors: taken });

  const left = new Set(taken.map(([email]) => email));
  const free = emails.filter((email) => !left.has(email));
  const made = await storeInvitations(app, change, caller, { ...invited, emails: free, tellsInviter });
  const abouts = made.map(({ id }) => ({ invitationId: id }));
  await queueMails(db, invitationMail, { organizationId: directory.organization.id, abouts });
  return taken;
}

/**
 * Sends an invitation again. The link is the same.
 * @throws ApiError `BAD_REQUEST`, `UNAUTHORIZED_PRINCIPAL`, `INVITATION_FAILED`
 */
export async function resend(app: InvitingContext, change: Change, caller: UserRecord, id: number): Promise<void> {
  const { db, directory } = change;
  const { ending, expires_at } = await accessInvitation(change, caller, id, 'mail');
  if (ending !== null || hasPassed(expires_at)) throw badRequest('No such invitation');
  await checkDailyLimit(app, change, 1);
  const organizationId = directory.organization.id;
  await db
    .updateTable('invitations')
    .set({ mailed_at: sql<Date[]>`mailed_at || now()` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
  await queueMails(db, invitationMail, { organizationId, abouts: [{ invitationId: id }] });
}

/** @throws ApiError `BAD_REQUEST`, `UNAUTHORIZED_PRINCIPAL` */
export async function revoke(change: Change, caller: UserRecord, id: number, way: 'mail' | 'link'): Promise<void> {
  const found = await accessInvitation(change, caller, id, way);
  if (found.ending !== null) {
    throw badRequest(way === 'link' ? 'Invitation has already been revoked' : 'No such invitation');
  }
  await endInvitation(change.db, found, 'revoked');
  change.append(invitesChanged(change.directory, found.inviter_id));
}

async function accessInvitation(
  { db, directory }: Change,
  caller: UserRecord,
  id: number,
  way: 'mail' | 'link',
): Promise<Invitation> {
  checkMayUseInvitations(caller);
  const found = await lockInvitation(db, directory.organization.id, id);
  if (found === undefined || (found.email === null) !== (way === 'link')) throw badRequest('No such invitation');
  checkMayManage(caller, found);
  return found;
}

interface ToStore extends Invited {
  /** null: a reusable link. */
  readonly emails: readonly (string | null)[];
  readonly tellsInviter: boolean;
}

async function storeInvitations(
  { config, secret }: InvitingContext,
  change: Change,
  caller: UserRecord,
  { emails, ...invited }: ToStore,
): Promise<readonly Invitation[]> {
  const { db, directory, append } = change;
  const organizationId = directory.organization.id;
  await forgetOld(db, organizationId);
  const open = await countOpen(db, organizationId, caller.id);
  const mine = caller.role > Role.administrator ? shareOf(MAX_OPEN_INVITATIONS) : MAX_OPEN_INVITATIONS;
  if (open.all + emails.length > MAX_OPEN_INVITATIONS || open.own + emails.length > mine) {
    throw badRequest('Too many invitations are open; revoke some that nobody needs any more.');
  }
  const { expiresInMinutes: minutes = config.invitationLinkValidityMinutes } = invited;
  const made = await db
    .insertInto('invitations')
    .values(
      emails.map((email) => {
        const { nonce, keyHash } = newLink(secret, 'invitation');
        return {
          organization_id: organizationId,
          inviter_id: caller.id,
          email,
          role: invited.role,
          channel_ids: [...new Set(invited.channelIds)],
          group_ids: [...new Set(invited.groupIds)],
          with_defaults: invited.withDefaults,
          tells_inviter: invited.tellsInviter,
          welcome_text: invited.welcomeText,
          nonce,
          key_hash: keyHash,
          expires_at: minutes === null ? null : sql<Date>`now() + make_interval(mins => ${minutes})`,
          ...(email !== null && { mailed_at: sql<Date[]>`ARRAY[now()]` }),
        };
      }),
    )
    .returningAll()
    .execute();
  append(invitesChanged(directory, caller.id));
  return made;
}

async function checkDailyLimit({ config }: InvitingContext, { db, directory }: Change, more: number): Promise<void> {
  if ((await mailedToday(db, directory.organization.id)) + more <= config.invitationsPerDay) return;
  throw invitationFailed(
    `An organization can send ${config.invitationsPerDay} invitations a day. Because of that limit, no invitations were sent.`,
    { isDailyLimitReached: true },
  );
}

/** The addresses in the text, without duplicates in any case. `Ada <ada@example.com>` gives the part in brackets. */
function addressesIn(text: string): readonly string[] {
  const found = new Map<string, string>();
  for (const part of text.split(/[,\n]/)) {
    const email = inBrackets(part).trim();
    if (email !== '' && !found.has(email.toLowerCase())) found.set(email.toLowerCase(), email);
  }
  return [...found.values()];
}

/**
 * The part in angle brackets, or else the whole text. It uses no regular expression, because that would backtrack on a
 * text full of brackets.
 */
function inBrackets(part: string): string {
  const [begin, end] = [part.indexOf('<'), part.lastIndexOf('>')];
  return begin >= 0 && end > begin ? part.slice(begin + 1, end) : part;
}

function isAddress(email: string): boolean {
  try {
    return isMailable(checkedEmail(email));
  } catch {
    return false;
  }
}

function takenProblem(directory: Directory, email: string): readonly InvitationProblem[] {
  const user = directory.correspondentByEmail(email);
  if (user === undefined) return [];
  if (user.systemBot !== undefined) return [[email, 'Reserved for system bots.', false]];
  return [[email, user.isActive ? 'Already has an account.' : 'Account has been deactivated.', !user.isActive]];
}
