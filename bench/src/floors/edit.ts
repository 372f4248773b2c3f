import pg from 'pg';
import { answer, floorSettings, readBody, serveFloor } from './floor-server.ts';

// `edit`: no credentials, no permissions, no rendering and no events. One plain transaction writes the same rows as an edit in Heddle: the
// message, its previous version, the event and the head of the log.

export interface EditFloorSettings {
  readonly database: pg.PoolConfig;
  readonly connections: number;
  /** The highest message ID. */
  readonly messages: number;
}

const settings = floorSettings<EditFloorSettings>();
const pool = new pg.Pool({ ...settings.database, max: settings.connections });
await pool.query(`
  DROP TABLE IF EXISTS floor_log, floor_events, floor_edits, floor_messages;
  CREATE TABLE floor_log (head bigint NOT NULL);
  INSERT INTO floor_log VALUES (0);
  CREATE TABLE floor_events (id bigint PRIMARY KEY, body text NOT NULL);
  CREATE TABLE floor_messages (id bigint PRIMARY KEY, content text NOT NULL, rendered text NOT NULL, edits integer NOT NULL);
  CREATE TABLE floor_edits (
    message_id bigint NOT NULL REFERENCES floor_messages,
    number     integer NOT NULL,
    content    text NOT NULL,
    rendered   text NOT NULL,
    PRIMARY KEY (message_id, number)
  )`);
await pool.query(
  `INSERT INTO floor_messages SELECT n, repeat('x', 200), repeat('x', 250), 0 FROM generate_series(1, $1::int) n`,
  [settings.messages],
);
await pool.query('VACUUM ANALYZE');

serveFloor(async (request, response) => {
  const content = new URLSearchParams(await readBody(request)).get('content') ?? '';
  const id = Number(/\d+$/.exec(request.url ?? '')?.[0]);
  await edit((id % settings.messages) + 1, content);
  answer(response, '{"result":"success","msg":"","detached_uploads":[]}');
});

async function edit(id: number, content: string): Promise<void> {
  const rendered = `<p>${content}</p>`;
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query({
      name: 'look',
      text: 'SELECT content, rendered, edits FROM floor_messages WHERE id = $1 FOR UPDATE',
      values: [id],
    });
    const [before] = rows as { content: string; rendered: string; edits: number }[];
    if (before === undefined) throw new Error(`there is no message ${id}`);
    await client.query({
      name: 'edit',
      text: 'UPDATE floor_messages SET content = $2, rendered = $3, edits = edits + 1 WHERE id = $1',
      values: [id, content, rendered],
    });
    await client.query({
      name: 'keep',
      text: 'INSERT INTO floor_edits VALUES ($1, $2, $3, $4)',
      values: [id, before.edits + 1, before.content, before.rendered],
    });
    await client.query({
      name: 'announce',
      text: `WITH taken AS (UPDATE floor_log SET head = head + 1 RETURNING head)
             INSERT INTO floor_events SELECT head, $1 FROM taken`,
      values: [JSON.stringify({ id, before, after: { content, rendered } })],
    });
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}
