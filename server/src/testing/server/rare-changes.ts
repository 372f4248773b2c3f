/**
 * Changes that tests need and that have no endpoint yet. They are committed like any other, with deltas for the
 * directory.
 */
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { FlagBit } from '../../db/flag-bits.ts';
import { userBits } from '../../db/user-bits.ts';
import type { Change } from '../../directory/organization.ts';
import type { TestServer } from './server.ts';

async function changeRoot(server: TestServer, act: (change: Change) => Promise<void>): Promise<void> {
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  await organization.transact('server', 'exclusive', act);
}

/** Adds these settings to those of the root organization. `undefined` removes one. */
export function changeOrganization(server: TestServer, more: Readonly<Record<string, unknown>>): Promise<void> {
  return changeRoot(server, async ({ db, directory, append }) => {
    const before = directory.organization;
    const settings = { ...before.settings, ...more };
    for (const name of Object.keys(settings)) if (settings[name] === undefined) delete settings[name];
    await db.updateTable('organizations').set({ settings }).where('id', '=', before.id).execute();
    const deltas = [{ delta: 'organization', organization: { ...before, settings } }];
    append({ type: 'realm', audience: { to: 'nobody' }, body: null, deltas });
  });
}

/** Archives a channel of the root organization, without an event. */
export function archiveChannel(server: TestServer, channelId: number): Promise<void> {
  return changeRoot(server, async ({ db, directory, append }) => {
    const channel = directory.channel(channelId);
    assert(channel !== undefined);
    await db
      .updateTable('channels')
      .set({ is_archived: true })
      .where('organization_id', '=', directory.organization.id)
      .where('id', '=', channelId)
      .execute();
    const deltas = [{ delta: 'channel', channel: { ...channel, isArchived: true } }];
    append({ type: 'stream', audience: { to: 'nobody' }, body: null, deltas });
  });
}

/** The id of a system group of the root organization. */
export async function systemGroup(server: TestServer, name: `role:${string}`): Promise<number> {
  const organization = await server.app.organizations.bySubdomain('');
  const group = organization?.directory.groups.all.values().find((one) => one.name === name);
  assert(group !== undefined, `there is no group ${name}`);
  return group.id;
}

/**
 * Turns a mention with a flag row into a mass mention, which is stored with the message, as if many others were
 * mentioned.
 */
export async function mentionAsOneOfMany({ app: { db } }: TestServer, messageId: number, userId: number) {
  const { numUpdatedRows } = await db
    .updateTable('message_flags')
    .set({ flags: sql`flags - ${FlagBit.mentioned}` })
    .where('message_id', '=', messageId)
    .where('user_id', '=', userId)
    .where(sql<boolean>`flags & ${FlagBit.mentioned} <> 0`)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return;
  await db.deleteFrom('message_flags').where('message_id', '=', messageId).where('flags', '=', 0).execute();
  const { first, bits } = userBits([userId]);
  await sql`
    INSERT INTO mass_mentions (organization_id, message_id, first_user_id, user_bits)
    SELECT organization_id, id, ${first}, ${bits} FROM messages WHERE id = ${messageId}`.execute(db);
}

/** Turns a user of the root organization into a bot of this owner, without an event. */
export function becomeBot(server: TestServer, userId: number, ownerId: number): Promise<void> {
  return changeRoot(server, async ({ db, directory, append }) => {
    const user = directory.user(userId);
    assert(user !== undefined);
    await db
      .updateTable('users')
      .set({ is_bot: true, bot_type: 1, bot_owner_id: ownerId })
      .where('organization_id', '=', directory.organization.id)
      .where('id', '=', userId)
      .execute();
    const deltas = [{ delta: 'user', user: { ...user, isBot: true, botType: 1, botOwnerId: ownerId } }];
    append({ type: 'realm_user', audience: { to: 'nobody' }, body: null, deltas });
  });
}
