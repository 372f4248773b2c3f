/**
 * A serving process reports itself (`process-reports.ts`): at its start, every half minute, and when a command asks over the bus. So an answer also shows
 * that the process hears the bus.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { timeoutOf } from '../config/timeout-factor.ts';
import type { Config } from '../config.ts';
import { clockDifferenceSeconds } from '../db/clock-difference.ts';
import type { ConnectionSettings } from '../db/connection-settings.ts';
import { backgroundLevel } from '../db/failures.ts';
import { DatabaseTooNewError, LAST_MIGRATION } from '../db/migrate.ts';
import { openPool } from '../db/pool.ts';
import type { OpenApp } from '../open-app.ts';
import { compareSecret, readSecret, SecretError } from '../secret.ts';
import { compareStore, StoreError } from '../storage/store-marker.ts';
import { HEDDLE_VERSION } from '../version.ts';
import { deleteReport, type Place, type ProcessReport, REPORT_INTERVAL_MS, writeReport } from './process-reports.ts';

/** How long the store of files may take to show its marker. */
const STORE_TIMEOUT_MS = timeoutOf(2_000);

type AnnouncedApp = Pick<OpenApp, 'config' | 'background' | 'storage' | 'readiness' | 'bus' | 'log'>;

export class Announcement {
  readonly #app: AnnouncedApp;
  readonly #place: Place;
  readonly #timer: NodeJS.Timeout;
  #startedAt: string | undefined;
  #heard: string | undefined;
  /** Whether something has asked for a report that has not begun yet. */
  #isWanted = false;
  #running: Promise<void> | undefined;

  constructor(app: AnnouncedApp, place: Place) {
    this.#app = app;
    this.#place = place;
    app.bus.onReportAsked((question) => {
      this.#heard = question;
      this.#want();
    });
    this.#timer = setInterval(() => this.#want(), REPORT_INTERVAL_MS);
    this.#timer.unref();
    this.#want();
  }

  /** The process stops: nobody needs to look for it. */
  async stop(): Promise<void> {
    const { background, bus, log } = this.#app;
    clearInterval(this.#timer);
    bus.onReportAsked(() => undefined);
    this.#isWanted = false;
    await this.#running;
    if (this.#startedAt === undefined) return;
    await deleteReport(background, this.#place, this.#startedAt).catch((error: unknown) => {
      log[backgroundLevel(error)]({ err: error }, 'cannot delete the report of this process');
    });
  }

  /** One report at a time. Questions that arrive meanwhile share the next one. */
  #want(): void {
    this.#isWanted = true;
    this.#running ??= this.#reportWhileWanted().finally(() => {
      this.#running = undefined;
    });
  }

  async #reportWhileWanted(): Promise<void> {
    while (this.#isWanted) {
      this.#isWanted = false;
      const facts = { startedAt: this.#startedAt, heard: this.#heard };
      try {
        const report = await reportOf(this.#app);
        this.#startedAt = (await writeReport(this.#app.background, this.#place, report, facts)) ?? this.#startedAt;
      } catch (error) {
        this.#app.log[backgroundLevel(error)]({ err: error }, 'cannot report this process to the others');
      }
    }
  }
}

/**
 * Reports a process that refuses to start, if the reason is that it differs from the others of its database. Changes nothing for other reasons, and never
 * rejects.
 */
export async function reportRefusal(
  connection: ConnectionSettings,
  place: Place,
  { error, log }: { readonly error: unknown; readonly log: Logger },
): Promise<void> {
  const isRefusal = error instanceof SecretError || error instanceof StoreError || error instanceof DatabaseTooNewError;
  if (!isRefusal) return;
  const { db, close } = openPool(connection, log, { size: 1, name: 'heddle refusal' });
  await writeReport(db, place, { version: HEDDLE_VERSION, refusal: error.message })
    // The table is missing if the database is new.
    .catch((failure: unknown) => log.debug({ err: failure }, 'cannot report the refusal'));
  await close();
}

async function reportOf(app: AnnouncedApp): Promise<ProcessReport> {
  const { config, background, readiness, bus } = app;
  const [checks, secret, store, difference] = await Promise.all([
    readiness.report(),
    secretOf(app),
    storeOf(app),
    clockDifferenceSeconds(background),
  ]);
  const failing = Object.entries(checks).flatMap(([name, check]) =>
    check.status === 'ok' ? [] : [[name, check.reason]],
  );
  return {
    version: HEDDLE_VERSION,
    migration: LAST_MIGRATION,
    // Without the servers of NATS, whose URL has a password.
    bus: typeof config.bus === 'string' ? config.bus : 'nats',
    hasNats: bus.hasNats,
    secret,
    store,
    clockDifferenceSeconds: difference,
    failing: Object.fromEntries(failing),
  };
}

/** Of the file, which the next start reads. */
async function secretOf({ config, background }: AnnouncedApp): Promise<ProcessReport['secret']> {
  try {
    return await compareSecret(background, await readSecret(config.dataDirectory));
  } catch (error) {
    if (error instanceof SecretError) return 'invalid';
    throw error;
  }
}

async function storeOf({ background, storage }: AnnouncedApp): Promise<ProcessReport['store']> {
  const over = new AbortController();
  const late = delay(STORE_TIMEOUT_MS, 'unusable' as const, { signal: over.signal }).catch(() => 'unusable' as const);
  const compared = compareStore(background, storage).catch(() => 'unusable' as const);
  const result = await Promise.race([compared, late]);
  over.abort();
  return result;
}

/** Whether processes on other machines can use the database of this one. */
export function hasNeighbours({ bus, databaseUrl }: Pick<Config, 'bus' | 'databaseUrl'>): boolean {
  return bus !== 'local' || databaseUrl !== null;
}
