/** The database: its version, its tables, its connections, its size, and its clock. */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '@heddle/server/config.ts';
import { clockDifferenceSeconds, MAX_CLOCK_DIFFERENCE_SECONDS } from '@heddle/server/db/clock-difference.ts';
import { appliedMigrations, knowsMigration, missingMigrations } from '@heddle/server/db/migrate.ts';
import type { Db } from '@heddle/server/db/schema.ts';
import { COMMIT_TIMEOUT_MS } from '@heddle/server/db/timeouts.ts';
import { failedJobs, retriedJobs } from '@heddle/server/jobs/failed.ts';
import { compareSecret, readSecret, SecretError } from '@heddle/server/secret.ts';
import { openStorage } from '@heddle/server/storage/open.ts';
import { compareStore, STORE_ADVICE } from '@heddle/server/storage/store-marker.ts';
import { sql } from 'kysely';
import { adviceOn, type DoctorCheck, failed, ok, reasonOf, skipped, warning } from './check.ts';
import { diskOf, fullDiskAdvice, isAbsent, sizeOf } from './files.ts';

/** What one server process opens at most; `docs/settings.md` says so too. */
const CONNECTIONS_PER_PROCESS = 22;

export const CLOCK_ADVICE = 'Synchronize the clocks of both machines, for example with chrony or systemd-timesyncd.';

type Run = DoctorCheck['run'];
type WithDatabase = (run: (db: Db) => ReturnType<Run>) => Run;

/**
 * Runs checks with the database. If it cannot be used, they are skipped: the first of `databaseChecks` says why.
 * @param connect its error says why that is not possible
 */
export function withDatabaseOf(connect: () => Promise<Db>, config: Config): WithDatabase {
  return (run) => async () => {
    const db = await openExisting(connect, config).catch(() => undefined);
    return db === undefined ? skipped('the database cannot be used, see above') : run(db);
  };
}

async function openExisting(connect: () => Promise<Db>, config: Config): Promise<Db> {
  if (await isMissing(config)) throw new Error('there is no database');
  return await connect();
}

/** To open the embedded PostgreSQL would create its cluster. */
async function isMissing({ databaseUrl, dataDirectory }: Config): Promise<boolean> {
  return databaseUrl === null && (await isAbsent(join(dataDirectory, 'postgres', 'data')));
}

/** @param connect its error says why that is not possible */
export function databaseChecks(connect: () => Promise<Db>, config: Config): readonly DoctorCheck[] {
  const isEmbedded = config.databaseUrl === null;
  const first = async () => {
    if (await isMissing(config)) return skipped(`${config.dataDirectory} has no database: the first start creates it`);
    try {
      return await checkServer(await connect(), isEmbedded ? await embeddedAdvice(config) : READ_ONLY_ADVICE);
    } catch (error) {
      const reason = reasonOf(error);
      return failed(reason, isEmbedded ? await embeddedAdvice(config) : adviceOn(reason, ADVICE, OTHER_ADVICE));
    }
  };
  const withDatabase = withDatabaseOf(connect, config);
  return [
    { name: 'database', run: first, ...(isEmbedded && { lateAdvice: () => embeddedAdvice(config) }) },
    { name: 'migrations', run: withDatabase(checkMigrations) },
    { name: 'secret', run: () => checkSecret(withDatabase, config.dataDirectory) },
    ...(config.bus !== 'local' ? [{ name: 'store', run: withDatabase((db) => checkStore(db, config)) }] : []),
    { name: 'clock', run: withDatabase(checkClock) },
    { name: 'jobs', run: withDatabase(checkJobs) },
    // Last: if no standby confirms, its connection waits for ever.
    { name: 'standbys', run: withDatabase(checkStandbys) },
  ];
}

/** A full disk is the usual reason. */
async function embeddedAdvice({ dataDirectory }: Config): Promise<string> {
  const disk = await diskOf(dataDirectory);
  return disk.refusesChanges ? fullDiskAdvice(disk) : 'Look into postgres/postgres.log in the data directory.';
}

const READ_ONLY_ADVICE = 'Connect to the primary, or free its disk.';
const OTHER_ADVICE = 'Check HEDDLE_DATABASE_URL, and that PostgreSQL runs and lets this machine in.';
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/is a standby/, READ_ONLY_ADVICE],
  [/a pooler/, 'Name PostgreSQL itself in HEDDLE_DATABASE_URL, or set pool_mode = session in the pooler.'],
  [/authentication failed/, 'Correct the user and the password in HEDDLE_DATABASE_URL.'],
  [
    /pg_hba\.conf/,
    'Add a line for this machine, the user and the database to pg_hba.conf of PostgreSQL, and reload it.',
  ],
  [
    /database .* does not exist/,
    'Create it with createdb --encoding=UTF8, or correct the name in HEDDLE_DATABASE_URL.',
  ],
  [
    /too many (?:clients|connections)|connection slots/,
    `End other programs that use PostgreSQL, or raise max_connections: ${CONNECTIONS_PER_PROCESS} per process of Heddle, and some more.`,
  ],
  [/nothing listens/, 'Start PostgreSQL, or correct the host and the port in HEDDLE_DATABASE_URL.'],
  [/name server/, 'Correct the host in HEDDLE_DATABASE_URL, or the name server of this machine (/etc/resolv.conf).'],
  [/cannot be reached|timeout/i, 'Check the host in HEDDLE_DATABASE_URL, its firewall, and that the machine runs.'],
];

/** @param readOnlyAdvice what to do if it accepts no changes */
async function checkServer(db: Db, readOnlyAdvice: string) {
  const { rows } = await sql<{ version: string; size: number; most: number; used: number; readonly: boolean }>`
    SELECT current_setting('server_version') AS version,
           pg_database_size(current_database())::float8 AS size,
           current_setting('max_connections')::int AS most,
           (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')::int AS used,
           current_setting('transaction_read_only') = 'on' AS readonly`.execute(db);
  const [row] = rows;
  if (row === undefined) return failed('the database sent no row', 'Look into the log of PostgreSQL.');
  const { version, size, most, used } = row;
  const message = `PostgreSQL ${version}, ${sizeOf(size)}, ${used} of ${most} connections in use`;
  if (row.readonly) return failed(`${message}, but it accepts no writes`, readOnlyAdvice);
  if (most < CONNECTIONS_PER_PROCESS + 8) {
    return warning(
      message,
      `Set max_connections of PostgreSQL to ${CONNECTIONS_PER_PROCESS} per process of Heddle, and some more.`,
    );
  }
  return ok(message);
}

async function checkMigrations(db: Db) {
  const applied = await appliedMigrations(db);
  const unknown = applied.filter((name) => !knowsMigration(name));
  if (unknown.length > 0) {
    return failed(
      `a newer version of Heddle has changed the tables (${unknown[0]})`,
      'Install that version or a newer one.',
    );
  }
  const missing = await missingMigrations(db);
  if (missing.length === 0) return ok(`all ${applied.length} migrations have run`);
  const advice = 'Start the server, or run heddle migrate. Both run them.';
  return warning(`${missing.length} migrations have not run, the first is ${missing[0]}`, advice);
}

/** Several processes must have one store of files. */
async function checkStore(db: Db, config: Config) {
  if (!(await hasFacts(db))) return skipped('the first start creates it');
  const result = await compareStore(db, openStorage(config).storage);
  if (result === 'new') return skipped('no server was started with another HEDDLE_BUS than local yet');
  if (result === 'equal') return ok('this process has the store of files that the database knows');
  return failed('the other processes of the database have another store of files', STORE_ADVICE);
}

export const SECRET_ADVICE = 'Restore the file from a backup of this server, or copy it from another process of it.';

/** The server checks the file before the database, and so does this. */
async function checkSecret(withDatabase: WithDatabase, dataDirectory: string) {
  try {
    const secret = await readSecret(dataDirectory);
    return await withDatabase((db) => checkKnownSecret(db, secret, dataDirectory))();
  } catch (error) {
    if (error instanceof SecretError) return failed(error.message, SECRET_ADVICE);
    throw error;
  }
}

async function checkKnownSecret(db: Db, secret: Buffer | undefined, dataDirectory: string) {
  const result = (await hasFacts(db)) ? await compareSecret(db, secret) : 'new';
  if (result === 'new') return skipped('the first start creates it');
  if (result === 'equal') return ok('the database was used with it');
  if (result === 'missing')
    return failed(`${dataDirectory} has no file secret, which the database needs`, SECRET_ADVICE);
  return failed(`the database was used with another secret than that in ${dataDirectory}`, SECRET_ADVICE);
}

async function hasFacts(db: Db): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`SELECT to_regclass('server_facts') IS NOT NULL AS exists`.execute(db);
  return rows[0]?.exists === true;
}

/** One or two failures in a row can come from a service that was not available. */
const MIN_REPORTED_ATTEMPTS = 3;
/** How many jobs of each sort the message names. */
const MAX_NAMED_JOBS = 3;

/** Recurring jobs, for example the deletion of expired messages, are retried for ever. */
async function checkJobs(db: Db) {
  const { rows } = await sql<{ exists: boolean }>`SELECT to_regclass('jobs') IS NOT NULL AS exists`.execute(db);
  if (rows[0]?.exists !== true) return skipped('the first start creates the table');
  const [retried, given] = [
    await retriedJobs(db, MIN_REPORTED_ATTEMPTS, MAX_NAMED_JOBS),
    await failedJobs(db, MAX_NAMED_JOBS),
  ];
  const problems = [
    ...retried.map(({ kind, attempts, reason }) => `${kind} failed ${attempts} times and is retried: ${reason}`),
    ...given.map(({ id, kind, reason }) => `${kind} (${id}) failed: ${reason}`),
  ];
  if (problems.length === 0) return ok('no job fails');
  return warning(
    problems.join('; '),
    'Remove the reason. “heddle job failed” lists jobs that are not retried any more.',
  );
}

const STANDBYS_ADVICE =
  'Start a standby that synchronous_standby_names names, and see why it does not follow. To go on without it, remove it from ' +
  'that setting of PostgreSQL, and reload. ANY 1 (b, c) needs one of two standbys.';

/** Whether a commit is confirmed. PostgreSQL lets it wait for ever for a synchronous standby, and no timeout counts. */
async function checkStandbys(db: Db) {
  const { rows } = await sql<{ names: string; readonly: boolean }>`
    SELECT current_setting('synchronous_standby_names') AS names,
           current_setting('transaction_read_only') = 'on' AS readonly`.execute(db);
  const { names = '', readonly = false } = rows[0] ?? {};
  if (names === '') return ok('no commit waits for a standby');
  if (readonly) return skipped('the database accepts no writes, see above');
  const confirmed = sql`SELECT pg_logical_emit_message(true, 'heddle', '')`.execute(db).then(() => true);
  // The connection is closed with the others. It may never get a response.
  confirmed.catch(() => undefined);
  const over = new AbortController();
  const isLate = delay(COMMIT_TIMEOUT_MS, false, { signal: over.signal }).catch(() => false);
  const isConfirmed = await Promise.race([confirmed, isLate]);
  over.abort();
  if (isConfirmed) return ok(`a synchronous standby confirms commits (${names})`);
  return failed(`no synchronous standby confirms commits (synchronous_standby_names = ${names})`, STANDBYS_ADVICE);
}

async function checkClock(db: Db) {
  const difference = Math.abs(await clockDifferenceSeconds(db));
  const message = `the clocks of this machine and the database differ by ${difference.toFixed(1)} s`;
  return difference <= MAX_CLOCK_DIFFERENCE_SECONDS ? ok(message) : failed(message, CLOCK_ADVICE);
}
