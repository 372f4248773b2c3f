/** Turns claimed notifications into pushes: one for each conversation and browser. */
import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { organizationSetting } from '../../access/organization-settings.ts';
import type { DbTransaction } from '../../db/schema.ts';
import { readSnapshot } from '../../db/transaction.ts';
import type { Directory } from '../../directory/directory.ts';
import { isAlive } from '../../domain/credentials/sessions.ts';
import { CONVERSATION } from '../../domain/notifications/push-notifications/adding.ts';
import {
  asShownTo,
  type MessageNotice,
  noticesOf,
  stillUnread,
} from '../../domain/notifications/push-notifications/notices.ts';
import { quietUsers, silences } from '../../domain/notifications/quiet-hours/queries.ts';
import { badgeCounts } from '../../domain/reading/read-state/badge.ts';
import type { Settings } from '../../domain/users/user-settings/first-settings.ts';
import { completeSettings } from '../../domain/users/user-settings/queries.ts';
import type { AppContext } from '../../extension/app-context.ts';
import type { BrowserKeys } from './encrypting.ts';
import { MAX_IDS_PER_PAYLOAD, payloadOf } from './payloads.ts';
import { SILENT_PUSHES, silentPushesLeft } from './silent-pushes.ts';
import type { Waiting } from './waiting.ts';

/** Users whose unread messages are counted in one statement. */
const USERS_PER_COUNT = 20;
/** Users with very many unread messages must not delay the others. After so long, badges stay as they are; in milliseconds. */
const COUNTING_TIME_LIMIT_MS = 3000;
/** Characters of a `Topic` (RFC 8030). */
const TOPIC_LENGTH = 32;

/** A push before its encryption. */
export interface OpenPush {
  readonly endpoint: string;
  readonly keys: BrowserKeys;
  readonly payload: Buffer;
  /** At most 32 characters of Base64 for URLs. */
  readonly topic: string;
  readonly isUrgent: boolean;
}

/** A push and its rows. */
export interface Parcel {
  readonly userId: number;
  readonly subscriptionId: number;
  readonly waiting: readonly Waiting[];
  /** Undefined: the browser needs no push for this. */
  readonly push: OpenPush | undefined;
  /** Whether the push only removes. */
  readonly isSilent: boolean;
}

export type PackingContext = Pick<AppContext, 'pool' | 'address' | 'secret'>;

interface SubscriptionRow {
  readonly id: number;
  readonly user_id: number;
  readonly endpoint: string;
  readonly host: string;
  readonly public_key: Buffer;
  readonly auth_secret: Buffer;
  readonly shows_text: boolean;
  readonly silent_pushes: number;
}

/** What a conversation shows on a browser after the push. */
interface Group {
  readonly subscription: SubscriptionRow;
  readonly conversation: string;
  /** Claimed, and still to be shown. */
  readonly fresh: readonly Waiting[];
  /** Claimed, and to be removed or replaced. */
  readonly stale: readonly Waiting[];
  /** `fresh`, and what the browser shows already; ascending. */
  readonly shown: readonly Waiting[];
  readonly newest: Waiting | undefined;
}

/** @param waiting all of one organization */
export async function pack(
  { pool, address, secret }: PackingContext,
  directory: Directory,
  waiting: readonly Waiting[],
): Promise<{ readonly parcels: readonly Parcel[]; readonly useless: readonly Waiting[] }> {
  const organizationId = directory.organization.id;
  const origin = address.of(directory.organization.subdomain);
  const isTextAllowed = organizationSetting(directory, 'message_content_allowed_in_web_push');
  // One snapshot: if the message moves to a private channel meanwhile, the notification must not name that channel.
  return readSnapshot(pool, async (db) => {
    const subscriptions = await subscriptionsOf(db, organizationId, waiting);
    const isReached = ({ user_id, subscription_id }: Waiting) =>
      subscriptions.has(subscription_id) && directory.user(user_id)?.isActive === true;
    const reached = await inTheirConversations(db, organizationId, waiting.filter(isReached));
    const kept = await keptBy(db, organizationId, reached);
    const wanted = [
      ...reached.filter(({ state, is_late }) => state === 'shown' || (state === 'due' && !is_late)),
      ...kept,
    ];
    const unread = await stillUnread(db, organizationId, wanted);
    const quiet = await quietUsers(db, organizationId, [...new Set(reached.map(({ user_id }) => user_id))]);
    // Quiet hours can have begun while the service was out of reach. What a browser shows already stays.
    const isSilenced = ({ state, user_id, cause }: Waiting) =>
      state === 'due' && silences(quiet.get(user_id), cause === 'direct');
    const isShowable = (one: Waiting) => unread.has(one) && !isSilenced(one);
    const useful = reached.filter((one) => one.state === 'leaving' || isShowable(one));
    const all = groupsOf(useful, kept.filter(isShowable), subscriptions);
    const newestIds = new Set(all.flatMap(({ newest }) => newest?.message_id ?? []));
    const notices = await noticesOf(db, directory, address, [...newestIds]);
    const groups = all.flatMap((group) => withNotice(group, notices));
    const users = await settingsAndBadges(
      db,
      organizationId,
      new Set(groups.map((group) => group.subscription.user_id)),
    );
    const silentLeft = new Map<number, number>();
    const mayStaySilent = ({ id, host, silent_pushes: silentPushes }: SubscriptionRow): boolean => {
      const left = silentLeft.get(id) ?? silentPushesLeft(host, silentPushes);
      silentLeft.set(id, left - 1);
      return left > 0;
    };
    const parcels = groups.map((group): Parcel => {
      const { subscription, conversation, fresh, stale, shown, newest } = group;
      const { id: subscriptionId, user_id: userId } = subscription;
      const isSilent = newest === undefined;
      const claimed = [...fresh, ...stale];
      const { settings, badge } = users.get(subscription.user_id) ?? NOTHING_KNOWN;
      // Then a notification that is read elsewhere stays until the app is opened.
      if (isSilent && !mayStaySilent(subscription)) {
        return { userId, subscriptionId, waiting: claimed, push: undefined, isSilent };
      }
      const notice = newest && notices.get(newest.message_id);
      const topic = topicOf(secret, organizationId, subscription.id, conversation);
      const payload = payloadOf(
        {
          userId: subscription.user_id,
          tag: topic,
          removedIds: [...new Set(stale.map(({ message_id }) => message_id))].toSorted((a, b) => a - b),
          unread: badge,
        },
        notice &&
          newest && {
            notice: asShownTo(directory, notice, newest, origin),
            messageIds: shown.map(({ message_id }) => message_id),
            isUpdate: !fresh.some(({ state }) => state === 'due'),
            showsText:
              isTextAllowed &&
              subscription.shows_text &&
              (!isDirect(notice) || settings.pm_content_in_desktop_notifications),
            origin,
          },
      );
      const keys = { publicKey: subscription.public_key, authSecret: subscription.auth_secret };
      const isUrgent = fresh.some(
        ({ state, cause }) => state === 'due' && (cause === 'direct' || cause === 'mentioned'),
      );
      const push = { endpoint: subscription.endpoint, keys, payload, topic, isUrgent };
      return { userId, subscriptionId, waiting: claimed, push, isSilent };
    });
    const packed = new Set(parcels.flatMap((parcel) => parcel.waiting));
    const useless = [...waiting.filter((one) => !isReached(one)), ...reached.filter((one) => !packed.has(one))];
    return { parcels, useless };
  });
}

/** If nothing is known of the newest message, only removals are left. */
function withNotice(group: Group, notices: ReadonlyMap<number, MessageNotice>): readonly Group[] {
  if (group.newest === undefined || notices.has(group.newest.message_id)) return [group];
  const stale = group.stale.filter(({ state }) => state === 'leaving');
  return stale.length === 0 ? [] : [{ ...group, fresh: [], stale, shown: [], newest: undefined }];
}

const NOTHING_KNOWN = { settings: completeSettings(undefined), badge: null };

function isDirect({ place }: MessageNotice): boolean {
  return 'participants' in place;
}

/** Equal topics replace each other. They say nothing to the push service, which knows only the browser. */
function topicOf(secret: Buffer, organizationId: number, subscriptionId: number, conversation: string): string {
  const name = `heddle: topic of web push ${organizationId} ${subscriptionId} ${conversation}`;
  return createHmac('sha256', secret).update(name).digest('base64url').slice(0, TOPIC_LENGTH);
}

function groupsOf(
  useful: readonly Waiting[],
  kept: readonly Waiting[],
  subscriptions: ReadonlyMap<number, SubscriptionRow>,
): readonly Group[] {
  const key = ({ subscription_id, conversation }: Waiting) => `${subscription_id} ${conversation}`;
  const keptBefore = Map.groupBy(kept, key);
  return [...Map.groupBy(useful, key)].flatMap(([name, some]) => {
    const subscription = subscriptions.get(some[0]?.subscription_id ?? 0);
    if (subscription === undefined) return [];
    const fresh = some.filter(({ state }) => state !== 'leaving');
    // A shown notification whose message changed is removed first, because it may be in another conversation. So is one that an earlier
    // attempt may have shown there.
    const stale = some.filter(
      ({ state, attempts, hasMoved }) => state !== 'due' || (hasMoved === true && attempts > 1),
    );
    const conversation = some[0]?.conversation ?? '';
    const shown = [...fresh, ...(keptBefore.get(name) ?? [])].toSorted(byMessage);
    // What has moved away stays here until its own push, but this push is not about it.
    const keptHere = (keptBefore.get(name) ?? []).filter(({ hasMoved }) => hasMoved !== true);
    const newest = [...fresh, ...keptHere].toSorted(byMessage).at(-1);
    return [{ subscription, conversation, fresh, stale, shown, newest }];
  });
}

function byMessage(a: Waiting, b: Waiting): number {
  return a.message_id - b.message_id;
}

/** The subscriptions whose sessions have not ended, by id. Index: the primary keys. */
async function subscriptionsOf(
  db: DbTransaction,
  organizationId: number,
  waiting: readonly Waiting[],
): Promise<ReadonlyMap<number, SubscriptionRow>> {
  const { rows } = await sql<SubscriptionRow>`
    SELECT s.id, s.user_id, endpoint, host, public_key, auth_secret, shows_text, ${SILENT_PUSHES} AS silent_pushes
      FROM web_push_subscriptions s
      JOIN sessions ON sessions.organization_id = s.organization_id AND sessions.token_hash = s.session_hash
     WHERE s.organization_id = ${organizationId}
       AND s.user_id = ANY (${[...new Set(waiting.map(({ user_id }) => user_id))]}::integer[])
       AND s.id = ANY (${[...new Set(waiting.map(({ subscription_id }) => subscription_id))]}::bigint[])
       AND ${isAlive}`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * The same notifications in the conversations that their messages are in now. A message can move while its notification is shown or waits.
 * What is to be removed stays where the browser shows it.
 */
async function inTheirConversations(
  db: DbTransaction,
  organizationId: number,
  waiting: readonly Waiting[],
): Promise<readonly Waiting[]> {
  const messageIds = new Set(waiting.filter(({ state }) => state !== 'leaving').map(({ message_id }) => message_id));
  if (messageIds.size === 0) return waiting;
  const { rows } = await sql<{ id: number; conversation: string }>`
    SELECT m.id, ${CONVERSATION} AS conversation FROM messages m
     WHERE m.organization_id = ${organizationId} AND m.id = ANY (${[...messageIds]}::bigint[])`.execute(db);
  const conversations = new Map(rows.map(({ id, conversation }) => [id, conversation]));
  return waiting.map((one) => {
    const conversation = one.state === 'leaving' ? undefined : conversations.get(one.message_id);
    if (conversation === undefined || conversation === one.conversation) return one;
    return { ...one, conversation, hasMoved: true };
  });
}

/**
 * What else browsers show in the conversations of these notifications, and will show afterwards: no more of each than a payload names, the
 * newest. What another process sends now, or what may have arrived before an attempt failed, counts as shown: the last push wins. Index: web_push_notifications_by_conversation.
 */
async function keptBy(
  db: DbTransaction,
  organizationId: number,
  waiting: readonly Waiting[],
): Promise<readonly Waiting[]> {
  if (waiting.length === 0) return [];
  const { rows } = await sql<Waiting>`
    SELECT ${organizationId}::integer AS organization_id, one.*, n.message_id, n.cause, n.group_id, n.state, n.attempts,
           false AS is_last, false AS is_late, n.conversation <> ${CONVERSATION} AS "hasMoved"
      FROM (SELECT DISTINCT user_id, subscription_id, conversation
              FROM unnest(${waiting.map(({ user_id }) => user_id)}::integer[],
                          ${waiting.map(({ subscription_id }) => subscription_id)}::bigint[],
                          ${waiting.map(({ conversation }) => conversation)}::text[])
                     AS one (user_id, subscription_id, conversation)) AS one
     CROSS JOIN LATERAL (
           SELECT * FROM web_push_notifications
            WHERE organization_id = ${organizationId} AND user_id = one.user_id
              AND subscription_id = one.subscription_id AND conversation = one.conversation
              AND (state = 'shown' OR (state = 'due' AND attempts > 0))
              AND message_id <> ALL (SELECT own.message_id
                                       FROM unnest(${waiting.map(({ subscription_id }) => subscription_id)}::bigint[],
                                                   ${waiting.map(({ message_id }) => message_id)}::bigint[])
                                              AS own (subscription_id, message_id)
                                      WHERE own.subscription_id = one.subscription_id)
            ORDER BY message_id DESC LIMIT ${MAX_IDS_PER_PAYLOAD}) AS n
      JOIN messages m ON m.organization_id = ${organizationId} AND m.id = n.message_id`.execute(db);
  return rows;
}

/** The settings of the users, and what their badges count. */
async function settingsAndBadges(
  db: DbTransaction,
  organizationId: number,
  userIds: ReadonlySet<number>,
): Promise<ReadonlyMap<number, { readonly settings: Settings; readonly badge: number | null }>> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'own_settings'])
    .where('organization_id', '=', organizationId)
    .where((where) => where('id', '=', sql<number>`ANY (${[...userIds]}::integer[])`))
    .execute();
  const users = rows.map(({ id: userId, own_settings }) => ({ userId, settings: completeSettings(own_settings) }));
  const badges = new Map<number, number>();
  const begun = performance.now();
  for (let first = 0; first < users.length; first += USERS_PER_COUNT) {
    if (performance.now() - begun > COUNTING_TIME_LIMIT_MS) break;
    const counting = users
      .slice(first, first + USERS_PER_COUNT)
      .map(({ userId, settings }) => ({ userId, counted: settings.desktop_icon_count_display }));
    for (const [userId, count] of await badgeCounts(db, organizationId, counting)) badges.set(userId, count);
  }
  return new Map(users.map(({ userId, settings }) => [userId, { settings, badge: badges.get(userId) ?? null }]));
}
