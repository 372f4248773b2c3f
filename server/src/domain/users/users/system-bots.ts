import type { DbTransaction } from '../../../db/schema.ts';
import { Role, type SystemBot } from '../../../directory/records.ts';

/** Clients recognize the bots by these addresses (public reference: `cross_realm_bots` of `POST /register`). */
export const SYSTEM_BOTS: Readonly<Record<SystemBot, { readonly email: string; readonly fullName: string }>> = {
  notification: { email: 'notification-bot@zulip.com', fullName: 'Notification Bot' },
  welcome: { email: 'welcome-bot@zulip.com', fullName: 'Welcome Bot' },
  'email-gateway': { email: 'emailgateway@zulip.com', fullName: 'Email Gateway' },
};

const GENERIC_BOT_TYPE = 1;

/**
 * Inserts copies of the system bots for a new organization. No event announces them: each directory is loaded later.
 */
export async function insertSystemBots(db: DbTransaction, organizationId: number): Promise<void> {
  await db
    .insertInto('users')
    .values(
      Object.entries(SYSTEM_BOTS).map(([kind, { email, fullName }]) => ({
        organization_id: organizationId,
        email,
        delivery_email: email,
        full_name: fullName,
        role: Role.member,
        is_bot: true,
        bot_type: GENERIC_BOT_TYPE,
        bot_owner_id: null,
        password_hash: null,
        system_bot: kind,
      })),
    )
    .execute();
}
