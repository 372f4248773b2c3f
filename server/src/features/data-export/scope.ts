/** What an export contains of private data, as conditions in SQL. */
import { ExportType } from '@heddle/api/objects/data-export.ts';
import { type RawBuilder, sql } from 'kysely';
import { type EditHistoryVisibility, PLAIN_SETTINGS } from '../../access/organization-settings.ts';
import { subscribedOnArrival, wasReceived } from '../../access/unread-messages.ts';
import { readValue } from '../../db/prepared.ts';
import type { DbTransaction } from '../../db/schema.ts';
import { selectConsents } from '../../domain/users/user-settings/consents.ts';
import type { ExportScope } from '../../extension/exports.ts';
import type { ExportedOrganization } from './queries.ts';

interface Channels {
  /** Channels with all of their messages. */
  readonly open: readonly number[];
  /** Private channels with protected history: with the messages that a consenting subscriber has received. */
  readonly protected: readonly number[];
}

/**
 * Reads which users consent, and which channels follow from that. Only people consent: a direct message to a bot is not exported because the
 * owner of the bot consents.
 */
export async function readScope(
  db: DbTransaction,
  organizationId: number,
  type: ExportedOrganization['type'],
): Promise<ExportScope> {
  if (type === 'everything') return EVERYTHING;
  const isPublic = type === ExportType.public;
  const people = isPublic ? [] : await readConsenting(db, organizationId);
  const { rows: bots } = await sql<{ id: number }>`
    SELECT id FROM users
     WHERE organization_id = ${organizationId} AND is_bot AND bot_owner_id = ANY (${people}::int[])`.execute(db);
  const consenting = [...people, ...bots.map(({ id }) => id)];
  const channels = await readChannels(db, organizationId, people);
  const isIn = (column: string, ids: readonly number[]) =>
    sql<boolean>`${sql.ref(column)} IN (SELECT unnest(${ids}::int[]))`;
  const conversations = sql`
    SELECT p.conversation_id FROM direct_participants p
     WHERE p.organization_id = ${organizationId} AND p.user_id IN (SELECT unnest(${people}::int[]))`;
  const isExported = messageCondition(organizationId, people, channels, conversations);
  return {
    isPublic,
    editHistory: isPublic ? await readEditHistory(db, organizationId) : 'all',
    personConsents: (column) => isIn(`t.${column}`, people),
    consents: (column) => isIn(`t.${column}`, consenting),
    // Administrators see that a private channel exists, so a full export has all channels.
    hasChannel: (column) => (isPublic ? isIn(`t.${column}`, channels.open) : sql<boolean>`true`),
    hasConversation: (column) => sql<boolean>`${sql.ref(`t.${column}`)} IN (${conversations})`,
    hasMessage: (column, row = 't') => sql<boolean>`EXISTS (
      SELECT FROM messages m
       WHERE m.organization_id = ${organizationId} AND m.id = ${sql.ref(`${row}.${column}`)} AND ${isExported})`,
  };
}

/** All data, without asking the users: only the operator of the server can request it. */
const EVERYTHING: ExportScope = {
  isPublic: false,
  editHistory: 'all',
  personConsents: () => sql<boolean>`true`,
  consents: () => sql<boolean>`true`,
  hasChannel: () => sql<boolean>`true`,
  hasConversation: () => sql<boolean>`true`,
  hasMessage: () => sql<boolean>`true`,
};

/** What members see of the edit history. */
async function readEditHistory(db: DbTransaction, organizationId: number): Promise<EditHistoryVisibility> {
  const { rows } = await sql<{ policy: EditHistoryVisibility | null }>`
    SELECT settings->>'message_edit_history_visibility_policy' AS policy
      FROM organizations WHERE id = ${organizationId}`.execute(db);
  return rows[0]?.policy ?? PLAIN_SETTINGS.message_edit_history_visibility_policy.default;
}

async function readConsenting(db: DbTransaction, organizationId: number): Promise<readonly number[]> {
  const consents = await readValue(db, selectConsents(organizationId));
  return consents.flatMap(({ user_id, consented }) => (consented ? [user_id] : []));
}

/** Index: `subscriptions_by_channel`. */
async function readChannels(db: DbTransaction, organizationId: number, people: readonly number[]): Promise<Channels> {
  const { rows } = await sql<{ id: number; isOpen: boolean }>`
    SELECT id, NOT is_private OR history_public_to_subscribers AS "isOpen" FROM channels c
     WHERE organization_id = ${organizationId}
       AND (NOT is_private OR EXISTS (
             SELECT FROM subscriptions s
              WHERE s.organization_id = ${organizationId} AND s.channel_id = c.id AND s.is_active
                AND s.user_id = ANY (${people}::int[])))`.execute(db);
  const idsOf = (isOpen: boolean) => rows.filter((row) => row.isOpen === isOpen).map(({ id }) => id);
  return { open: idsOf(true), protected: idsOf(false) };
}

/** Whether message `m` is exported. It follows `mayRead` (`access/readable-messages.ts`), for all consenting people at once. */
function messageCondition(
  organizationId: number,
  people: readonly number[],
  channels: Channels,
  conversations: RawBuilder<unknown>,
): RawBuilder<boolean> {
  const whose = { organizationId, userId: sql`own.user_id` };
  return sql`(
    m.channel_id IN (SELECT unnest(${channels.open}::int[]))
    OR m.conversation_id IN (${conversations})
    OR (m.channel_id IN (SELECT unnest(${channels.protected}::int[])) AND EXISTS (
      SELECT FROM subscriptions own
       WHERE own.organization_id = ${organizationId} AND own.channel_id = m.channel_id AND own.is_active
         AND own.user_id = ANY (${people}::int[])
         AND (${wasReceived(whose)} OR ${subscribedOnArrival(whose)})))
  )`;
}
