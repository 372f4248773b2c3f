/** Somebody gets an account: with an invitation, or where the organization takes whoever comes. */
import { badRequest } from '@heddle/api/errors.ts';
import { organizationSetting } from '../../access/organization-settings.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Change, Organization } from '../../directory/organization.ts';
import type { ChannelRecord, Role, UserRecord } from '../../directory/records.ts';
import { isMailable } from '../../mail/mail.ts';
import { checkedPasswordHash } from '../authentication/actions.ts';
import { addressRules } from '../domains/queries.ts';
import { greet, invitesChanged, tellInviter, welcomeTextOf } from '../invitations/actions.ts';
import {
  endInvitation,
  endInvitationsTo,
  type Invitation,
  lockInvitation,
  openInvitationsTo,
  type Standing,
  standingOf,
} from '../invitations/queries.ts';
import type { Rooms } from '../rooms.ts';
import { noticingOfNewcomer } from '../sending/actions.ts';
import { addNewcomer } from '../user-groups/actions.ts';
import { addUser, checkedEmail, checkedFullName, defaultChannels } from '../users/actions.ts';
import { endConfirmationsOf, useConfirmation } from './confirmations.ts';
import { findInvitation } from './finding.ts';

/**
 * The invitation that somebody comes with whose address another system vouches for: the link that they opened, or else the newest by mail to
 * that very address.
 */
export async function invitationFor(
  rooms: Pick<Rooms, 'db'>,
  organization: Organization,
  { email, linkKey }: { readonly email: string; readonly linkKey: string | undefined },
): Promise<Invitation | undefined> {
  const found = linkKey === undefined ? undefined : await findInvitation(rooms, organization, linkKey, 'link');
  if (found?.is === 'open') return found.invitation;
  const mailed = await openInvitationsTo(rooms.db, organization.id, email);
  return mailed.find((invitation) => standingOf(organization.directory, invitation) === 'open');
}

/** Why what somebody comes with brings them in no longer. */
export type Ending = Exclude<Standing, 'open'> | 'invited-only';

/** What somebody came with has ended meanwhile. */
export class EndedError extends Error {
  override readonly name = 'EndedError';
  readonly ending: Ending;

  constructor(ending: Ending) {
    super(`joining has ended: ${ending}`);
    this.ending = ending;
  }
}

/** The address has an account, or may have none; which of both is not told. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';
}

/** What somebody comes with. */
export interface Admission {
  /** undefined: the organization takes whoever comes. */
  readonly invitationId: number | undefined;
  /** The link that has shown that the address is theirs; undefined where an invitation by mail or another system shows it, or nothing. */
  readonly confirmationId?: number | undefined;
}

export interface Newcomer {
  readonly fullName: string;
  /** What was confirmed, or invited by mail, says it itself. */
  readonly email: string;
  /** Checked. None where another system vouches for the address, and lets them in. */
  readonly password?: string;
}

/**
 * Registers somebody: their account, its subscriptions and groups, the bots' messages and the end of what they came with commit together.
 * Everything that they come with is the invitation's.
 * @throws ApiError `BAD_REQUEST`: a name or an address that cannot be; EndedError; AddressRefusedError
 */
export async function accept(
  rooms: Pick<Rooms, 'address'>,
  organization: Organization,
  { invitationId, confirmationId }: Admission,
  newcomer: Newcomer,
): Promise<UserRecord> {
  const { password } = newcomer;
  const passwordHash = password === undefined ? null : await checkedPasswordHash(password);
  return organization.change(async (change) => {
    const { db, directory, append } = change;
    const invitation = invitationId === undefined ? undefined : await openInvitation(change, invitationId);
    if (invitation === undefined) checkTakesWhoeverComes(directory);
    const confirmed = confirmationId === undefined ? undefined : await confirmedAddress(change, confirmationId);
    const email = checkedAddress(confirmed ?? invitation?.email ?? newcomer.email);
    const isByMail = invitation !== undefined && invitation.email !== null;
    const isTheirWord = !isByMail && confirmed === undefined && password !== undefined;
    const refusal = (await addressRules(db, directory))(email);
    if (refusal !== undefined || directory.correspondentByEmail(email) !== undefined) throw new AddressRefusedError();
    // The organization has begun to ask for more while they filled in the form.
    if (isTheirWord && organizationSetting(directory, 'emails_restricted_to_domains')) throw new AddressRefusedError();

    const user = await addUser(change, {
      email,
      fullName: checkedFullName(newcomer.fullName),
      // The column holds nothing else.
      ...(invitation !== undefined && { role: invitation.role as Role, channels: channelsOf(directory, invitation) }),
      passwordHash,
    });
    if (isTheirWord) await noteUnconfirmed(change, user);
    if (invitation !== undefined) await joinGroups(change, user, invitation);
    if (isByMail) await endInvitation(db, invitation, 'used');
    const others = await endInvitationsTo(db, organization.id, email);
    await endConfirmationsOf(db, organization.id, email);
    if (isByMail || others) append(invitesChanged(directory, invitation?.inviter_id));
    await tellOf(rooms, change, user, invitation);
    return user;
  });
}

async function openInvitation({ db, directory }: Change, id: number): Promise<Invitation> {
  const invitation = await lockInvitation(db, directory.organization.id, id);
  if (invitation === undefined) throw new EndedError('revoked');
  const standing = standingOf(directory, invitation);
  if (standing !== 'open') throw new EndedError(standing);
  return invitation;
}

/** @throws EndedError */
export function checkTakesWhoeverComes(directory: Directory): void {
  if (organizationSetting(directory, 'invite_required')) throw new EndedError('invited-only');
}

async function confirmedAddress({ db, directory }: Change, id: number): Promise<string> {
  const confirmation = await useConfirmation(db, directory.organization.id, id);
  if (confirmation === undefined) throw new EndedError('used');
  return confirmation.address;
}

/** Those of the invitation that are there still, and the default channels of now. */
function channelsOf(directory: Directory, { channel_ids, with_defaults }: Invitation): readonly ChannelRecord[] {
  const chosen = channel_ids.flatMap((id) => directory.channel(id) ?? []).filter(({ isArchived }) => !isArchived);
  return [...new Set([...chosen, ...(with_defaults ? defaultChannels(directory) : [])])];
}

async function joinGroups(change: Change, user: UserRecord, { group_ids }: Invitation): Promise<void> {
  for (const id of group_ids) {
    const group = change.directory.groups.all.get(id);
    if (group !== undefined && !group.isSystem && !group.isDeactivated) await addNewcomer(change, group, user.id);
  }
}

async function tellOf(
  { address }: Pick<Rooms, 'address'>,
  change: Change,
  newcomer: UserRecord,
  invitation: Invitation | undefined,
): Promise<void> {
  const { directory } = change;
  const noticing = noticingOfNewcomer(directory, newcomer, address.of(directory.organization.subdomain));
  await greet(change, newcomer, {
    customText: welcomeTextOf(directory, invitation?.welcome_text ?? null),
    noticing,
  });
  const inviter = invitation === undefined ? undefined : directory.user(invitation.inviter_id);
  if (inviter !== undefined && invitation?.tells_inviter) await tellInviter(change, { inviter, newcomer, noticing });
}

/** @throws ApiError `BAD_REQUEST` */
export function checkedAddress(text: string): string {
  const email = checkedEmail(text);
  if (!isMailable(email)) throw badRequest('Enter a valid email address.');
  return email;
}

/** Nothing but their word says that the address is theirs. */
async function noteUnconfirmed({ db, directory }: Change, user: UserRecord): Promise<void> {
  await db
    .updateTable('users')
    .set({ address_is_confirmed: false })
    .where('organization_id', '=', directory.organization.id)
    .where('id', '=', user.id)
    .execute();
}
