import { isIPv6 } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createHeddleServer, type HeddleServer } from '@heddle/server/app.ts';
import { addressWarning } from '@heddle/server/config.ts';
import { ListenError } from '@heddle/server/extension/listen-error.ts';
import { giveMemoryBackWhenIdle } from '@heddle/server/idle-memory.ts';
import { liveUntilStopped, type ProcessLife } from '@heddle/server/lifecycle.ts';
import { mailDirectory } from '@heddle/server/mail/mailer.ts';
import { Announcement, hasNeighbours, reportRefusal } from '@heddle/server/monitoring/announcing.ts';
import { serveMetrics } from '@heddle/server/monitoring/metrics-server.ts';
import { placeOf } from '@heddle/server/monitoring/process-reports.ts';
import { type OpenApp, openApp } from '@heddle/server/open-app.ts';
import type { CommandContext } from './command.ts';
import { type OpenDatabase, openDatabase } from './database.ts';
import { checkFirstStart, prepareFirstStart } from './first-start.ts';
import { cannotListen, checkPorts, inWords, METRICS_ADVICE, SERVER_ADVICE } from './ports.ts';
import { programWith } from './program.ts';
import { FINISH_REQUESTS_MS, STOP_MS } from './stop-times.ts';
import { supervisorOf } from './supervisor.ts';

/** Serves in this process. Resolves with the exit code after a signal to stop. */
export function serveUntilStopped(context: CommandContext): Promise<number> {
  const { config, log, terminal } = context;
  checkFirstStart(config);
  const supervisor = supervisorOf(terminal.environment, log);
  const stopWithinMilliseconds = config.drainSeconds * 1_000 + STOP_MS;
  terminal.host.on('SIGUSR2', () => log.warn('a server of one process cannot replace it: restart the server'));
  return liveUntilStopped({ log, host: terminal.host, stopWithinMilliseconds }, async (life) => {
    await checkPorts(config);
    const database = await openDatabase(config, log, 'serve');
    life.onStop('the database', () => database.stop());
    life.stopping.throwIfAborted();
    await serveOn(database, life, context);
    life.onStop('the supervisor', () => supervisor.stopping(stopWithinMilliseconds));
    await supervisor.ready();
  });
}

export interface Serving {
  readonly app: OpenApp;
  readonly server: HeddleServer;
  /** The process already let its clients move, so its stop waits for none. */
  skipDrain(): void;
}

/** What a worker is among the workers of its server. */
interface Worker {
  readonly number: number;
  /** Whether it prints where the server listens. Of several workers, one does. */
  readonly isFirst: boolean;
}

/**
 * Serves on an open database.
 * @param worker undefined: the server has one process
 */
export async function serveOn(
  database: Omit<OpenDatabase, 'stop'>,
  life: ProcessLife,
  { config, log, output, terminal }: CommandContext,
  worker?: Worker,
): Promise<Serving> {
  const program = programWith(terminal.environment);
  const isAnnounced = hasNeighbours(config);
  const app = await openApp({ config, log, ...database, purpose: 'serve', program }).catch(async (error: unknown) => {
    const place = placeOf(config, config.port, worker?.number);
    if (isAnnounced) await reportRefusal(database.connection, place, { error, log });
    throw error;
  });
  life.onStop('the connections', () => app.close());
  life.stopping.throwIfAborted();

  const created = await prepareFirstStart(app);
  // The password is printed only now, so this comes before `listen`, which may fail.
  if (created !== undefined) output.print(created);
  life.stopping.throwIfAborted();

  const server = await createHeddleServer(app).catch((error: unknown) => {
    throw error instanceof ListenError ? inWords(error) : error;
  });
  life.onStop('the HTTP server', () => server.stop(FINISH_REQUESTS_MS));
  const metrics = await serveMetrics(app).catch((error: unknown) => {
    throw cannotListen({ host: config.metricsHost, port: config.metricsPort ?? 0 }, error, METRICS_ADVICE);
  });
  if (metrics !== undefined) {
    life.onStop('the metrics', () => metrics.stop());
    log.info({ host: config.metricsHost, port: metrics.port }, 'serving metrics');
  }
  // The other workers serve meanwhile. A probe of readiness that it got would speak for all of them.
  if (worker?.isFirst === false) await untilLoaded(app, life);
  const port = await server.listen().catch((error: unknown) => {
    throw cannotListen(config, error, SERVER_ADVICE);
  });
  if (worker?.isFirst !== false) announce(app, port, { log, output });
  if (isAnnounced) {
    const announcement = new Announcement(app, placeOf(config, port, worker?.number));
    life.onStop('the reports of this process', () => announcement.stop());
  }
  const keepMemory = giveMemoryBackWhenIdle(() => void app.renewConnections());
  life.onStop('the return of memory', async () => keepMemory());
  let drainMs = config.drainSeconds * 1_000;
  // Actions run in reverse order, so this one is the first.
  life.onStop('new requests', async () => {
    server.beginDraining();
    if (drainMs > 0) await delay(drainMs);
  });
  const skipDrain = (): void => {
    drainMs = 0;
  };
  return { app, server, skipDrain };
}

/**
 * Waits until large organizations are loaded. A stop of the process ends the load.
 * @throws the reason of the stop
 */
export async function untilLoaded({ preloading }: OpenApp, { stopping }: ProcessLife): Promise<void> {
  stopping.throwIfAborted();
  stopping.addEventListener('abort', () => preloading.stop(), { once: true });
  await preloading.ended();
  stopping.throwIfAborted();
}

function announce(app: OpenApp, port: number, { log, output }: Pick<CommandContext, 'log' | 'output'>): void {
  const { config } = app;
  const { host } = config;
  const url = `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
  const reachedAt = app.address.of('');
  const warning = addressWarning(config, port);
  if (warning !== undefined) log.warn(warning);
  if (config.smtpUrl === null) {
    log.info({ directory: mailDirectory(config) }, 'HEDDLE_SMTP_URL is not set: each mail is written to a file');
  }
  output.print({
    text: `Heddle is listening on ${url}${config.url === null ? '' : ` (for clients: ${reachedAt})`}`,
    json: { listening: url, url: reachedAt },
  });
}
