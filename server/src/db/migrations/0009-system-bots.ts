import { type Kysely, sql } from 'kysely';

/**
 * The server's own bots in each organization; where somebody has a bot's address already, the organization does without it. A process
 * of the version before takes them for bots of the organization.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE users ADD COLUMN system_bot text`.execute(db);
  await sql`
    INSERT INTO users (organization_id, email, delivery_email, full_name, role, is_bot, bot_type, system_bot)
    SELECT organizations.id, bot.email, bot.email, bot.full_name, 400, true, 1, bot.kind
      FROM organizations,
           (VALUES ('notification', 'notification-bot@zulip.com', 'Notification Bot'),
                   ('welcome', 'welcome-bot@zulip.com', 'Welcome Bot'),
                   ('email-gateway', 'emailgateway@zulip.com', 'Email Gateway')) AS bot (kind, email, full_name)
        ON CONFLICT DO NOTHING`.execute(db);
}
