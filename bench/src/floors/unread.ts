import { readFileSync } from 'node:fs';
import pg from 'pg';
import { answer, floorSettings, serveFloor } from './floor-server.ts';

// `unread`: one index finds the messages after the last read ids, with their topics. The floor writes the IDs, because the response must
// contain them. It ignores flags and does not group messages. Then it returns the bytes of a response of Heddle from memory.

export interface UnreadFloorSettings {
  readonly database: pg.PoolConfig;
  readonly answerFile: string;
  readonly channels: number;
  readonly messages: number;
  /** Maximum number of messages, newest first. */
  readonly unread: number;
}

const settings = floorSettings<UnreadFloorSettings>();
const body = readFileSync(settings.answerFile);
const pool = new pg.Pool({ ...settings.database, max: 8 });
await pool.query(`
  DROP TABLE IF EXISTS floor_messages, floor_memberships;
  CREATE TABLE floor_memberships (channel_id integer PRIMARY KEY, read_through bigint NOT NULL);
  CREATE TABLE floor_messages (
    id         bigint PRIMARY KEY,
    channel_id integer NOT NULL,
    topic      text    NOT NULL,
    content    text    NOT NULL
  );
  CREATE INDEX ON floor_messages (channel_id, id) INCLUDE (topic)`);
await pool.query('INSERT INTO floor_memberships SELECT n, $2::bigint FROM generate_series(0, $1::int - 1) n', [
  settings.channels,
  settings.messages - settings.unread,
]);
await pool.query(
  `INSERT INTO floor_messages
   SELECT n, n % $2::int, 'topic ' || (n / ($2 * 10)) % 5, repeat('x', 400) FROM generate_series(1, $1::int) n`,
  [settings.messages, settings.channels],
);
await pool.query('VACUUM ANALYZE');

serveFloor((request, response) => {
  request.resume();
  request.on('end', async () => {
    await pool.query({
      name: 'scan',
      text: `SELECT member.channel_id, found.*
               FROM floor_memberships member, LATERAL (
                      SELECT array_agg(id)::text AS ids, max(topic) AS topic
                        FROM (SELECT id, topic FROM floor_messages
                               WHERE channel_id = member.channel_id AND id > member.read_through
                               ORDER BY id) AS unread
                    ) AS found`,
    });
    answer(response, body);
  });
});
