import { type RawBuilder, sql } from 'kysely';
import type { Directory } from '../directory/directory.ts';
import { contentAccess } from './channels.ts';
import { spectatorChannels, type Viewer } from './spectators.ts';
import { subscribedOnArrival, wasReceived } from './unread-messages.ts';

/** What a viewer may read, for SQL: channels that are fully readable, and channels where only received messages are. */
export interface Reader {
  readonly organizationId: number;
  /** 0 for spectators: no row belongs to this user. */
  readonly userId: number;
  readonly openChannels: readonly number[];
  readonly protectedChannels: readonly number[];
}

/** Cheap enough for each request: one check per channel of the directory. */
export function readerOf(directory: Directory, user: Viewer): Reader {
  if (user === undefined) return spectatorReader(directory);
  const openChannels: number[] = [];
  const protectedChannels: number[] = [];
  for (const channel of directory.channels.values()) {
    const access = contentAccess(directory, user, channel);
    if (access === 'all') openChannels.push(channel.id);
    else if (access === 'received') protectedChannels.push(channel.id);
  }
  return { organizationId: directory.organization.id, userId: user.id, openChannels, protectedChannels };
}

function spectatorReader(directory: Directory): Reader {
  const openChannels = spectatorChannels(directory).map(({ id }) => id);
  return { organizationId: directory.organization.id, userId: 0, openChannels, protectedChannels: [] };
}

/**
 * Whether the reader may read message `m`: the SQL form of `contentAccess`. It requires participation for direct
 * messages and access to the channel for channel messages. With protected history, the reader must have been subscribed
 * when the message was sent or arrived.
 *
 * The lists are unnested because the planner evaluates every element of an array that a column is compared with.
 */
export function mayRead(reader: Reader): RawBuilder<boolean> {
  return sql`(
    (m.conversation_id IS NOT NULL AND EXISTS (
      SELECT FROM direct_participants p
       WHERE p.organization_id = ${reader.organizationId} AND p.user_id = ${reader.userId}
         AND p.conversation_id = m.conversation_id))
    OR m.channel_id IN (SELECT unnest(${reader.openChannels}::int[]))
    OR (m.channel_id IN (SELECT unnest(${reader.protectedChannels}::int[]))
        AND (${wasReceived(reader)} OR ${subscribedOnArrival(reader)}))
  )`;
}
