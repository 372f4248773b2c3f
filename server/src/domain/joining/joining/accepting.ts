/** Creates an account: with an invitation, or in an organization that requires none. */
import { badRequest } from '@heddle/api/errors.ts';
import { knownLanguage } from '@heddle/api/languages.ts';
import { organizationSetting } from '../../../access/organization-settings.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { Change, Organization } from '../../../directory/organization.ts';
import type { ChannelRecord, Role, UserRecord } from '../../../directory/records.ts';
import type { AppContext } from '../../../extension/app-context.ts';
import { isMailable } from '../../../mail/mail.ts';
import { addUser, defaultChannels } from '../../accounts/accounts/actions.ts';
import { greet, notifyInviter, welcomeTextOf } from '../../accounts/accounts/welcome.ts';
import { queueWelcomeMail } from '../../accounts/accounts/welcome-mail.ts';
import { checkedPasswordHash, knownOf } from '../../credentials/passwords.ts';
import { noticeContextOfNewcomer } from '../../sending/sending/notices.ts';
import { addressRules } from '../../texts/address-rules/rules.ts';
import { endLink } from '../../texts/shared/mailed-links.ts';
import { addNewcomer } from '../../user-groups/membership.ts';
import { checkedEmail, checkedFullName } from '../../users/users/names.ts';
import { mayStillAddTo, mayStillSubscribe } from '../invitations/checking.ts';
import { invitesChanged } from '../invitations/events.ts';
import {
  endInvitation,
  endInvitationsTo,
  type Invitation,
  lockInvitation,
  openInvitationsTo,
} from '../invitations/rows.ts';
import { type InvitationStatus, statusOf } from '../invitations/status.ts';
import { endConfirmationsOf } from './confirmations.ts';
import { findInvitation } from './finding.ts';

/**
 * The invitation for a user whose address another login system vouches for. It is that of the link that the user
 * opened, or else the newest mail invitation to that address.
 */
export async function invitationFor(
  app: Pick<AppContext, 'db'>,
  organization: Organization,
  { email, linkKey }: { readonly email: string; readonly linkKey: string | undefined },
): Promise<Invitation | undefined> {
  const found = linkKey === undefined ? undefined : await findInvitation(app, organization, linkKey, 'link');
  if (found?.is === 'open') return found.invitation;
  const mailed = await openInvitationsTo(app.db, organization.id, email);
  return mailed.find((invitation) => statusOf(organization.directory, invitation) === 'open');
}

/** Why the invitation or confirmation is not valid any more. */
export type Ending = Exclude<InvitationStatus, 'open'> | 'invited-only';

/** The invitation or confirmation has ended since the form was shown. */
export class EndedError extends Error {
  override readonly name = 'EndedError';
  readonly ending: Ending;

  constructor(ending: Ending) {
    super(`joining has ended: ${ending}`);
    this.ending = ending;
  }
}

/** The address has an account, or cannot have one. The response does not say which. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';
}

/** What entitles a person to join. */
export interface Admission {
  /** undefined: the organization requires no invitation. */
  readonly invitationId: number | undefined;
  /**
   * The confirmation of the address. undefined: a mail invitation or another system proves the address, or nothing
   * does.
   */
  readonly confirmationId?: number | undefined;
}

export interface Newcomer {
  readonly fullName: string;
  /** A confirmation or mail invitation overrides this. */
  readonly email: string;
  /** Already checked. undefined if another login system vouches for the user. */
  readonly password?: string;
  /** The languages that the browser prefers. */
  readonly languages?: readonly string[];
}

/**
 * Creates the account. It commits together with its subscriptions and groups, the messages of the bots, and the end of
 * the invitation. Role, channels and groups come from the invitation only.
 * @throws ApiError `BAD_REQUEST`: an invalid name or address; EndedError; AddressRefusedError
 */
export async function accept(
  app: Pick<AppContext, 'address'>,
  organization: Organization,
  { invitationId, confirmationId }: Admission,
  newcomer: Newcomer,
): Promise<UserRecord> {
  const { password } = newcomer;
  const passwordHash =
    password === undefined ? null : await checkedPasswordHash(password, knownOf(organization, newcomer));
  return organization.transact('server', 'exclusive', async (change) => {
    const { db, directory, append } = change;
    const invitation = invitationId === undefined ? undefined : await openInvitation(change, invitationId);
    if (invitation === undefined) checkTakesWhoeverComes(directory);
    const confirmed = confirmationId === undefined ? undefined : await confirmedAddress(change, confirmationId);
    const email = checkedAddress(confirmed ?? invitation?.email ?? newcomer.email);
    const isByMail = invitation !== undefined && invitation.email !== null;
    const isTheirWord = !isByMail && confirmed === undefined && password !== undefined;
    const refusal = (await addressRules(db, directory))(email);
    if (refusal !== undefined || directory.correspondentByEmail(email) !== undefined) throw new AddressRefusedError();
    // The organization restricted its domains while the form was open.
    if (isTheirWord && organizationSetting(directory, 'emails_restricted_to_domains')) throw new AddressRefusedError();

    const user = await addUser(change, {
      email,
      fullName: checkedFullName(newcomer.fullName),
      language: knownLanguage(newcomer.languages ?? []),
      // The column has no other values.
      ...(invitation !== undefined && { role: invitation.role as Role, channels: channelsOf(directory, invitation) }),
      passwordHash,
    });
    if (isTheirWord) await noteUnconfirmed(change, user);
    if (invitation !== undefined) await joinGroups(change, user, invitation);
    if (isByMail) await endInvitation(db, invitation, 'used');
    const others = await endInvitationsTo(db, organization.id, email);
    await endConfirmationsOf(db, organization.id, email);
    if (isByMail || others) append(invitesChanged(directory, invitation?.inviter_id));
    await announceArrival(app, change, user, invitation);
    return user;
  });
}

async function openInvitation({ db, directory }: Change, id: number): Promise<Invitation> {
  const invitation = await lockInvitation(db, directory.organization.id, id);
  if (invitation === undefined) throw new EndedError('revoked');
  const status = statusOf(directory, invitation);
  if (status !== 'open') throw new EndedError(status);
  return invitation;
}

/** @throws EndedError */
function checkTakesWhoeverComes(directory: Directory): void {
  if (organizationSetting(directory, 'invite_required')) throw new EndedError('invited-only');
}

async function confirmedAddress({ db, directory }: Change, id: number): Promise<string> {
  const confirmation = await endLink(db, 'address_confirmations', directory.organization.id, id);
  if (confirmation === undefined) throw new EndedError('used');
  return confirmation.address;
}

/** The channels of the invitation to which its inviter can still subscribe others, and the current default channels. */
function channelsOf(
  directory: Directory,
  { channel_ids, with_defaults, inviter_id }: Invitation,
): readonly ChannelRecord[] {
  const inviter = directory.user(inviter_id);
  const chosen = channel_ids
    .flatMap((id) => directory.channel(id) ?? [])
    .filter((channel) => inviter !== undefined && mayStillSubscribe(directory, inviter, channel));
  return [...new Set([...chosen, ...(with_defaults ? defaultChannels(directory) : [])])];
}

async function joinGroups(change: Change, user: UserRecord, { group_ids, inviter_id }: Invitation): Promise<void> {
  const { directory } = change;
  const inviter = directory.user(inviter_id);
  if (inviter === undefined) return;
  for (const id of group_ids) {
    const group = directory.groups.all.get(id);
    if (group !== undefined && mayStillAddTo(directory, inviter, group)) await addNewcomer(change, group, user.id);
  }
}

async function announceArrival(
  { address }: Pick<AppContext, 'address'>,
  change: Change,
  newcomer: UserRecord,
  invitation: Invitation | undefined,
): Promise<void> {
  const { directory } = change;
  const noticeContext = noticeContextOfNewcomer(directory, newcomer, address.of(directory.organization.subdomain));
  await queueWelcomeMail(change, newcomer);
  await greet(change, newcomer, {
    role: newcomer.role,
    customText: welcomeTextOf(directory, invitation?.welcome_text ?? null),
    noticeContext,
  });
  const inviter = invitation === undefined ? undefined : directory.user(invitation.inviter_id);
  if (inviter !== undefined && invitation?.tells_inviter)
    await notifyInviter(change, { inviter, newcomer, noticeContext });
}

/** @throws ApiError `BAD_REQUEST` */
export function checkedAddress(text: string): string {
  const email = checkedEmail(text);
  if (!isMailable(email)) throw badRequest('Enter a valid email address.');
  return email;
}

/** Marks the address as unconfirmed: the user only claims to own it. */
async function noteUnconfirmed({ db, directory }: Change, user: UserRecord): Promise<void> {
  await db
    .updateTable('users')
    .set({ address_is_confirmed: false })
    .where('organization_id', '=', directory.organization.id)
    .where('id', '=', user.id)
    .execute();
}
