import pg from 'pg';
import { answer, floorSettings, readBody, serveFloor } from './floor-server.ts';

// `react`: no credentials, no permissions and no events. One plain transaction durably writes the row of the reaction and the row of the
// event, into tables with the keys of Heddle.

export interface ReactFloorSettings {
  readonly database: pg.PoolConfig;
  readonly connections: number;
  readonly people: number;
  /** The highest message ID. */
  readonly messages: number;
}

const settings = floorSettings<ReactFloorSettings>();
const pool = new pg.Pool({ ...settings.database, max: settings.connections });
await pool.query(`
  DROP TABLE IF EXISTS floor_reactions, floor_reaction_events, floor_messages, floor_users;
  CREATE TABLE floor_users (organization_id integer, id integer, PRIMARY KEY (organization_id, id));
  CREATE TABLE floor_messages (organization_id integer, id bigint, content text, PRIMARY KEY (organization_id, id));
  CREATE TABLE floor_reactions (
    organization_id integer,
    message_id      bigint,
    emoji_code      text,
    user_id         integer,
    emoji_name      text NOT NULL,
    PRIMARY KEY (organization_id, message_id, emoji_code, user_id),
    FOREIGN KEY (organization_id, user_id) REFERENCES floor_users,
    FOREIGN KEY (organization_id, message_id) REFERENCES floor_messages
  );
  CREATE TABLE floor_reaction_events (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body text NOT NULL)`);
await pool.query('INSERT INTO floor_users SELECT 1, n FROM generate_series(0, $1::int - 1) n', [settings.people]);
await pool.query(`INSERT INTO floor_messages SELECT 1, n, repeat('x', 200) FROM generate_series(1, $1::int) n`, [
  settings.messages,
]);

const ADD = `
  WITH reaction AS (
    INSERT INTO floor_reactions VALUES (1, $1, $2, $3, $4) ON CONFLICT DO NOTHING
  )
  INSERT INTO floor_reaction_events (body) VALUES ($5)`;
const REMOVE = `
  WITH reaction AS (
    DELETE FROM floor_reactions WHERE organization_id = 1 AND message_id = $1 AND emoji_code = $2 AND user_id = $3
  )
  INSERT INTO floor_reaction_events (body) VALUES ($4)`;

const SUCCESS = '{"result":"success","msg":""}';

serveFloor(async (request, response) => {
  const text = await readBody(request);
  const fields = new URLSearchParams(text);
  const message = /\/messages\/(\d+)\//.exec(request.url ?? '')?.[1];
  const values = [message, fields.get('emoji_code'), fields.get('floor_user')];
  if (request.method === 'POST') {
    await pool.query({ name: 'add', text: ADD, values: [...values, fields.get('emoji_name'), text] });
  } else {
    await pool.query({ name: 'remove', text: REMOVE, values: [...values, text] });
  }
  answer(response, SUCCESS);
});
