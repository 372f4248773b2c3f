import pg from 'pg';
import { floorMessage } from './floor-message.ts';
import { answer, floorSettings, serveFloor } from './floor-server.ts';

// `search`: one query on Heddle's own tables and indexes finds the newest messages of a user with the words. A setting chooses the best plan
// for the frequency of the words. Each message becomes an object with the same number of fields, and then JSON. There is no authentication
// and no highlighting, and the floor does not find messages that are not indexed yet.

export interface SearchFloorSettings {
  readonly database: pg.PoolConfig;
  /** The names of the channels of the user. */
  readonly channels: readonly string[];
  /** `walk` reads messages, newest first, until the page is full. `index` reads all messages with the words. */
  readonly by: 'walk' | 'index';
}

interface FloorRow {
  readonly id: string;
  readonly sender_id: number;
  readonly channel_id: number;
  readonly topic: string;
  readonly rendered_content: string;
  readonly sent_at: string;
}

const settings = floorSettings<SearchFloorSettings>();
const pool = new pg.Pool({ ...settings.database, max: 8 });
const channels = (
  await pool.query<{ id: number }>('SELECT id FROM channels WHERE name = ANY ($1)', [settings.channels])
).rows.map(({ id }) => id);

const [first] = channels;
const inChannels = channels.length === 1 ? 'm.channel_id = $2' : 'm.channel_id IN (SELECT unnest($2::int[]))';
const columns =
  'm.id, m.sender_id, m.channel_id, m.topic, m.rendered_content, extract(epoch FROM m.sent_at)::bigint AS sent_at';

function statement(query: 'plainto_tsquery' | 'phraseto_tsquery'): string {
  const has = `words @@ ${query}('english', $1)`;
  const found =
    settings.by === 'walk'
      ? `messages m, LATERAL (
           SELECT FROM message_words w WHERE w.organization_id = m.organization_id AND w.message_id = m.id AND ${has} OFFSET 0
         ) AS has`
      : `(SELECT message_id FROM message_words WHERE ${has} OFFSET 0) AS has
         JOIN messages m ON m.id = has.message_id`;
  return `SELECT ${columns} FROM ${found} WHERE m.organization_id = 1 AND ${inChannels} ORDER BY m.id DESC LIMIT $3`;
}

serveFloor(async (request, response) => {
  const query = new URLSearchParams(request.url?.split('?')[1]);
  const narrow = JSON.parse(query.get('narrow') ?? '[]') as { operator: string; operand: string }[];
  const sought = narrow.find(({ operator }) => operator === 'search')?.operand ?? '';
  const kind = sought.startsWith('"') ? 'phraseto_tsquery' : 'plainto_tsquery';
  const { rows } = await pool.query<FloorRow>({
    name: kind,
    text: statement(kind),
    values: [sought, channels.length === 1 ? first : channels, query.get('num_before')],
  });
  const messages = rows.toReversed().map((row) => ({
    ...floorMessage({
      id: Number(row.id),
      senderId: row.sender_id,
      content: row.rendered_content,
      timestamp: Number(row.sent_at),
      topic: row.topic,
      channelId: row.channel_id,
      channelName: 'bench 0',
      flags: ['read'],
    }),
    match_content: row.rendered_content,
    match_subject: row.topic,
  }));
  const found = { anchor: 10_000_000_000_000_000, found_newest: true, found_oldest: false, found_anchor: false };
  answer(response, JSON.stringify({ result: 'success', msg: '', ...found, history_limited: false, messages }));
});
