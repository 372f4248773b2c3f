/** Two real server processes on one PostgreSQL, which a test pauses (SIGSTOP), resumes and kills. */
import { after, before } from 'node:test';
import pg from 'pg';
import { testDatabase } from '../database/database.ts';
import { temporaryDataDirectory } from '../server/data-directory.ts';
import { newAccount, ownerAccount } from './command-line-accounts.ts';
import { KillableServer } from './killable-server.ts';
import { type Account, StubbornClient } from './stubborn-clients.ts';

const password = 'a shuttle flies through the shed';

export interface TwoServers {
  readonly one: KillableServer;
  readonly two: KillableServer;
  /** The owner of the organization, at each of them. */
  readonly atOne: StubbornClient;
  readonly atTwo: StubbornClient;
  /** Creates a user. */
  user(name: string): Promise<Account>;
  /** Another connection to their database. */
  connect(): Promise<pg.Client>;
}

/** Two servers for all tests of a file. Each test must leave both running. */
export function sharedTwoServers(): () => TwoServers {
  const tidying: (() => Promise<void>)[] = [];
  let servers: TwoServers | undefined;
  before(async () => {
    servers = await startTwoServers({ after: (tidy) => void tidying.push(tidy) });
  });
  after(async () => {
    for (const tidy of tidying) await tidy();
  });
  return () => {
    if (servers === undefined) throw new Error('the servers run only during tests');
    return servers;
  };
}

export async function startTwoServers(t: { after(tidy: () => Promise<void>): void }): Promise<TwoServers> {
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
  // The first server creates the organization.
  await one.listening;
  const two = begin();
  await two.listening;
  const account = await ownerAccount((await one.listening).url, password);
  return {
    one,
    two,
    atOne: new StubbornClient(one, account),
    atTwo: new StubbornClient(two, account),
    async user(name) {
      const urls = await Promise.all(servers.map(async (server) => (await server.listening).url));
      return newAccount({ environment: one.environment, urls }, name);
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
