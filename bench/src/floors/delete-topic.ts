import pg from 'pg';
import { answer, floorSettings, readBody, serveFloor } from './floor-server.ts';

// `delete_topic`: no credentials, no permissions and no events. It deletes the same rows in the same number of commits, from tables with
// the keys and the topic index of Heddle. It writes one row per sent message.

export interface DeleteTopicFloorSettings {
  readonly database: pg.PoolConfig;
  /** Messages per topic. */
  readonly messages: number;
  readonly topics: number;
  readonly markedEvery: number;
}

const BATCH = 500;

const settings = floorSettings<DeleteTopicFloorSettings>();
const pool = new pg.Pool({ ...settings.database, max: 8 });
await pool.query(`
  DROP TABLE IF EXISTS floor_flags, floor_messages, floor_sent;
  CREATE TABLE floor_messages (id bigint PRIMARY KEY, topic text NOT NULL, source text NOT NULL, content text NOT NULL);
  CREATE INDEX ON floor_messages (lower(topic), id);
  CREATE TABLE floor_flags (
    user_id    integer NOT NULL,
    message_id bigint  NOT NULL REFERENCES floor_messages ON DELETE CASCADE,
    flags      integer NOT NULL,
    PRIMARY KEY (user_id, message_id)
  );
  CREATE INDEX ON floor_flags (message_id);
  CREATE TABLE floor_sent (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, content text NOT NULL)`);
await pool.query(
  `INSERT INTO floor_messages
   SELECT n, 'topic ' || n % $2::int, repeat('x', 150), '<p>' || repeat('x', 150) || '</p>'
     FROM generate_series(1, $1::int) n`,
  [settings.messages * settings.topics, settings.topics],
);
await pool.query('INSERT INTO floor_flags SELECT 1, id, 5 FROM floor_messages WHERE id % $1::int = 0', [
  settings.markedEvery,
]);
await pool.query('VACUUM ANALYZE');

const DELETE = {
  name: 'delete',
  text: `DELETE FROM floor_messages
          WHERE id IN (SELECT id FROM floor_messages WHERE lower(topic) = lower($1) ORDER BY id DESC LIMIT $2)`,
};

serveFloor(async (request, response) => {
  const form = await readBody(request);
  if (request.url?.endsWith('/messages') === true) {
    await pool.query({ name: 'send', text: 'INSERT INTO floor_sent (content) VALUES ($1)', values: [form] });
    answer(response, '{"result":"success","msg":"","id":1}');
    return;
  }
  const topic = new URLSearchParams(form).get('topic_name');
  for (let deleted = BATCH; deleted === BATCH; ) {
    deleted = (await pool.query({ ...DELETE, values: [topic, BATCH] })).rowCount ?? 0;
  }
  answer(response, '{"result":"success","msg":"","complete":true}');
});
