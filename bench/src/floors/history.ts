import pg from 'pg';
import { floorMessage } from './floor-message.ts';
import { answer, floorSettings, serveFloor } from './floor-server.ts';

// `history`: one query along one index fetches the same number of messages around an anchor, with the flags of the reader. Each becomes an
// object with the same number of fields, and then JSON. There is no authentication and no access check.

export interface HistoryFloorSettings {
  readonly database: pg.PoolConfig;
  readonly messages: number;
  readonly topics: number;
  readonly markedEvery: number;
  readonly each: number;
}

interface FloorRow {
  readonly id: number;
  readonly sender_id: number;
  readonly topic: string;
  readonly content: string;
  readonly sent_at: number;
  readonly flags: number | null;
}

const settings = floorSettings<HistoryFloorSettings>();
const pool = new pg.Pool({ ...settings.database, max: 8 });
await pool.query(`
  DROP TABLE IF EXISTS floor_messages, floor_flags;
  CREATE TABLE floor_messages (
    id         bigint PRIMARY KEY,
    sender_id  integer NOT NULL,
    channel_id integer NOT NULL,
    topic      text    NOT NULL,
    source     text    NOT NULL,
    content    text    NOT NULL,
    sent_at    bigint  NOT NULL
  );
  CREATE INDEX ON floor_messages (channel_id, topic, id);
  CREATE TABLE floor_flags (message_id bigint PRIMARY KEY, flags integer NOT NULL)`);
await pool.query(
  `INSERT INTO floor_messages
   SELECT n, 7, 1, 'topic ' || (n / 10) % $2::int, repeat('x', 150), '<p>' || repeat('x', 150) || '</p>', 1763700000
   FROM generate_series(1, $1::int) n`,
  [settings.messages, settings.topics],
);
await pool.query('INSERT INTO floor_flags SELECT id, 5 FROM floor_messages WHERE id % $1::int = 0', [
  settings.markedEvery,
]);
await pool.query('VACUUM ANALYZE');

serveFloor(async (request, response) => {
  const query = new URLSearchParams(request.url?.split('?')[1]);
  const [channel, topic] = JSON.parse(query.get('narrow') ?? '[]') as { operand: string }[];
  const { rows } = await pool.query<FloorRow>({
    name: 'around',
    text: `SELECT m.id, m.sender_id, m.topic, m.content, m.sent_at, f.flags
             FROM ((SELECT * FROM floor_messages WHERE channel_id = 1 AND topic = $1 AND id < $2 ORDER BY id DESC LIMIT $3)
                   UNION ALL
                   (SELECT * FROM floor_messages WHERE channel_id = 1 AND topic = $1 AND id >= $2 ORDER BY id LIMIT $3 + 1)
                  ) AS m
             LEFT JOIN floor_flags f ON f.message_id = m.id
            ORDER BY m.id`,
    values: [topic?.operand, query.get('anchor'), settings.each],
  });
  const messages = rows.map((row) =>
    floorMessage({
      id: Number(row.id),
      senderId: row.sender_id,
      content: row.content,
      timestamp: Number(row.sent_at),
      topic: row.topic,
      channelId: 1,
      channelName: channel?.operand,
      flags: row.flags === null ? ['read'] : ['read', 'starred'],
    }),
  );
  const found = { anchor: Number(query.get('anchor')), found_newest: false, found_oldest: false, found_anchor: true };
  answer(response, JSON.stringify({ result: 'success', msg: '', ...found, history_limited: false, messages }));
});
