import { isIPv6 } from 'node:net';
import { createApp, openRooms } from '../app.ts';
import { addressWarning } from '../config.ts';
import { giveMemoryBackWhenIdle } from '../idle-memory.ts';
import { liveUntilStopped, type ProcessLife } from '../lifecycle.ts';
import { type CommandContext, CommandError } from './command.ts';
import { openDatabase } from './database.ts';
import { checkFirstStart, prepareFirstStart } from './first-start.ts';

/** Requests get this long to finish; what is left of the ten seconds of a stop is the database's. */
const finishRequestsMilliseconds = 4000;

/** Resolves with the exit code when the process was asked to stop. */
export function serveUntilStopped(context: CommandContext): Promise<number> {
  checkFirstStart(context.config);
  return liveUntilStopped({ log: context.log }, (life) => start(life, context));
}

async function start(life: ProcessLife, { config, log, output }: CommandContext): Promise<void> {
  const database = await openDatabase(config, log, 'serve');
  life.onStop('the database', () => database.stop());
  life.stopping.throwIfAborted();

  const rooms = await openRooms({ config, log, ...database, purpose: 'serve' });
  life.onStop('the rooms', () => rooms.close());
  life.stopping.throwIfAborted();

  const created = await prepareFirstStart(rooms);
  // Before listening, which may fail: it is told only this once.
  if (created !== undefined) output.say(created);
  life.stopping.throwIfAborted();

  const app = await createApp(rooms);
  life.onStop('the HTTP server', () => app.stop(finishRequestsMilliseconds));
  const { host } = config;
  const port = await app.listen().catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'EADDRINUSE' ? 'another program does' : error.message;
    throw new CommandError(`Cannot listen on ${host} port ${config.port}: ${reason}. See HEDDLE_HOST and HEDDLE_PORT`);
  });
  const url = `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
  const reachedAt = rooms.address.of('');
  const warning = addressWarning(config, port);
  if (warning !== undefined) log.warn(warning);
  output.say({
    text: `Heddle is listening on ${url}${config.url === null ? '' : ` (for clients: ${reachedAt})`}`,
    json: { listening: url, url: reachedAt },
  });
  giveMemoryBackWhenIdle();
}
