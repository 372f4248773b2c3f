import { pino } from 'pino';
import { startEmbeddedPostgres } from '../index.ts';

/**
 * A process that runs or joins a cluster, for tests that kill one: `hold.ts <data directory> serve|command`. Prints the
 * connection as a line of JSON when ready, and stops when its input ends.
 */
const [dataDirectory = '', purpose] = process.argv.slice(2);
const embedded = await startEmbeddedPostgres({
  dataDirectory,
  log: pino({ level: 'silent' }),
  purpose: purpose === 'serve' ? 'serve' : 'command',
});
process.stdout.write(`${JSON.stringify(embedded.connection)}\n`);
process.stdin.resume();
process.stdin.on('end', () => void embedded.stop().then(() => process.exit(0)));
