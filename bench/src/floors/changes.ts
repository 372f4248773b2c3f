import pg from 'pg';
import { answer, floorSettings, readBody, serveFloor } from './floor-server.ts';

// `changes`: no credentials and no log. Each change and each send writes one row, in a separate plain transaction.

export interface ChangesFloorSettings {
  readonly database: pg.PoolConfig;
  readonly connections: number;
}

const settings = floorSettings<ChangesFloorSettings>();
const pool = new pg.Pool({ ...settings.database, max: settings.connections });
await pool.query(`
  CREATE TABLE IF NOT EXISTS floor_messages (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    content text        NOT NULL,
    sent_at timestamptz NOT NULL DEFAULT now()
  )`);
await pool.query(`
  CREATE TABLE IF NOT EXISTS floor_flags (
    user_id    integer  NOT NULL,
    message_id bigint   NOT NULL,
    flags      smallint NOT NULL,
    PRIMARY KEY (user_id, message_id)
  )`);
await pool.query(`
  CREATE TABLE IF NOT EXISTS floor_settings (
    user_id    integer NOT NULL,
    channel_id integer NOT NULL,
    color      text    NOT NULL,
    PRIMARY KEY (user_id, channel_id)
  )`);

const SUCCESS = '{"result":"success","msg":"","id":1}';

serveFloor(async (request, response) => {
  const form = await readBody(request);
  if (request.url?.endsWith('/messages') === true) {
    await pool.query({ name: 'send', text: 'INSERT INTO floor_messages (content) VALUES ($1)', values: [form] });
  } else {
    await change(form);
  }
  answer(response, SUCCESS);
});

async function change(form: string): Promise<void> {
  const fields = new URLSearchParams(form);
  const user = Number(fields.get('floor_user'));
  const data = fields.get('subscription_data');
  if (data !== null) {
    const [setting] = JSON.parse(data) as { stream_id: number; value: string }[];
    const text = `
      INSERT INTO floor_settings VALUES ($1, $2, $3)
      ON CONFLICT (user_id, channel_id) DO UPDATE SET color = excluded.color`;
    await pool.query({ name: 'set', text, values: [user, setting?.stream_id, setting?.value] });
    return;
  }
  const [message] = JSON.parse(fields.get('messages') ?? '[]') as number[];
  const text =
    fields.get('op') === 'add'
      ? 'INSERT INTO floor_flags VALUES ($1, $2, 4) ON CONFLICT DO NOTHING'
      : 'DELETE FROM floor_flags WHERE user_id = $1 AND message_id = $2';
  await pool.query({ name: fields.get('op') ?? '', text, values: [user, message] });
}
