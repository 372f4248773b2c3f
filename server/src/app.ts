/** Builds the HTTP server of an open app (`open-app.ts`), and starts the background work of all features. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Endpoint } from '@heddle/api/contract.ts';
import { type ApiError, outcomeUnknown, serviceUnavailable } from '@heddle/api/errors.ts';
import { features } from './all-features.ts';
import { timeoutOf } from './config/timeout-factor.ts';
import { isOutcomeUnknown, isUnavailable, whyNoChanges } from './db/failures.ts';
import { loginLimits } from './domain/credentials/attempt-limits.ts';
import { createAuthenticator } from './domain/credentials/authenticator.ts';
import type { AllFeatures } from './extension/feature.ts';
import { unsupportedState } from './extension/unsupported-state.ts';
import { loginAddress } from './features/authentication/next-path.ts';
import { housekeepingJobs, startClock } from './housekeeping.ts';
import { RETIRE_TIMEOUT_MS } from './http/keep-alive.ts';
import { limitsBy } from './http/limits/limits.ts';
import type { WriteState } from './http/responses/response-pipeline.ts';
import { createHttpServer } from './http/server.ts';
import type { Job } from './jobs/kind.ts';
import { LogTrimmedError } from './log/event-buffer.ts';
import { mailJobs } from './mail/mailer.ts';
import type { OpenApp } from './open-app.ts';
import { pageForError } from './pages/errors.ts';
import { keyFor } from './secret.ts';
import { isStorageFailure } from './storage/storage.ts';
import { SERVER_VERSION } from './version.ts';

export interface HeddleServer {
  /** Resolves with the port once clients can connect. */
  listen(): Promise<number>;
  /**
   * Responds to held polls, finishes running requests, and writes unsaved state. Does not close the services in
   * `app`.
   */
  stop(withinMilliseconds: number): Promise<void>;
  /** Says that the server is not ready, and lets clients move to other processes. It still serves. */
  beginDraining(): void;
  /**
   * Lets clients move to other processes that accept on the same port, without a failed request. It responds to held polls, and serves each
   * open connection until its next response. A connection that its client does not use ends after its idle time. The server stays ready,
   * because the others are.
   */
  retire(): Promise<void>;
}

/** A part that runs in the background. */
interface RunningPart {
  stop(withinMilliseconds: number): Promise<void>;
}

/** The timeout for running work if the start fails. */
const FAILED_START_TIMEOUT_MS = timeoutOf(4000);

export interface ServerOptions {
  /** Receives each response before it is sent. */
  readonly onAnswer?: (endpoint: Endpoint, status: number, body: string | Buffer) => void;
  /**
   * The recurring jobs that this process runs, by the names of their kinds. Default: all. It leaves the others to other processes of the
   * database.
   */
  readonly recurringJobs?: readonly string[];
}

/** Builds the HTTP server and the periodic work. */
export async function createHeddleServer(
  app: OpenApp,
  { onAnswer, recurringJobs }: ServerOptions = {},
): Promise<HeddleServer> {
  const { config, log, address, organizations } = app;
  const stateParts = [...features.flatMap((feature) => feature.state?.(app) ?? []), ...unsupportedState];
  const all = { stateParts, exports: features.flatMap((feature) => feature.exports ?? []) };
  const http = await createHttpServer({
    routes: features.flatMap((feature) => feature.routes?.(app, all) ?? []),
    authenticator: createAuthenticator(app),
    log,
    version: SERVER_VERSION,
    trustProxy: config.trustProxy,
    cookies: { isSecure: config.url?.startsWith('https:') ?? false, csrfKey: keyFor(app.secret, 'forms of pages') },
    errorPage: pageForError,
    loginAddress,
    limits: config.rateLimits ? { ...limitsBy(), ...loginLimits(app.db) } : 'off',
    ...(config.url !== null && { url: config.url }),
    outageOf: (error, write) => {
      if (!isStorageFailure(error, config.dataDirectory)) {
        return databaseOutage(error, write, config.databaseUrl === null);
      }
      log.error({ err: error }, 'the storage of files failed');
      return serviceUnavailable('The storage of files is not available; please try again');
    },
    readiness: app.readiness,
    slowRequestMs: config.slowRequestMilliseconds,
    ...(onAnswer && { onAnswer }),
  });
  const running: RunningPart[] = [http];
  const stop = async (withinMilliseconds: number): Promise<void> => {
    organizations.stopHolding();
    await Promise.all(running.map((part) => part.stop(withinMilliseconds)));
  };
  try {
    await startBackground(app, all, { running, recurringJobs });
    running.push(app.preloading);
    await app.preloading.start();
  } catch (error) {
    await stop(FAILED_START_TIMEOUT_MS);
    throw error;
  }
  const clock = startClock(app);
  const beginDraining = (): void => {
    app.readiness.stop();
    http.beginDraining();
  };
  return {
    beginDraining,
    async listen() {
      const { port } = await http.listen(config.host, config.port);
      address.listensOn(port);
      return port;
    },
    async retire() {
      http.beginDraining();
      const left = http.stopAccepting();
      organizations.stopHolding();
      const over = new AbortController();
      await Promise.race([left, delay(RETIRE_TIMEOUT_MS, undefined, { signal: over.signal }).catch(() => undefined)]);
      over.abort();
    },
    async stop(withinMilliseconds) {
      beginDraining();
      await stop(withinMilliseconds);
      await clock.stop();
    },
  };
}

interface Background {
  /** Receives each part that runs, also if a later part does not start. */
  readonly running: RunningPart[];
  readonly recurringJobs: readonly string[] | undefined;
}

/** Starts the background work of all features. */
async function startBackground(app: OpenApp, all: AllFeatures, { running, recurringJobs }: Background): Promise<void> {
  const { config, jobs, scheduler, consumers } = app;
  const mails = mailJobs(
    config,
    features.flatMap((feature) => feature.mailings?.(app) ?? []),
  );
  const known = [...housekeepingJobs(app), ...mails, ...features.flatMap((feature) => feature.jobs?.(app, all) ?? [])];
  const run = recurringJobs === undefined ? known : withRecurring(recurringJobs, known);
  // Before the jobs: retention keeps the events that these consumers have not read.
  running.push(consumers);
  consumers.start(features.flatMap((feature) => feature.consumers?.(app) ?? []));
  running.push(jobs);
  await jobs.start(run);
  scheduler.start(features.flatMap((feature) => feature.scheduled?.(app) ?? []));
  running.push(scheduler);
  for (const part of features.flatMap((feature) => feature.runs?.(app) ?? [])) {
    running.push(part);
    await part.start();
  }
}

/** All jobs that run once, and the recurring ones with these names. */
function withRecurring(names: readonly string[], jobs: readonly Job[]): readonly Job[] {
  const recurring = new Set(jobs.flatMap(({ kind }) => (kind.everySeconds === undefined ? [] : kind.name)));
  const unknown = names.filter((name) => !recurring.has(name));
  if (unknown.length > 0) throw new Error(`there is no recurring job '${unknown.join("', '")}'`);
  return jobs.filter(({ kind }) => !recurring.has(kind.name) || names.includes(kind.name));
}

const NO_CHANGES = 'It accepts no changes until its operator mends this; reading still works';

/** @param ownsDatabase whether the database is the embedded one */
function databaseOutage(error: unknown, write: WriteState | undefined, ownsDatabase: boolean): ApiError | undefined {
  if (write !== undefined && (isOutcomeUnknown(error) || (write.hasCommitted && isUnavailable(error)))) {
    return outcomeUnknown();
  }
  const reason = whyNoChanges(error, ownsDatabase);
  if (reason === 'full disk') return serviceUnavailable(`The disk of the server is full. ${NO_CHANGES}`);
  if (reason === 'read-only') return serviceUnavailable(`The database is read-only. ${NO_CHANGES}`);
  if (isUnavailable(error)) return serviceUnavailable('The database is not available; please try again');
  // This process was paused for so long that it missed events that the log no longer keeps.
  if (error instanceof LogTrimmedError)
    return serviceUnavailable('The organization is being reloaded; please try again');
  return undefined;
}
