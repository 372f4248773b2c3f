import { thoseWhoKnow } from '../../access/people.ts';
import { userFact } from '../../directory/facts.ts';
import type { Change } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { announceOpened } from '../acquaintances/actions.ts';
import { botHandedOver, botUpdated } from '../bots/present.ts';
import { announceNamedIn } from '../channels/actions.ts';
import type { OrganizationEvent } from '../organizations/present.ts';
import { settingsNaming } from '../organizations/queries.ts';
import { announceActivity } from '../subscriptions/actions.ts';
import { announceReturn } from '../user-groups/actions.ts';
import { changeAccount } from './actions.ts';
import type { UserEvent } from './events.ts';

/**
 * Opens a closed account again: subscriptions, groups, permissions, the role and the API key are as they were. Clients have taken it from
 * all of these, and are told of each. A bot whose owner is closed belongs to whoever opens it.
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
  const facts = [userFact(opened, user)];
  if (directory.hidesPeople) {
    // To guests who come to know it by that it is new; both audiences are as before.
    append({ type: 'realm_user', audience: thoseWhoKnow(directory, opened), body });
    announceOpened(change, opened);
    append({ type: 'realm_user', audience: { to: 'nobody' }, body: null, facts });
  } else append({ type: 'realm_user', audience: { to: 'everyone' }, body, facts });
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
    opened = { ...bot, botOwnerId: by.id };
    await changeAccount(change, opened, { op: 'bot-owner', userId: bot.id, ownerId: by.id });
    for (const event of botHandedOver(directory, bot, opened)) append(event);
  }
  append(botUpdated(directory, opened, ['is_active']));
}
