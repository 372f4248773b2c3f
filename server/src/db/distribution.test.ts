/**
 * The rules by which Citus divides tables among machines: all rows of an organization are on one machine. So the organization is part of each
 * key, and PostgreSQL can check the key there. Tables of the whole server would be reference tables, of which each machine has a copy, or
 * local tables of one machine.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { type TestDatabase, testDatabase } from '../testing/database/database.ts';
import { silent } from '../testing/database/log.ts';
import { isOfServer, SERVER_TABLES } from '../testing/database/server-tables.ts';
import { openPool } from './pool.ts';

let database: TestDatabase;
let pool: ReturnType<typeof openPool>;
before(async () => {
  database = await testDatabase();
  pool = openPool(database.connection, silent);
});
after(async () => {
  await pool.close();
  await database.drop();
});

test('each table belongs to an organization, except those that are named as tables of the whole server', async () => {
  const { rows } = await sql<{ name: string; isRequired: boolean | null }>`
    SELECT relname AS name, (SELECT attnotnull FROM pg_attribute
                              WHERE attrelid = pg_class.oid AND attname = 'organization_id') AS "isRequired"
      FROM pg_class
     WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace`.execute(pool.db);
  assert(rows.length > 70, `${rows.length} tables`);
  const undecided = rows.filter(({ name, isRequired }) => !isOfServer(name) && isRequired !== true);
  assert.deepEqual(undecided, []);
  const names = new Set(rows.map(({ name }) => name));
  assert.deepEqual(
    Object.keys(SERVER_TABLES).filter((name) => !names.has(name)),
    [],
  );
});

test('each primary key and each unique key of a table of an organization contains the organization', async () => {
  const { rows } = await sql<{ table: string; key: string; columns: readonly string[] }>`
    SELECT indrelid::regclass::text AS table, indexrelid::regclass::text AS key,
           ARRAY(SELECT attname::text FROM unnest(indkey[0:indnkeyatts - 1]) AS number
                   JOIN pg_attribute ON attrelid = indrelid AND attnum = number) AS columns
      FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
     WHERE (indisunique OR indisexclusion) AND relnamespace = current_schema()::regnamespace`.execute(pool.db);
  const keys = rows.filter(({ table }) => !isOfServer(table));
  assert(keys.length > 80, `${keys.length} keys`);
  assert.deepEqual(
    keys.filter(({ columns }) => !columns.includes('organization_id')),
    [],
  );
});

interface ForeignKey {
  readonly table: string;
  readonly target: string;
  readonly key: string;
  /** The columns on both sides, like `organization_id=organization_id`. */
  readonly pairs: readonly string[];
}

/** Whether each machine can check the key alone. */
function isLocal({ table, target, pairs }: ForeignKey): boolean {
  if (target === 'organizations') return pairs.includes('organization_id=id');
  // Each machine has a copy of the table of the server. Its rows cannot depend on those of one machine.
  if (isOfServer(target)) return true;
  return !isOfServer(table) && pairs.includes('organization_id=organization_id');
}

test('each foreign key between tables of organizations contains the organization, and no table of the server refers to them', async () => {
  const { rows } = await sql<ForeignKey>`
    SELECT conrelid::regclass::text AS table, confrelid::regclass::text AS target, conname AS key,
           ARRAY(SELECT here.attname || '=' || there.attname
                   FROM unnest(conkey, confkey) AS pair (own, other)
                   JOIN pg_attribute here ON here.attrelid = conrelid AND here.attnum = pair.own
                   JOIN pg_attribute there ON there.attrelid = confrelid AND there.attnum = pair.other) AS pairs
      FROM pg_constraint
     WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`.execute(pool.db);
  assert(rows.length > 90, `${rows.length} foreign keys`);
  assert.deepEqual(
    rows.filter((key) => !isLocal(key)),
    [],
  );
});
