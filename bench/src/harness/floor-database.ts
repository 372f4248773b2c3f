import { startEmbeddedPostgres } from '@heddle/embedded-postgres';
import { pino } from 'pino';
import { filledDirectory, removeScratch } from './scratch.ts';

export interface FloorDatabase {
  readonly connection: { host: string; port: number; user: string; database: string };
  stop(): Promise<void>;
}

/** An embedded PostgreSQL cluster with the settings of Heddle, in a separate directory. */
export async function startFloorDatabase(): Promise<FloorDatabase> {
  const directory = await filledDirectory('floor', async (empty) => (await startCluster(empty)).stop());
  const cluster = await startCluster(directory);
  return {
    connection: cluster.connection,
    async stop() {
      await cluster.stop();
      await removeScratch(directory);
    },
  };
}

function startCluster(dataDirectory: string) {
  return startEmbeddedPostgres({ dataDirectory, log: pino({ level: 'silent' }), purpose: 'serve' });
}
