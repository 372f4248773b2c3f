/** The number on the icon of the app, for notifications. The web app counts the same from its model. */
import { sql } from 'kysely';
import type { DbTransaction } from '../../../db/schema.ts';
import { Policy } from '../../topics/policies.ts';
import { type Marks, type Reader, readUnread, selectMarks } from './queries.ts';

/** The values of the setting `desktop_icon_count_display`. */
const COUNTED = { all: 1, directMentionedFollowed: 2, directMentioned: 3, nothing: 4 } as const;

/** The unread messages that count, as the user's setting says. Null: the user wants no number. */
export async function badgeCount(db: DbTransaction, reader: Reader, counted: number): Promise<number | null> {
  if (counted === COUNTED.nothing) return null;
  const select = selectMarks({
    organizationId: sql`${reader.organizationId}::integer`,
    userId: sql`${reader.userId}::integer`,
  });
  const { rows } = await sql<{ marks: Marks }>`SELECT (${select}) AS marks`.execute(db);
  const marks = rows[0]?.marks;
  if (marks === undefined) return null;
  const { count, groups, mentions } = await readUnread(
    (read) => read(db),
    reader,
    marks,
    () => false,
  );
  if (counted === COUNTED.all) return count;
  const followed = counted === COUNTED.directMentionedFollowed ? await followedBy(db, reader) : new Set<string>();
  const mentioned = new Set(mentions);
  let sum = 0;
  for (const { place, messageIds } of groups) {
    const ids: readonly number[] = JSON.parse(messageIds);
    const countsAll = 'participants' in place || followed.has(`${place.channelId} ${place.topic.toLowerCase()}`);
    sum += countsAll ? ids.length : ids.filter((id) => mentioned.has(id)).length;
  }
  return sum;
}

/** Index: user_topics_by_user. */
async function followedBy(db: DbTransaction, { organizationId, userId }: Reader): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('user_topics')
    .select(['channel_id', 'topic_key'])
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('policy', '=', Policy.followed)
    .execute();
  return new Set(rows.map(({ channel_id, topic_key }) => `${channel_id} ${topic_key}`));
}
