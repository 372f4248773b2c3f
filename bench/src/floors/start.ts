import { startEmbeddedPostgres } from '@heddle/embedded-postgres';
import { pino } from 'pino';
import { answer, floorSettings, serveFloor } from './floor-server.ts';

// `start`: the same embedded database, and a server that responds when the database is ready.

export interface StartFloorSettings {
  readonly dataDirectory: string;
}

const { dataDirectory } = floorSettings<StartFloorSettings>();
const cluster = await startEmbeddedPostgres({ dataDirectory, log: pino({ level: 'silent' }), purpose: 'serve' });

serveFloor(
  (_, response) => answer(response, '{"result":"success","msg":""}'),
  () => cluster.stop(),
);
