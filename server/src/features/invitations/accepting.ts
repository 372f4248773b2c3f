/** Somebody comes with an invitation. */
import { badRequest } from '@heddle/api/errors.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Change, Organization } from '../../directory/organization.ts';
import type { ChannelRecord, Role, UserRecord } from '../../directory/records.ts';
import { isMailable } from '../../mail/mail.ts';
import { checkedPasswordHash } from '../authentication/actions.ts';
import { addressRules } from '../domains/queries.ts';
import type { Rooms } from '../rooms.ts';
import { noticingOfNewcomer } from '../sending/actions.ts';
import { addNewcomer } from '../user-groups/actions.ts';
import { addUser, checkedEmail, checkedFullName, defaultChannels } from '../users/actions.ts';
import { invitesChanged } from './events.ts';
import {
  endInvitation,
  endInvitationsTo,
  type Invitation,
  invitationByKey,
  lockInvitation,
  openInvitationsTo,
} from './rows.ts';
import { type Standing, standingOf } from './standing.ts';
import { greet, tellInviter, welcomeTextOf } from './welcome.ts';

/** What a link leads to: an invitation of this organization, or what is the matter with it. */
export type Found =
  | { readonly is: 'open'; readonly invitation: Invitation }
  | { readonly is: Exclude<Standing, 'open'> | 'unknown' | 'elsewhere' };

/** @param way links of one kind are no links of the other */
export async function findInvitation(
  { db }: Pick<Rooms, 'db'>,
  { id, directory }: Organization,
  key: string,
  way: 'mail' | 'link',
): Promise<Found> {
  const invitation = await invitationByKey(db, key);
  if (invitation === undefined || (invitation.email === null) !== (way === 'link')) return { is: 'unknown' };
  if (invitation.organization_id !== id) return { is: 'elsewhere' };
  const standing = standingOf(directory, invitation);
  return standing === 'open' ? { is: standing, invitation } : { is: standing };
}

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

/** The invitation has ended meanwhile. */
export class EndedInvitationError extends Error {
  override readonly name = 'EndedInvitationError';
  readonly standing: Exclude<Standing, 'open'>;

  constructor(standing: Exclude<Standing, 'open'>) {
    super(`the invitation is ${standing}`);
    this.standing = standing;
  }
}

/** The address has an account, or may have none; which of both is not told. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';
}

export interface Newcomer {
  readonly fullName: string;
  /** Of a link. An invitation by mail says it itself. */
  readonly email: string;
  /** Checked. None where another system vouches for the address, and lets them in. */
  readonly password?: string;
}

/**
 * Registers somebody with an invitation: their account, its subscriptions and groups, the bots' messages and the invitation's end commit
 * together. Everything that they come with is the invitation's.
 * @throws ApiError `BAD_REQUEST`: a name or an address that cannot be; EndedInvitationError; AddressRefusedError
 */
export async function accept(
  rooms: Pick<Rooms, 'address'>,
  organization: Organization,
  invitationId: number,
  newcomer: Newcomer,
): Promise<UserRecord> {
  const { password } = newcomer;
  const passwordHash = password === undefined ? null : await checkedPasswordHash(password);
  return organization.change(async (change) => {
    const { db, directory, append } = change;
    const invitation = await lockInvitation(db, organization.id, invitationId);
    const standing = invitation === undefined ? 'revoked' : standingOf(directory, invitation);
    if (invitation === undefined || standing !== 'open') throw new EndedInvitationError(standing as 'revoked');
    const email = checkedAddress(invitation.email ?? newcomer.email);
    const refusal = (await addressRules(db, directory))(email);
    if (refusal !== undefined || directory.correspondentByEmail(email) !== undefined) throw new AddressRefusedError();

    const user = await addUser(change, {
      email,
      fullName: checkedFullName(newcomer.fullName),
      // The column holds nothing else.
      role: invitation.role as Role,
      passwordHash,
      channels: channelsOf(directory, invitation),
    });
    if (invitation.email === null && password !== undefined) await noteUnconfirmed(change, user);
    await joinGroups(change, user, invitation);
    if (invitation.email !== null) await endInvitation(db, invitation, 'used');
    const others = await endInvitationsTo(db, organization.id, email);
    if (invitation.email !== null || others) append(invitesChanged(directory, invitation.inviter_id));
    await tellOf(rooms, change, user, invitation);
    return user;
  });
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
  invitation: Invitation,
): Promise<void> {
  const { directory } = change;
  const noticing = noticingOfNewcomer(directory, newcomer, address.of(directory.organization.subdomain));
  await greet(change, newcomer, { customText: welcomeTextOf(directory, invitation.welcome_text), noticing });
  const inviter = directory.user(invitation.inviter_id);
  if (inviter !== undefined && invitation.tells_inviter) await tellInviter(change, { inviter, newcomer, noticing });
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
