import pg from 'pg';
import { answer, floorSettings, readBody, serveFloor } from './floor-server.ts';

// `send`: no credentials, no Markdown and no permissions. Each request durably writes one row through `pg`.

export interface SendFloorSettings {
  readonly database: pg.PoolConfig;
  readonly connections: number;
  /** The parts of a response of Heddle before and after the message ID. */
  readonly answerBefore: string;
  readonly answerAfter: string;
}

const settings = floorSettings<SendFloorSettings>();
const pool = new pg.Pool({ ...settings.database, max: settings.connections });
await pool.query(`
  CREATE TABLE IF NOT EXISTS floor_messages (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    content text        NOT NULL,
    sent_at timestamptz NOT NULL DEFAULT now()
  )`);

serveFloor(async (request, response) => {
  const content = await readBody(request);
  const { rows } = await pool.query<{ id: string }>({
    name: 'insert',
    text: 'INSERT INTO floor_messages (content) VALUES ($1) RETURNING id',
    values: [content],
  });
  answer(response, `${settings.answerBefore}${rows[0]?.id}${settings.answerAfter}`);
});
