/** Two real server processes on one PostgreSQL, which a test stops (SIGSTOP), lets go on, and kills. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import type { Json } from './client.ts';
import { testDatabase } from './database.ts';
import { runHeddle, temporaryDataDirectory } from './heddle-process.ts';
import { KillableServer } from './killable-server.ts';
import { type Account, StubbornClient } from './stubborn-clients.ts';

const password = 'a shuttle flies through the shed';

export interface TwoServers {
  readonly one: KillableServer;
  readonly two: KillableServer;
  /** The organization's owner, at each of them. */
  readonly atOne: StubbornClient;
  readonly atTwo: StubbornClient;
  /** A new account. */
  user(name: string): Promise<Account>;
  /** Another connection to their database. */
  connect(): Promise<pg.Client>;
}

export async function startTwoServers(t: TestContext): Promise<TwoServers> {
  const database = await testDatabase();
  const data = await temporaryDataDirectory();
  const clients: pg.Client[] = [];
  const servers: KillableServer[] = [];
  t.after(async () => {
    for (const server of servers) await server.end();
    for (const client of clients) await client.end();
    await database.drop();
    await data.remove();
  });
  const environment = {
    HEDDLE_DATABASE_URL: database.url,
    HEDDLE_BUS: 'postgres',
    HEDDLE_RATE_LIMITS: 'off',
    HEDDLE_LOG_LEVEL: 'error',
    HEDDLE_OWNER_PASSWORD: password,
  };
  const begin = () => {
    const server = new KillableServer(data.path, environment);
    servers.push(server);
    return server;
  };
  const one = begin();
  // The first makes the organization.
  await one.listening;
  const two = begin();
  await two.listening;
  const account = await ownerOf(one);
  return {
    one,
    two,
    atOne: new StubbornClient(one, account),
    atTwo: new StubbornClient(two, account),
    async user(name) {
      const options = ['--email', `${name}@example.com`, '--name', name, '--json'];
      const { out, err } = await runHeddle(['user', 'create', ...options], {
        ...environment,
        HEDDLE_DATA_DIR: data.path,
      });
      assert.notEqual(out, '', err);
      const { user_id, email, api_key }: Json = JSON.parse(out);
      return { userId: user_id, email, apiKey: api_key };
    },
    async connect() {
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      client.on('error', () => undefined);
      clients.push(client);
      return client;
    },
  };
}

async function ownerOf(server: KillableServer): Promise<Account> {
  const { url } = await server.listening;
  const body = new URLSearchParams({ username: 'owner@localhost', password });
  const answer = await fetch(`${url}/api/v1/fetch_api_key`, { method: 'POST', body });
  const { user_id, email, api_key }: Json = await answer.json();
  return { userId: user_id, email, apiKey: api_key };
}

/** Resolves when somebody waits for what this connection has locked. */
export async function isWaitedFor(holder: pg.Client): Promise<void> {
  const waiting = 'SELECT 1 FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))';
  while ((await holder.query(waiting)).rowCount === 0) await nextTurn();
}
