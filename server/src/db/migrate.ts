import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Logger } from 'pino';
import { HEDDLE_VERSION } from '../version.ts';
import { refuseDevelopmentBuild } from './development-build.ts';
import { findMigrations } from './find-migrations.ts';
import type { Db } from './schema.ts';

/**
 * All migrations in the order of their names. They go forward only, and a released migration never changes. A migration must be safe
 * beside a running process that does not know it yet.
 */
const migrations = await findMigrations();

/** The key in `server_facts` of the version of Heddle that last brought the database up to date. */
const VERSION_FACT = 'heddle_version';

/** A newer version of Heddle has changed the tables: this one cannot use them. */
export class DatabaseTooNewError extends Error {
  override readonly name = 'DatabaseTooNewError';
}

/**
 * Brings the database up to this version. Processes that start together take turns under Kysely's advisory lock. All missing
 * migrations commit in one transaction. Returns the names of the migrations that it ran.
 * @param upTo the last migration to run; the latest if not given
 * @throws DevelopmentBuildError
 * @throws DatabaseTooNewError
 */
export async function migrate(db: Db, log: Logger, upTo?: string): Promise<readonly string[]> {
  const before = await appliedMigrations(db);
  refuseDevelopmentBuild(before);
  await refuseNewer(db, before);
  // Kysely would list all tables twice before it finds that nothing is missing.
  if (upTo === undefined && Object.keys(migrations).every((name) => before.includes(name))) {
    await noteVersion(db);
    return [];
  }
  // A new database runs all of them, which is no news to the operator.
  const isNew = before.length === 0;
  const migrator = new Migrator({ db, provider: { getMigrations: async () => logged(log, isNew ? 'debug' : 'info') } });
  const { error, results } = await (upTo === undefined ? migrator.migrateToLatest() : migrator.migrateTo(upTo));
  if (error !== undefined) throw error;
  const done = (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName);
  if (isNew && done.length > 0) log.info({ migrations: done.length }, 'created the tables');
  if (upTo === undefined) await noteVersion(db);
  return done;
}

/** The names of the migrations that the database has, in order. Empty for a new database. */
export async function appliedMigrations(db: Db): Promise<readonly string[]> {
  if (!(await hasTable(db, 'kysely_migration'))) return [];
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration ORDER BY name`.execute(db);
  return rows.map(({ name }) => name);
}

/** The migrations of this version that the database does not have. */
export async function missingMigrations(db: Db): Promise<readonly string[]> {
  const applied = new Set(await appliedMigrations(db));
  return Object.keys(migrations).filter((name) => !applied.has(name));
}

/** The version of Heddle that last brought the database up to date; undefined if none has recorded it. */
async function databaseVersion(db: Db): Promise<string | undefined> {
  if (!(await hasTable(db, 'server_facts'))) return undefined;
  const row = await db.selectFrom('server_facts').select('value').where('key', '=', VERSION_FACT).executeTakeFirst();
  return row?.value;
}

/** The last migration of this version of Heddle. */
export const LAST_MIGRATION = Object.keys(migrations).at(-1) ?? '';

/** Whether this version of Heddle has the migration. */
export function knowsMigration(name: string): boolean {
  return Object.hasOwn(migrations, name);
}

export async function hasTable(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`SELECT to_regclass(${name}) IS NOT NULL AS is`.execute(db);
  return rows[0]?.is === true;
}

async function refuseNewer(db: Db, applied: readonly string[]): Promise<void> {
  const unknown = applied.find((name) => !knowsMigration(name));
  if (unknown === undefined) return;
  const version = (await databaseVersion(db)) ?? 'a newer version';
  throw new DatabaseTooNewError(
    `This database needs Heddle ${version} (it has the migration ${unknown}), but this is Heddle ${HEDDLE_VERSION}.`,
  );
}

/** Writes only if the version differs: even an upsert that changes nothing locks its row, and then its commit waits for the disk. */
async function noteVersion(db: Db): Promise<void> {
  if ((await databaseVersion(db)) === HEDDLE_VERSION) return;
  await sql`
    INSERT INTO server_facts (key, value) VALUES (${VERSION_FACT}, ${HEDDLE_VERSION})
        ON CONFLICT (key) DO UPDATE SET value = excluded.value`.execute(db);
}

/** The migrations, wrapped so that each logs its name and duration. */
function logged(log: Logger, level: 'info' | 'debug'): Record<string, Migration> {
  const wrapped = Object.entries(migrations).map(([name, { up }]): [string, Migration] => [
    name,
    {
      async up(db) {
        const begun = performance.now();
        await up(db);
        log[level]({ migration: name, milliseconds: Math.round(performance.now() - begun) }, 'ran a migration');
      },
    },
  ]);
  return Object.fromEntries(wrapped);
}
