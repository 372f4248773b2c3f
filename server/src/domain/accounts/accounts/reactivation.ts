import { usersWithAccessTo } from '../../../access/people.ts';
import type { Change } from '../../../directory/organization.ts';
import type { UserRecord } from '../../../directory/records.ts';
import { userDelta } from '../../../directory/state-deltas.ts';
import { announceActivity } from '../../channel-management/subscriptions/actions.ts';
import { announceNamedIn } from '../../channels/naming.ts';
import type { OrganizationEvent } from '../../organizations/organizations/present.ts';
import { settingsNaming } from '../../organizations/organizations/queries.ts';
import { announceReturn } from '../../user-groups/actions.ts';
import { announceOpened } from '../../users/accessible-users/actions.ts';
import { botUpdated } from '../../users/bots/present.ts';
import type { UserEvent } from '../../users/users/events.ts';
import { giveBot } from './bot-owner.ts';

/**
 * Reactivates an account. Its subscriptions, groups, permissions, role and API key are unchanged. Clients have removed
 * the account from all of these, so each gets an event. If the owner of a bot is inactive, the caller becomes the
 * owner, and the bot gets another API key.
 */
export async function reactivateUser(change: Change, user: UserRecord, by: UserRecord): Promise<void> {
  const { db, directory, append } = change;
  if (user.isActive) return;
  await db
    .updateTable('users')
    .set({ is_active: true })
    .where('organization_id', '=', directory.organization.id)
    .where('id', '=', user.id)
    .execute();
  const opened = { ...user, isActive: true };
  const body: UserEvent = { op: 'activity', userId: user.id, isActive: true };
  const deltas = [userDelta(opened, user)];
  if (directory.hidesPeople) {
    // Guests who gain access get a new user instead. Both audiences must be resolved before the state delta.
    append({ type: 'realm_user', audience: usersWithAccessTo(directory, opened), body });
    announceOpened(change, opened);
    append({ type: 'realm_user', audience: { to: 'nobody' }, body: null, deltas });
  } else append({ type: 'realm_user', audience: { to: 'everyone' }, body, deltas });
  announceActivity(change, user.id, 'reactivated');
  announceReturn(change, opened);
  const settings = settingsNaming(directory, opened);
  if (settings !== undefined) {
    const named: OrganizationEvent = { op: 'update', settings };
    append({ type: 'realm', audience: { to: 'everyone' }, body: named });
  }
  announceNamedIn(change, opened);
  if (user.isBot) await reopenBot(change, opened, by);
}

async function reopenBot(change: Change, bot: UserRecord, by: UserRecord): Promise<void> {
  const { directory, append } = change;
  const owner = bot.botOwnerId === null ? undefined : directory.user(bot.botOwnerId);
  let opened = bot;
  if (owner?.isActive !== true) {
    opened = await giveBot(change, bot, by);
  }
  append(botUpdated(directory, opened, ['is_active']));
}
