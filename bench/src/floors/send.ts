import pg from 'pg';
import { answer, floorSettings, readBody, serveFloor } from './floor-server.ts';

// `send`: no credentials, no Markdown, no permissions; one row, durably, through `pg`, for each request.

export interface SendFloorSettings {
  readonly database: pg.PoolConfig;
  readonly connections: number;
  /** Heddle's answer around the message's id. */
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
