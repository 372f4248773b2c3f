import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { ConnectionSettings } from '../../db/connection-settings.ts';
import { createTemplate, startTestCluster } from './cluster.ts';

/** A separate database for a test file, on the cluster of the run. */
export interface TestDatabase {
  /** For `openPool`. */
  readonly connection: ConnectionSettings;
  /** The same as a connection string, for `HEDDLE_DATABASE_URL`. */
  readonly url: string;
  /** Drops the database and ends its connections. Stops the cluster if this file started it. */
  drop(): Promise<void>;
}

/** A cluster with a migrated template database, which the test files of one run share. */
export interface TestRun {
  /** For the environment of the run's processes: names the cluster and the template for {@link testDatabase}. */
  readonly environment: { readonly HEDDLE_TEST_DATABASE_URL: string; readonly HEDDLE_TEST_TEMPLATE: string };
  stop(): Promise<void>;
}

/**
 * Prepares a run on the cluster that `HEDDLE_TEST_DATABASE_URL` names (its role must be a superuser), or else on a new
 * throw-away cluster.
 */
export async function startTestRun(): Promise<TestRun> {
  const given = process.env.HEDDLE_TEST_DATABASE_URL;
  return given === undefined ? await startOwnRun() : await startRunOn(given);
}

async function startRunOn(url: string): Promise<TestRun> {
  const template = randomName('template');
  await createTemplate({ connectionString: url }, template);
  return {
    environment: { HEDDLE_TEST_DATABASE_URL: url, HEDDLE_TEST_TEMPLATE: template },
    stop: () => administer(url, `DROP DATABASE ${template} WITH (FORCE)`),
  };
}

async function startOwnRun(): Promise<TestRun> {
  const { connection, template, stop } = await startTestCluster();
  const { host, port, user, database } = connection;
  const query = new URLSearchParams({ host, port: String(port), user });
  const url = `postgresql:///${database}?${query}`;
  return { environment: { HEDDLE_TEST_DATABASE_URL: url, HEDDLE_TEST_TEMPLATE: template }, stop };
}

// The run of a test file that is run alone. It starts with the first database and ends with the last.
let ownRun: Promise<TestRun> | undefined;
let databasesOfOwnRun = 0;

/**
 * A new database: `migrated` is a clone of the run's template, `empty` has no tables. A file that is run alone starts
 * its own cluster as long as it has databases.
 */
export async function testDatabase(content: 'migrated' | 'empty' = 'migrated'): Promise<TestDatabase> {
  const environment = environmentOfRun() ?? (await joinOwnRun());
  const { HEDDLE_TEST_DATABASE_URL: cluster, HEDDLE_TEST_TEMPLATE: template } = environment;
  const name = randomName('test');
  const source = content === 'migrated' ? template : 'template0';
  // Copying files takes half the time if the cluster need not flush them to the disk.
  await administer(cluster, `CREATE DATABASE ${name} TEMPLATE ${source} ENCODING 'UTF8' STRATEGY FILE_COPY`);
  const url = urlOf(cluster, name);
  let dropped: Promise<void> | undefined;
  const drop = async (): Promise<void> => {
    await administer(cluster, `DROP DATABASE ${name} WITH (FORCE)`);
    await leaveOwnRun();
  };
  return {
    connection: { connectionString: url },
    url,
    drop() {
      dropped ??= drop();
      return dropped;
    },
  };
}

/**
 * Connections of a test to its database. `end` resolves before the database knows of it, so a drop can still end a connection. That must not end
 * the process.
 */
export function testPool({ connection }: Pick<TestDatabase, 'connection'>): pg.Pool {
  const pool = new pg.Pool(connection);
  pool.on('error', () => undefined);
  return pool;
}

function environmentOfRun(): TestRun['environment'] | undefined {
  const { HEDDLE_TEST_DATABASE_URL, HEDDLE_TEST_TEMPLATE } = process.env;
  if (HEDDLE_TEST_DATABASE_URL === undefined || HEDDLE_TEST_TEMPLATE === undefined) return undefined;
  return { HEDDLE_TEST_DATABASE_URL, HEDDLE_TEST_TEMPLATE };
}

async function joinOwnRun(): Promise<TestRun['environment']> {
  databasesOfOwnRun += 1;
  ownRun ??= startTestRun();
  return (await ownRun).environment;
}

async function leaveOwnRun(): Promise<void> {
  if (ownRun === undefined) return;
  databasesOfOwnRun -= 1;
  if (databasesOfOwnRun > 0) return;
  const ending = ownRun;
  ownRun = undefined;
  await (await ending).stop();
}

function randomName(kind: 'template' | 'test'): string {
  return `heddle_${kind}_${randomBytes(6).toString('hex')}`;
}

function urlOf(cluster: string, database: string): string {
  const url = new URL(cluster);
  url.pathname = `/${database}`;
  return url.href;
}

async function administer(cluster: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: cluster });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
