import { once } from 'node:events';
import { createServer, isIPv6 } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createHeddleServer } from '@heddle/server/app.ts';
import { timeoutOf } from '@heddle/server/config/timeout-factor.ts';
import { addressWarning, type Config } from '@heddle/server/config.ts';
import { ListenError } from '@heddle/server/extension/listen-error.ts';
import { giveMemoryBackWhenIdle } from '@heddle/server/idle-memory.ts';
import { liveUntilStopped, type ProcessLife } from '@heddle/server/lifecycle.ts';
import { mailDirectory } from '@heddle/server/mail/mailer.ts';
import { serveMetrics } from '@heddle/server/monitoring/metrics-server.ts';
import { openApp } from '@heddle/server/open-app.ts';
import { type CommandContext, CommandError } from './command.ts';
import { openDatabase } from './database.ts';
import { checkFirstStart, prepareFirstStart } from './first-start.ts';
import { programWith } from './program.ts';
import { supervisorOf } from './supervisor.ts';

/** The timeout of requests during a stop. The rest of ten seconds is for the database. */
const FINISH_REQUESTS_MS = timeoutOf(4000);

/** The timeout of a stop after the drain, for requests, jobs and the database. */
const STOP_MS = timeoutOf(10_000);

/** Resolves with the exit code after a signal to stop. */
export function serveUntilStopped(context: CommandContext): Promise<number> {
  const { config, log, terminal } = context;
  checkFirstStart(config);
  const supervisor = supervisorOf(terminal.environment, log);
  const stopWithinMilliseconds = config.drainSeconds * 1_000 + STOP_MS;
  return liveUntilStopped({ log, host: terminal.host, stopWithinMilliseconds }, async (life) => {
    await start(life, context);
    life.onStop('the supervisor', () => supervisor.stopping(stopWithinMilliseconds));
    await supervisor.ready();
  });
}

async function start(life: ProcessLife, context: CommandContext): Promise<void> {
  const { config, log, output } = context;
  const { environment } = context.terminal;
  await checkPorts(config);
  const database = await openDatabase(config, log, 'serve');
  life.onStop('the database', () => database.stop());
  life.stopping.throwIfAborted();

  const program = programWith(environment);
  const app = await openApp({ config, log, ...database, purpose: 'serve', program });
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
  const { host } = config;
  const port = await server.listen().catch((error: unknown) => {
    throw cannotListen(config, error, SERVER_ADVICE);
  });
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
  const keepMemory = giveMemoryBackWhenIdle();
  life.onStop('the return of memory', async () => keepMemory());
  // Actions run in reverse order, so this one is the first.
  life.onStop('new requests', async () => {
    server.beginDraining();
    if (config.drainSeconds > 0) await delay(config.drainSeconds * 1_000);
  });
}

/** A first start must fail before it creates anything, because it prints the owner's password only once. */
async function checkPorts({ host, port, metricsHost, metricsPort, mailGateway }: Config): Promise<void> {
  const places: readonly (readonly [Place | null, string])[] = [
    [{ host, port }, SERVER_ADVICE],
    [metricsPort === null ? null : { host: metricsHost, port: metricsPort }, METRICS_ADVICE],
    [mailGateway, GATEWAY_ADVICE],
  ];
  // All are open together, because two of them may be equal.
  await using open = new AsyncDisposableStack();
  for (const [place, advice] of places) {
    if (place !== null) open.use(await listenAt(place, advice));
  }
}

async function listenAt({ host, port }: Place, advice: string): Promise<AsyncDisposable> {
  const server = createServer();
  server.listen(port, host);
  await once(server, 'listening').catch((error: unknown) => {
    throw cannotListen({ host, port }, error, advice);
  });
  return server;
}

type Place = Pick<Config, 'host' | 'port'>;

const SERVER_ADVICE = 'Set HEDDLE_HOST or HEDDLE_PORT.';
const METRICS_ADVICE = 'Set HEDDLE_METRICS_HOST or HEDDLE_METRICS_PORT.';
const GATEWAY_ADVICE = 'Set HEDDLE_MAIL_GATEWAY.';

function cannotListen(place: Place, error: unknown, advice: string): CommandError {
  return inWords(new ListenError(place, advice, error));
}

function inWords({ message, cause }: ListenError): CommandError {
  return new CommandError(message, { cause });
}
