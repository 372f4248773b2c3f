/**
 * Who has a message, and with which flags. Clients replace their flags by those of an event about an edit. Read state
 * is in the database, but events are presented from memory. So the event contains the flags: the state that most users
 * have, and the users who differ.
 *
 * Example: message 100 in a public channel. `readersOf` returns `isUnread` false, `otherwise` [2,3], `notReceived`
 * [4,5], `bits` [[5,4]] and `others` [5] for these users:
 * - Ada (1) is subscribed, and her last read id is 120: read.
 * - Bo (2) and Cleo (3) are subscribed, and their last read ids are 90: unread. Two users have it unread and two read,
 *   so `isUnread` is false, and `otherwise` lists these two.
 * - Dan (4) subscribed after message 110: read and not received.
 * - Eve (5) is not subscribed and has starred it (bit 4): read and not received. The audience includes her because she
 *   has a flag row and can read the channel.
 *
 * `flagFactsOf` then computes the flags of each of them from these lists.
 */
import { sql } from 'kysely';
import { isProtected } from '../../../access/channels.ts';
import { includes } from '../../../access/mass-mentions.ts';
import { channelAudience, mayReadUnsubscribed } from '../../../access/message-audience.ts';
import type { SeenMessage } from '../../../access/message-door.ts';
import { subscribedOnArrival, usersOf, wasReceived } from '../../../access/unread-messages.ts';
import { FlagBit, READING_BITS } from '../../../db/flag-bits.ts';
import { executePrepared } from '../../../db/prepared.ts';
import type { DbTransaction } from '../../../db/schema.ts';
import type { Directory } from '../../../directory/directory.ts';
import { contains } from '../../../directory/lists.ts';
import type { Audience } from '../../../log/event.ts';
import type { FlagFacts } from '../../messages/messages/flags.ts';

/** All lists contain ids of users. */
export interface MessageReaders {
  /** The most common state among the channel's subscribers, or the conversation's participants. */
  readonly isUnread: boolean;
  /** The users with the opposite state. */
  readonly otherwise: readonly number[];
  /** Users who did not receive it, for example because they subscribed later. */
  readonly notReceived: readonly number[];
  /** The bits of flag rows, without those for `read` and `unread`. */
  readonly bits: readonly (readonly [userId: number, bits: number])[];
  /** Users in a mass mention, which has no flag rows. */
  readonly mentioned: readonly number[];
  readonly mentionsChannel: boolean;
  /** Users who are not subscribed, can read the message, and have a flag row or a reaction on it. */
  readonly others: readonly number[];
}

interface Row {
  participants: number[] | null;
  mentions_channel: boolean;
  unread: number[] | null;
  read: number[] | null;
  not_received: number[] | null;
  hidden: number[] | null;
  bits: [userId: number, bits: number][] | null;
  mentioned: number[] | null;
  others: { userId: number; received: boolean; subscribedOnArrival: boolean }[] | null;
}

/**
 * The state as of the transaction. `hidden` are the subscribers who cannot read the message. One statement, whose cost
 * depends on the size of the audience. Indexes: subscriptions_by_channel, message_flags_by_message, the primary keys.
 */
export async function readersOf(
  db: DbTransaction,
  directory: Directory,
  message: Pick<SeenMessage, 'id' | 'channelId'>,
): Promise<{ readonly readers: MessageReaders; readonly audience: Audience; readonly hidden: readonly number[] }> {
  const channel = message.channelId === null ? undefined : directory.channel(message.channelId);
  const [row] = await executePrepared(db, 'readers of a message', statement(directory, message.id));
  if (row === undefined) throw new Error(`message ${message.id} is not there`);
  const { unread, read, others } = row;
  const isUnread = length(unread) > length(read);
  const mayReadWithout =
    channel === undefined
      ? []
      : (others ?? []).filter((other) =>
          mayReadUnsubscribed(directory, channel.id, {
            userId: other.userId,
            received: other.received || other.subscribedOnArrival,
          }),
        );
  const readers: MessageReaders = {
    isUnread,
    otherwise: (isUnread ? read : unread) ?? [],
    notReceived: [...(row.not_received ?? []), ...mayReadWithout.filter((one) => !one.received).map(userIdOf)],
    bits: row.bits ?? [],
    mentioned: row.mentioned ?? [],
    mentionsChannel: row.mentions_channel,
    others: mayReadWithout.map(userIdOf),
  };
  const hidden = channel !== undefined && isProtected(channel) ? (row.hidden ?? []) : [];
  const audience: Audience =
    channel === undefined
      ? { to: 'users', users: row.participants ?? [] }
      : channelAudience(channel.id, readers.others, hidden);
  return { readers, audience, hidden };
}

function statement(directory: Directory, messageId: number) {
  const organizationId = directory.organization.id;
  const other = { organizationId, userId: sql.ref('other.user_id') };
  return sql<Row>`
    WITH ${usersOf(organizationId, messageId)}, other AS MATERIALIZED (
      SELECT user_id FROM (
        SELECT user_id FROM flag
         UNION
        SELECT user_id FROM reactions
         WHERE organization_id = ${organizationId} AND message_id = ${messageId} AND by_outsider
      ) AS had
       WHERE user_id NOT IN (SELECT user_id FROM member)
    )
    SELECT m.mentions_channel,
           (SELECT participants FROM direct_conversations
             WHERE organization_id = ${organizationId} AND id = m.conversation_id) AS participants,
           (SELECT array_agg(user_id ORDER BY user_id) FROM member WHERE is_unread) AS unread,
           (SELECT array_agg(user_id ORDER BY user_id) FROM member WHERE NOT is_unread) AS read,
           (SELECT array_agg(user_id ORDER BY user_id) FROM member WHERE NOT received) AS not_received,
           (SELECT array_agg(user_id ORDER BY user_id) FROM member
             WHERE NOT received AND user_id NOT IN (SELECT user_id FROM arrival)) AS hidden,
           (SELECT json_agg(json_build_array(user_id, flags & ~${READING_BITS}::integer) ORDER BY user_id) FROM flag
             WHERE flags & ~${READING_BITS}::integer <> 0) AS bits,
           (SELECT array_agg(user_id ORDER BY user_id)
              FROM mass_mentions AS mass, (SELECT user_id FROM member UNION ALL SELECT user_id FROM other) AS one
             WHERE mass.organization_id = ${organizationId} AND mass.message_id = ${messageId}
               AND ${includes(sql.ref('one.user_id'))}) AS mentioned,
           (SELECT json_agg(json_build_object('userId', user_id, 'received', ${wasReceived(other)},
                                              'subscribedOnArrival', ${subscribedOnArrival(other)}) ORDER BY user_id)
              FROM other WHERE m.channel_id IS NOT NULL) AS others
      FROM m`;
}

const userIdOf = ({ userId }: { readonly userId: number }) => userId;

function length(list: readonly number[] | null): number {
  return list?.length ?? 0;
}

/** The users whom the message mentions in one of these ways. Mentions of the whole channel do not count. */
export function mentionedNow({ bits, mentioned }: MessageReaders, ways: number): readonly number[] {
  const byRows = bits.filter(([, own]) => (own & ways) !== 0).map(([userId]) => userId);
  return [...byRows, ...mentioned];
}

const bitsByUser = new WeakMap<MessageReaders, ReadonlyMap<number, number>>();

/** The flags of the message for one of the users who have it. */
export function flagFactsOf(readers: MessageReaders, userId: number): FlagFacts {
  let bits = bitsByUser.get(readers);
  if (bits === undefined) {
    bits = new Map(readers.bits);
    bitsByUser.set(readers, bits);
  }
  return {
    bits: (bits.get(userId) ?? 0) | (contains(readers.mentioned, userId) ? FlagBit.mentioned : 0),
    isUnread: readers.isUnread !== contains(readers.otherwise, userId) && !contains(readers.others, userId),
    received: !contains(readers.notReceived, userId),
    mentionsChannel: readers.mentionsChannel,
  };
}
