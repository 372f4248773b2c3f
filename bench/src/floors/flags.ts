import pg from 'pg';
import { answer, floorSettings, readBody, serveFloor } from './floor-server.ts';

// `flags`: no credentials, no permissions and no events. One plain statement durably writes one row per message into a table with the keys
// of Heddle.

export interface FlagsFloorSettings {
  readonly database: pg.PoolConfig;
  /** The highest message ID. */
  readonly messages: number;
  readonly people: number;
}

const settings = floorSettings<FlagsFloorSettings>();
const pool = new pg.Pool({ ...settings.database, max: 8 });
await pool.query(`
  DROP TABLE IF EXISTS floor_flags, floor_messages, floor_users;
  CREATE TABLE floor_users (organization_id integer, id integer, PRIMARY KEY (organization_id, id));
  CREATE TABLE floor_messages (organization_id integer, id bigint, content text, PRIMARY KEY (organization_id, id));
  CREATE TABLE floor_flags (
    organization_id integer,
    user_id         integer,
    message_id      bigint,
    flags           smallint NOT NULL,
    PRIMARY KEY (organization_id, user_id, message_id),
    FOREIGN KEY (organization_id, user_id) REFERENCES floor_users,
    FOREIGN KEY (organization_id, message_id) REFERENCES floor_messages
  );
  CREATE INDEX ON floor_flags (organization_id, message_id)`);
await pool.query('INSERT INTO floor_users SELECT 1, n FROM generate_series(0, $1::int - 1) n', [settings.people]);
await pool.query(`INSERT INTO floor_messages SELECT 1, n, repeat('x', 400) FROM generate_series(1, $1::int) n`, [
  settings.messages,
]);
await pool.query('VACUUM ANALYZE');

const SUCCESS = '{"result":"success","msg":"","messages":';
let requests = 0;

serveFloor(async (request, response) => {
  const body = new URLSearchParams(await readBody(request));
  const messages = body.get('messages') ?? '[]';
  const user = Math.floor(requests++ / 2) % settings.people;
  await pool.query({
    name: 'mark',
    text: `INSERT INTO floor_flags (organization_id, user_id, message_id, flags)
           SELECT 1, $1, unnest($2::bigint[]), $3
               ON CONFLICT (organization_id, user_id, message_id) DO UPDATE SET flags = excluded.flags`,
    values: [user, JSON.parse(messages), body.get('op') === 'add' ? 1 : 2],
  });
  answer(response, `${SUCCESS}${messages},"ignored_because_not_subscribed_channels":[]}`);
});
