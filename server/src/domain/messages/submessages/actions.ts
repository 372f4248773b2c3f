import { badRequest, deactivatedUser } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import { type MessageAudience, messageAudiences } from '../../../access/message-audience.ts';
import { messageRefusal, noSuchMessage, type SeenMessage, seeMessages } from '../../../access/message-door.ts';
import { executePrepared } from '../../../db/prepared.ts';
import type { DbTransaction } from '../../../db/schema.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { GroupedKind, ItemResult, OptimisticChange } from '../../../directory/organization.ts';
import type { UserRecord } from '../../../directory/records.ts';
import { checkContribution } from './contributions.ts';
import type { SubmessageBody } from './events.ts';
import { MAX_SUBMESSAGE_BYTES, MAX_SUBMESSAGES, MAX_SUBMESSAGES_PER_USER } from './limits.ts';
import type { Submessage } from './queries.ts';

export interface NewSubmessage {
  readonly userId: number;
  readonly messageId: number;
  readonly kind: string;
  readonly content: string;
}

/**
 * Attaches submessages to messages and notifies the users who have these. Votes of many users arrive at once, so they
 * share a batch.
 *
 * Errors, all `BAD_REQUEST`:
 * - the user cannot access such a message;
 * - another user than the sender attaches the first submessage;
 * - the content is not JSON, or does not fit the widget;
 * - a bound is exceeded.
 */
export const submessageAdditions: GroupedKind<NewSubmessage, void> = { name: 'submessages', write };

/** What a message already has. */
interface Known {
  count: number;
  bytes: number;
  /** The number per user, for the users of this batch. */
  readonly counts: Map<number, number>;
  /** Whether its sender has attached one. */
  hasOwn: boolean;
  /** The content of the submessage that defines its widget. */
  widget: string | undefined;
}

interface Asked extends NewSubmessage {
  readonly item: NewSubmessage;
  readonly user: UserRecord;
}

async function write(
  { db, directory }: Pick<OptimisticChange, 'db' | 'directory'>,
  items: readonly NewSubmessage[],
): Promise<readonly ItemResult<void>[]> {
  const asked = items.flatMap((item): Asked[] => {
    const user = directory.user(item.userId);
    return user?.isActive ? [{ ...item, item, user }] : [];
  });
  const ids = [...new Set(asked.map(({ messageId }) => messageId))].sort((a, b) => a - b);
  // Sent together. The first statement locks the messages, so the others read their final state.
  const [seen, known, audiences] = await Promise.all([
    seeMessages(db, directory, asked, 'change'),
    knownOf(db, directory, ids, asked),
    messageAudiences(db, directory, ids),
  ]);
  const added: (Submessage & { readonly messageId: number })[] = [];
  const itemResults = new Map<NewSubmessage, ItemResult<void>>();
  for (const [index, one] of asked.entries()) {
    const { messageId } = one;
    const outcome = outcomeOf(directory, one, seen[index], known.get(messageId), audiences.get(messageId));
    itemResults.set(one.item, 'added' in outcome ? outcome.itemResult : outcome);
    if ('added' in outcome) added.push({ ...outcome.added, messageId });
  }
  await insert(db, directory.organization.id, added);
  return items.map((item) => itemResults.get(item) ?? { error: deactivatedUser() });
}

type Outcome = { readonly added: Submessage; readonly itemResult: ItemResult<void> } | { readonly error: unknown };

function outcomeOf(
  directory: Directory,
  { user, messageId, kind, content }: Asked,
  message: SeenMessage | undefined,
  known: Known | undefined,
  audience: MessageAudience | undefined,
): Outcome {
  try {
    if (message === undefined || known === undefined || audience === undefined) throw noSuchMessage();
    const refusal = messageRefusal(directory, user, message, 'react', Date.now() / 1000);
    if (refusal !== undefined) throw refusal;
    const isAuthor = message.senderId === user.id;
    if (!isAuthor && !known.hasOwn) throw badRequest('You cannot attach a submessage to this message.');
    checkContribution(known.widget, content, isAuthor);
    checkRoom(known, user.id, content);
    const added = { place: known.count, senderId: user.id, kind, content };
    known.count += 1;
    known.bytes += Buffer.byteLength(content);
    known.counts.set(user.id, (known.counts.get(user.id) ?? 0) + 1);
    known.hasOwn ||= isAuthor;
    if (kind === 'widget') known.widget ??= content;
    const body: SubmessageBody = { ...added, channelId: message.channelId, others: audience.others };
    const event = { type: 'submessage', audience: audience.audience, body, messageId };
    return { added, itemResult: { result: undefined, events: [event] } };
  } catch (error) {
    return { error };
  }
}

function checkRoom({ count, bytes, counts }: Known, userId: number, content: string): void {
  if (count >= MAX_SUBMESSAGES || bytes + Buffer.byteLength(content) > MAX_SUBMESSAGE_BYTES) {
    throw badRequest('There is no room for more submessages on this message.');
  }
  if ((counts.get(userId) ?? 0) >= MAX_SUBMESSAGES_PER_USER) {
    throw badRequest(`You have attached ${MAX_SUBMESSAGES_PER_USER} submessages to this message already.`);
  }
}

/** Index: the primary key. */
async function knownOf(
  db: DbTransaction,
  directory: Directory,
  messageIds: readonly number[],
  asked: readonly Asked[],
): Promise<ReadonlyMap<number, Known>> {
  const organizationId = directory.organization.id;
  const rows = await executePrepared(
    db,
    'known submessages',
    sql<{
      id: number;
      count: number;
      bytes: number;
      counts: Readonly<Record<string, number>> | null;
      has_own: boolean;
      widget: string | null;
    }>`
    SELECT asked.id, count(one.place) AS count, coalesce(sum(octet_length(one.content)), 0)::bigint AS bytes,
           (SELECT json_object_agg(sender_id, n) FROM (
              SELECT sender_id, count(*) AS n FROM submessages
               WHERE organization_id = ${organizationId} AND message_id = asked.id
                 AND sender_id = ANY (${[...new Set(asked.map(({ user }) => user.id))]}::integer[])
               GROUP BY sender_id) AS by_sender) AS counts,
           coalesce(bool_or(one.sender_id = m.sender_id), false) AS has_own,
           (SELECT content FROM submessages
             WHERE organization_id = ${organizationId} AND message_id = asked.id AND kind = 'widget'
             ORDER BY place LIMIT 1) AS widget
      FROM unnest(${messageIds}::bigint[]) AS asked (id)
      JOIN messages m ON m.organization_id = ${organizationId} AND m.id = asked.id
      LEFT JOIN submessages one ON one.organization_id = ${organizationId} AND one.message_id = asked.id
     GROUP BY asked.id`,
  );
  return new Map(
    rows.map(({ id, count, bytes, counts, has_own: hasOwn, widget }) => {
      const bySender = new Map(Object.entries(counts ?? {}).map(([userId, n]) => [Number(userId), n]));
      return [id, { count, bytes, counts: bySender, hasOwn, widget: widget ?? undefined }];
    }),
  );
}

async function insert(
  db: DbTransaction,
  organizationId: number,
  added: readonly (Submessage & { readonly messageId: number })[],
): Promise<void> {
  if (added.length === 0) return;
  const ids = [...new Set(added.map(({ messageId }) => messageId))];
  await Promise.all([
    db
      .insertInto('submessages')
      .values(
        added.map(({ messageId, place, senderId, kind, content }) => ({
          organization_id: organizationId,
          message_id: messageId,
          place,
          sender_id: senderId,
          kind,
          content,
        })),
      )
      .execute(),
    db
      .updateTable('messages')
      .set({ has_submessages: true })
      .where('organization_id', '=', organizationId)
      .where('id', 'in', ids)
      .where('has_submessages', '=', false)
      .execute(),
  ]);
}

/** Whether the message has submessages; then its text cannot be edited. Index: the primary key. */
export async function hasSubmessages(db: DbTransaction, organizationId: number, messageId: number): Promise<boolean> {
  const row = await db
    .selectFrom('submessages')
    .select('place')
    .where('organization_id', '=', organizationId)
    .where('message_id', '=', messageId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
