/**
 * The primary process of a server with several workers. It owns the port and the embedded PostgreSQL, starts the workers again, and merges their logs and
 * metrics. It serves no request, so it stays small: nothing here may import the app.
 */
import cluster from 'node:cluster';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { timeoutOf } from '@heddle/server/config/timeout-factor.ts';
import { RETIRE_TIMEOUT_MS } from '@heddle/server/http/keep-alive.ts';
import { giveMemoryBackWhenIdle } from '@heddle/server/idle-memory.ts';
import { liveUntilStopped, type ProcessLife } from '@heddle/server/lifecycle.ts';
import { listenForScrapes } from '@heddle/server/monitoring/metrics-port.ts';
import { type CommandContext, CommandError } from '../commands/command.ts';
import { type OpenDatabase, openDatabase } from '../commands/database.ts';
import { lineWriter } from '../commands/logger.ts';
import { cannotListen, checkPorts, METRICS_ADVICE } from '../commands/ports.ts';
import { MAIN, OPTIONS_OF_NODE } from '../commands/program.ts';
import { FINISH_REQUESTS_MS, STOP_MS } from '../commands/stop-times.ts';
import { supervisorOf } from '../commands/supervisor.ts';
import { connectionsFor, workersWith } from './count.ts';
import { MergedMetrics } from './merged-metrics.ts';
import { Team } from './team.ts';
import { WorkerProcess } from './worker-process.ts';

/** Workers close their connections to the database after their requests. PostgreSQL needs the rest of `STOP_MS`. */
const STOP_WORKERS_MS = FINISH_REQUESTS_MS + timeoutOf(1_500);

/** Resolves with the exit code after a signal to stop. */
export async function serveWithWorkers(wanted: number, context: CommandContext): Promise<number> {
  const { config, log, terminal } = context;
  await checkBeforeDatabase(context);
  const supervisor = supervisorOf(terminal.environment, log);
  const stopWithinMilliseconds = config.drainSeconds * 1_000 + STOP_MS;
  return liveUntilStopped({ log, host: terminal.host, stopWithinMilliseconds }, async (life) => {
    const port = await checkPorts(config);
    const database = await openDatabase(config, log, 'serve', { connections: connectionsFor(wanted) });
    life.onStop('the database', () => database.stop());
    life.stopping.throwIfAborted();
    const metrics = new MergedMetrics();
    const count = allowedCount(wanted, database, context);
    const team = teamOf(count, { database, port, metrics, context });
    life.onStop('the workers', () => team.stop(config.drainSeconds * 1_000 + STOP_WORKERS_MS));
    // They stop side by side with this process, also during the start.
    life.stopping.addEventListener('abort', () => team.beginStop());
    if (!(await team.start())) {
      life.stopping.throwIfAborted();
      throw new CommandError('The server did not start, because its first worker ended.');
    }
    life.stopping.throwIfAborted();
    await serveMergedMetrics(life, team, { metrics, context });
    const keepMemory = giveMemoryBackWhenIdle();
    life.onStop('the return of memory', async () => keepMemory());
    terminal.host.on('SIGUSR2', () => void team.replaceAll());
    life.onStop('the supervisor', () => supervisor.stopping(stopWithinMilliseconds));
    await supervisor.ready();
    log.info({ workers: count }, 'serving with several workers');
  });
}

/** Each worker checks what a first start would create. This is for a start that creates the database before there is a worker. */
async function checkBeforeDatabase({ config }: CommandContext): Promise<void> {
  if (config.databaseUrl !== null || existsSync(join(config.dataDirectory, 'postgres', 'data'))) return;
  const { checkFirstStart } = await import('../commands/first-start.ts');
  checkFirstStart(config);
}

/** A default that an operator has not chosen fits into their database. */
function allowedCount(wanted: number, { maxConnections }: OpenDatabase, { config, log }: CommandContext): number {
  if (maxConnections === undefined || maxConnections >= connectionsFor(wanted)) return wanted;
  const facts = { workers: wanted, needed: connectionsFor(wanted), max_connections: maxConnections };
  if (config.workers !== null) {
    log.warn(facts, 'HEDDLE_WORKERS needs more connections than the database allows: raise its max_connections');
    return wanted;
  }
  const count = Math.min(wanted, workersWith(maxConnections));
  log.info({ ...facts, workers: count }, 'the database allows too few connections for more workers');
  return count;
}

interface TeamParts {
  readonly database: OpenDatabase;
  readonly port: number;
  readonly metrics: MergedMetrics;
  readonly context: CommandContext;
}

function teamOf(count: number, { database, port, metrics, context }: TeamParts): Team {
  const { config, log, output, terminal } = context;
  cluster.schedulingPolicy = cluster.SCHED_RR;
  cluster.setupPrimary({
    exec: MAIN,
    args: ['serve', ...(output.format === 'json' ? ['--json'] : [])],
    execArgv: OPTIONS_OF_NODE,
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  // They override those of this process. Empty variables count as unset.
  const settings = {
    HEDDLE_PORT: String(port),
    ...(config.bus === 'local' && { HEDDLE_BUS: 'postgres' }),
    HEDDLE_LOG_FORMAT: 'json',
    HEDDLE_METRICS_HOST: '',
    HEDDLE_METRICS_PORT: '',
  };
  const write = lineWriter(config, terminal.err);
  const { connection, clusterDirectory } = database;
  const embedded = clusterDirectory === undefined ? {} : { embedded: { connection, clusterDirectory } };
  return new Team({
    count,
    log,
    retireWithinMilliseconds: RETIRE_TIMEOUT_MS + STOP_MS + timeoutOf(5_000),
    begin: (number, isFirst) => new WorkerProcess({ number, isFirst, ...embedded }, settings, write),
    onEnd: (worker) => metrics.ended(worker),
  });
}

async function serveMergedMetrics(
  life: ProcessLife,
  team: Team,
  { metrics, context: { config, log } }: Pick<TeamParts, 'metrics' | 'context'>,
): Promise<void> {
  const read = () => metrics.text(team.serving);
  const port = await listenForScrapes({ config, log, read }).catch((error: unknown) => {
    throw cannotListen({ host: config.metricsHost, port: config.metricsPort ?? 0 }, error, METRICS_ADVICE);
  });
  if (port === undefined) return;
  life.onStop('the metrics', () => port.stop());
  log.info({ host: config.metricsHost, port: port.port }, 'serving metrics');
}
