import { type Kysely, sql } from 'kysely';

const EVENT_TYPE = 'realm_user'; // wire name: events have theirs

/**
 * The server's own bots in each organization; where somebody has a bot's address already, the organization does without it. An event
 * tells them to the processes of the version before that are running: they take them for bots of the organization.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE users ADD COLUMN system_bot text`.execute(db);
  await sql`
    WITH bots AS (
      INSERT INTO users (organization_id, email, delivery_email, full_name, role, is_bot, bot_type, system_bot)
      SELECT organizations.id, bot.email, bot.email, bot.full_name, 400, true, 1, bot.kind
        FROM organizations,
             (VALUES ('notification', 'notification-bot@zulip.com', 'Notification Bot'),
                     ('welcome', 'welcome-bot@zulip.com', 'Welcome Bot'),
                     ('email-gateway', 'emailgateway@zulip.com', 'Email Gateway')) AS bot (kind, email, full_name)
          ON CONFLICT DO NOTHING
      RETURNING *
    ), taken AS (
      UPDATE logs SET head = head + 1, directory_head = head + 1
       WHERE organization_id IN (SELECT organization_id FROM bots)
      RETURNING organization_id, head
    )
    INSERT INTO events (organization_id, id, type, audience, body, facts)
    SELECT taken.organization_id, taken.head, ${EVENT_TYPE}, '{"to":"nobody"}', 'null', (
             SELECT jsonb_agg(jsonb_build_object('fact', 'user', 'user', jsonb_build_object(
                      'id', id, 'email', email, 'deliveryEmail', delivery_email, 'fullName', full_name, 'role', role,
                      'isActive', true, 'isBot', true, 'botType', bot_type, 'botOwnerId', NULL, 'timezone', timezone,
                      'avatarVersion', avatar_version, 'apiKeyVersion', api_key_version,
                      'joinedAt', extract(epoch FROM date_joined)::bigint, 'systemBot', system_bot)))::text
               FROM bots WHERE bots.organization_id = taken.organization_id)
      FROM taken`.execute(db);
}
