import pg from 'pg';
import { answer, floorSettings, readBody, serveFloor } from './floor-server.ts';

// `subscribe`: no credentials, no permissions and no events. One INSERT … SELECT writes the memberships in one commit, into a table with the
// keys of Heddle. It writes one row per message.

export interface SubscribeFloorSettings {
  readonly database: pg.PoolConfig;
  /** The highest user ID. */
  readonly people: number;
}

const settings = floorSettings<SubscribeFloorSettings>();
const pool = new pg.Pool({ ...settings.database, max: 8 });
await pool.query(`
  DROP TABLE IF EXISTS floor_subscriptions, floor_channels, floor_users, floor_messages;
  CREATE TABLE floor_users (organization_id integer, id integer, PRIMARY KEY (organization_id, id));
  CREATE TABLE floor_channels (organization_id integer, id integer, PRIMARY KEY (organization_id, id));
  CREATE TABLE floor_subscriptions (
    organization_id integer,
    user_id         integer,
    channel_id      integer,
    is_active       boolean NOT NULL DEFAULT true,
    since_event_id  bigint  NOT NULL,
    read_through    bigint  NOT NULL,
    color           text    NOT NULL,
    PRIMARY KEY (organization_id, user_id, channel_id),
    FOREIGN KEY (organization_id, user_id) REFERENCES floor_users,
    FOREIGN KEY (organization_id, channel_id) REFERENCES floor_channels
  );
  CREATE INDEX ON floor_subscriptions (organization_id, channel_id);
  CREATE TABLE floor_messages (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, content text NOT NULL)`);
await pool.query('INSERT INTO floor_users SELECT 1, n FROM generate_series(1, $1::int) n', [settings.people]);
await pool.query('VACUUM ANALYZE');

const SUCCESS = '{"result":"success","msg":""}';
let channels = 0;

serveFloor(async (request, response) => {
  const form = await readBody(request);
  if (request.url?.endsWith('/messages') === true) {
    await pool.query({ name: 'send', text: 'INSERT INTO floor_messages (content) VALUES ($1)', values: [form] });
  } else {
    const { length } = JSON.parse(new URLSearchParams(form).get('principals') ?? '[]') as number[];
    const text = `
      WITH made AS (INSERT INTO floor_channels VALUES (1, $1))
      INSERT INTO floor_subscriptions (organization_id, user_id, channel_id, since_event_id, read_through, color)
      SELECT organization_id, id, $1, 1, 1, '#76ce90' FROM floor_users WHERE id <= $2`;
    await pool.query({ name: 'subscribe', text, values: [++channels, length] });
  }
  answer(response, SUCCESS);
});
