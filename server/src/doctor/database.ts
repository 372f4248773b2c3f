/** The database: its version, its tables, its connections, its size, and its clock. */
import { sql } from 'kysely';
import { appliedMigrations, knowsMigration, missingMigrations } from '../db/migrate.ts';
import type { Db } from '../db/schema.ts';
import { type DoctorCheck, failed, ok, reasonOf, warning } from './check.ts';
import { sizeOf } from './files.ts';

/** What one server process opens at most; `docs/settings.md` says so too. */
const CONNECTIONS_PER_PROCESS = 22;
/** The clocks of two machines may differ by this much, in seconds. */
const MAX_CLOCK_DIFFERENCE = 2;

/** @param open connects; its error says why that is not possible */
export function databaseChecks(open: () => Promise<Db>, isEmbedded: boolean): readonly DoctorCheck[] {
  const advice = isEmbedded
    ? 'Look into postgres/postgres.log in the data directory.'
    : 'Check HEDDLE_DATABASE_URL, and that PostgreSQL runs and lets this machine in.';
  const withDatabase = (run: (db: Db) => ReturnType<DoctorCheck['run']>) => async () => {
    let db: Db;
    try {
      db = await open();
    } catch (error) {
      return failed(reasonOf(error), advice);
    }
    return run(db);
  };
  return [
    { name: 'database', run: withDatabase(checkServer) },
    { name: 'migrations', run: withDatabase(checkMigrations) },
    { name: 'clock', run: withDatabase(checkClock) },
  ];
}

async function checkServer(db: Db) {
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
  if (row.readonly) return failed(`${message}, but it accepts no writes`, 'Connect to the primary, or free its disk.');
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

async function checkClock(db: Db) {
  const begunAt = Date.now();
  const { rows } = await sql<{ now: number }>`SELECT extract(epoch FROM clock_timestamp())::float8 AS now`.execute(db);
  const middle = (begunAt + Date.now()) / 2000;
  const difference = Math.abs((rows[0]?.now ?? 0) - middle);
  const message = `the clocks of this machine and the database differ by ${difference.toFixed(1)} s`;
  if (difference <= MAX_CLOCK_DIFFERENCE) return ok(message);
  return failed(message, 'Synchronize the clocks of both machines, for example with chrony or systemd-timesyncd.');
}
