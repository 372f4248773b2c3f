/** A worker: a whole server, on the database and the port of its primary process. */
import cluster from 'node:cluster';
import { EventEmitter } from 'node:events';
import { readLockRecord } from '@heddle/embedded-postgres/lock.ts';
import { stopPostgresOf } from '@heddle/embedded-postgres/orphan.ts';
import { type HostProcess, liveUntilStopped } from '@heddle/server/lifecycle.ts';
import { metricsOf } from '@heddle/server/monitoring/metrics-server.ts';
import type { CommandContext } from '../commands/command.ts';
import { openDatabase } from '../commands/database.ts';
import { type Serving, serveOn, untilLoaded } from '../commands/serving.ts';
import { STOP_MS } from '../commands/stop-times.ts';
import { ALIVE_INTERVAL_MS, type FromWorker, type Orders, type ToWorker } from './messages.ts';

/** Serves until the primary says that it stops, or retires. Resolves with the exit code. */
export function serveAsWorker(orders: Orders, context: CommandContext): Promise<number> {
  const { config, terminal } = context;
  const log = context.log.child({ worker: orders.number });
  const { embedded } = orders;
  if (embedded !== undefined) stopPostgresAfterPrimary(config.dataDirectory);
  const host = new WorkerHost(terminal.host);
  const stopWithinMilliseconds = config.drainSeconds * 1_000 + STOP_MS;
  tell({ kind: 'alive' });
  setInterval(tell, ALIVE_INTERVAL_MS, { kind: 'alive' }).unref();
  return liveUntilStopped({ log, host, stopWithinMilliseconds }, async (life) => {
    const database = embedded ?? (await openDatabase(config, log, 'serve'));
    const serving = await serveOn(database, life, { ...context, log }, orders);
    obey(serving, host);
    // The first worker listens while it loads. The others begin when it has loaded.
    await untilLoaded(serving.app, life);
    tell({ kind: 'serving' });
    log.info({ pid: process.pid }, 'a worker serves');
  });
}

function tell(message: FromWorker): void {
  // The end of the channel is the end of this process.
  process.send?.(message, () => {});
}

function obey({ app, server, skipDrain }: Serving, host: WorkerHost): void {
  const metrics = metricsOf(app);
  const act = async (message: ToWorker): Promise<void> => {
    if (message.kind === 'read metrics') {
      tell({ kind: 'metrics', id: message.id, values: await metrics.getMetricsAsJSON() });
    } else if (message.kind === 'retire') {
      app.log.info('retiring: another worker has the place');
      await server.retire();
      skipDrain();
      host.stop();
    }
  };
  process.on('message', (message: ToWorker) => {
    act(message).catch((err: unknown) => app.log.error({ err }, `a worker could not ${message.kind}`));
  });
}

/**
 * The process of a worker. The primary says when it stops. Ctrl-C and a closed terminal send their signals to all processes at once, so a worker
 * ignores them.
 */
class WorkerHost extends EventEmitter implements HostProcess {
  readonly #process: HostProcess;
  #isAsked = false;

  constructor(host: HostProcess) {
    super();
    this.#process = host;
    for (const signal of ['SIGINT', 'SIGHUP', 'SIGUSR2']) host.on(signal, () => {});
    host.on('SIGTERM', () => this.stop());
    for (const event of ['uncaughtException', 'unhandledRejection']) {
      host.on(event, (error: unknown) => this.emit(event, error));
    }
    process.on('message', ({ kind }: ToWorker) => {
      if (kind === 'stop') this.stop();
    });
  }

  stop(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.emit('SIGTERM', 'SIGTERM');
  }

  exit(code: number): void {
    this.#process.exit(code);
  }
}

/** If the primary is killed, its port and its supervisor of PostgreSQL are gone. Node.js then ends the worker, and this ends PostgreSQL. */
function stopPostgresAfterPrimary(dataDirectory: string): void {
  const holder = readLockRecord(dataDirectory);
  cluster.worker?.once('disconnect', () => {
    if (holder !== null) stopPostgresOf(dataDirectory, holder);
  });
}
