import { badRequest } from '@heddle/api/errors.ts';
import { readValue } from '../../db/prepared.ts';
import type { DbTransaction } from '../../db/schema.ts';
import type { Change, Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import type { MessageQueries } from '../../domain/reading/history/queries.ts';
import { markRead } from '../../domain/reading/read-state/actions.ts';
import { muteDelta, mutesPart } from '../../domain/users/users/mutes.ts';
import { userById } from '../../domain/users/users/queries.ts';
import { selectMutedUsers } from './queries.ts';

/** More than any user mutes. Each event contains all of them. */
const MAX_MUTED_USERS_PER_USER = 1000;

/**
 * Mutes a user of any kind, active or not (public reference, "Mute a user"). Their messages count as read, and new ones arrive as read.
 * @throws ApiError `BAD_REQUEST`: the caller themselves, an inaccessible user, or a user who is muted already; too many
 */
export async function muteUser(
  organization: Organization,
  queries: MessageQueries,
  caller: UserRecord,
  userId: number,
): Promise<void> {
  checkMayMute(organization, caller, userId);
  await organization.read(caller, ({ db }) => checkNumber(db, organization.id, caller.id));
  const sentByThem = [{ operator: 'sender', operand: userId }];
  // Usually this marks everything. Few messages arrive until the user is muted.
  await markRead(organization, queries, caller, sentByThem);
  await organization.transact(caller, 'exclusive', async (change, user) => {
    const { db, directory } = change;
    const organizationId = directory.organization.id;
    await checkNumber(db, organizationId, user.id);
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('muted_users')
      .values({ organization_id: organizationId, user_id: user.id, muted_user_id: userId })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 0n) throw alreadyMuted();
    await tell(change, user, userId, true);
  });
  await markRead(organization, queries, caller, sentByThem);
}

/** @throws ApiError `BAD_REQUEST`: an inaccessible user, or a user who is not muted */
export async function unmuteUser(organization: Organization, caller: UserRecord, userId: number): Promise<void> {
  userById(organization.directory, caller, userId);
  await organization.transact(caller, 'exclusive', async (change, user) => {
    const { numDeletedRows } = await change.db
      .deleteFrom('muted_users')
      .where('organization_id', '=', organization.id)
      .where('user_id', '=', user.id)
      .where('muted_user_id', '=', userId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw badRequest('User is not muted');
    await tell(change, user, userId, false);
  });
}

function checkMayMute({ directory }: Organization, caller: UserRecord, userId: number): void {
  if (userId === caller.id) throw badRequest('Cannot mute self');
  userById(directory, caller, userId);
  if (directory.part(mutesPart).has(caller.id, userId)) throw alreadyMuted();
}

/** @throws ApiError `BAD_REQUEST` */
async function checkNumber(db: DbTransaction, organizationId: number, userId: number): Promise<void> {
  const { count } = await db
    .selectFrom('muted_users')
    .select((all) => all.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  if (count >= MAX_MUTED_USERS_PER_USER) throw badRequest(`Too many muted users (limit: ${MAX_MUTED_USERS_PER_USER})`);
}

async function tell({ db, directory, append }: Change, user: UserRecord, mutedUserId: number, isMuted: boolean) {
  const muted = await readValue(db, selectMutedUsers(directory.organization.id, user.id));
  append({
    type: 'muted_users',
    audience: { to: 'users', users: [user.id] },
    body: { muted },
    deltas: [muteDelta(user.id, mutedUserId, isMuted)],
  });
}

function alreadyMuted() {
  return badRequest('User already muted');
}
