import { type RawBuilder, sql } from 'kysely';
import type { Directory } from '../directory/directory.ts';
import { contentAccess } from './channels.ts';
import { spectatorChannels, type Viewer } from './spectators.ts';
import { sawArrive, wasReceived } from './unread-messages.ts';

/** What somebody may read, for SQL: channels whose whole history is open to them, and those where only what they received is. */
export interface Reader {
  readonly organizationId: number;
  /** 0 for spectators: nothing is theirs. */
  readonly userId: number;
  readonly openChannels: readonly number[];
  readonly protectedChannels: readonly number[];
}

/** Cheap enough for each request: one look at each channel that the directory holds. */
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
 * Whether the reader may read message `m`: the SQL form of `contentAccess` (design, "Read state"). Direct messages by taking part,
 * channel messages by the channel, protected history by having been subscribed when the message was sent or came there. (The lists are
 * unnested because the planner weighs every element of an array that a column is compared with.)
 */
export function mayRead(reader: Reader): RawBuilder<boolean> {
  return sql`(
    (m.conversation_id IS NOT NULL AND EXISTS (
      SELECT FROM direct_participants p
       WHERE p.organization_id = ${reader.organizationId} AND p.user_id = ${reader.userId}
         AND p.conversation_id = m.conversation_id))
    OR m.channel_id IN (SELECT unnest(${reader.openChannels}::int[]))
    OR (m.channel_id IN (SELECT unnest(${reader.protectedChannels}::int[]))
        AND (${wasReceived(reader)} OR ${sawArrive(reader)}))
  )`;
}
