import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { completed } from '@heddle/api/contract.ts';
import { createChannel as createChannelEndpoint } from '@heddle/api/endpoints/channels.ts';
import { programWith } from '@heddle/operator/commands/program.ts';
import type { Logger } from 'pino';
import { createHeddleServer } from '../../app.ts';
import { readConfig } from '../../config.ts';
import { connectionSettingsOf } from '../../db/connection-settings.ts';
import { activeUser } from '../../directory/active-user.ts';
import { Role } from '../../directory/records.ts';
import { createUser } from '../../domain/accounts/accounts/actions.ts';
import { addSubscribers } from '../../domain/channel-management/subscriptions/actions.ts';
import { createChannel } from '../../domain/channels/actions.ts';
import { newChannelSettings } from '../../domain/channels/new-channel.ts';
import { apiKeyFor } from '../../domain/credentials/api-keys.ts';
import { createOrganization } from '../../domain/joining/founding/actions.ts';
import { descriptionRenderer } from '../../domain/texts/descriptions/descriptions.ts';
import { createLogger } from '../../http/logging.ts';
import { type OpenApp, openApp } from '../../open-app.ts';
import { TestClient } from '../clients/client.ts';
import { checkAnswer } from '../clients/contract-check.ts';
import { testDatabase } from '../database/database.ts';

export interface TestServerOptions {
  /** Additional environment: `HEDDLE_…` variables. */
  readonly environment?: Readonly<Record<string, string>>;
  /** A database shared with another server. By default a separate one. */
  readonly shared?: { readonly url: string; readonly dataDirectory: string };
  /** Whether the shared database is empty: no server has created an organization there. */
  readonly isNew?: boolean;
  /**
   * The recurring jobs that the server runs, by the names of their kinds. Default: none, because they would write while a test compares rows.
   */
  readonly recurringJobs?: readonly string[] | 'all';
  /** In place of the usual log. */
  readonly log?: Logger;
}

/** A real server on a separate database, with every response checked against the contract. */
export interface TestServer {
  readonly url: string;
  readonly app: OpenApp;
  /** Pass this to another `startTestServer` to get two servers on one database. */
  readonly shared: { readonly url: string; readonly dataDirectory: string };
  /** The owner of the organization at the root domain. */
  readonly owner: TestClient;
  /** Creates a user of the organization at the root domain, or of another one. Returns their client. */
  user(options?: TestUserOptions): Promise<TestClient>;
  /**
   * Creates a channel without messages, like the first ones of the server: channels of users start with a notice. Its
   * creator and `principals` (by id) are subscribed. Returns its id.
   */
  emptyChannel(creator: TestClient, name: string, fields?: NewChannelFields): Promise<number>;
  /** A client that uses this server for a user of another server on the same database. */
  sameUser(client: TestClient): Promise<TestClient>;
  /** A client without credentials, at the organization at the root domain. */
  readonly spectator: TestClient;
  /** Creates another organization at `<subdomain>.localhost`. Returns its owner. */
  organization(subdomain: string): Promise<TestClient>;
  /** As at the beginning of a stop: the server still serves. */
  beginDraining(): void;
  stop(): Promise<void>;
}

export interface TestUserOptions {
  readonly name?: string;
  readonly role?: Role;
  readonly subdomain?: string;
  readonly email?: string;
  /** Tests of browsers log in with it. Without one, the account cannot log in with a password. */
  readonly password?: string;
}

export interface NewChannelFields {
  readonly principals?: readonly number[];
  readonly invite_only?: boolean;
  readonly history_public_to_subscribers?: boolean;
}

/** Numbers of equal length: names of users sort in the order in which a test creates them, and none is the beginning of another. */
let made = 1000;

/**
 * Starts a server for a test file. Rate limits are off and web-public channels are possible unless the environment says
 * otherwise.
 */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const database = options.shared === undefined ? await testDatabase() : undefined;
  const dataDirectory = options.shared?.dataDirectory ?? (await mkdtemp(join(tmpdir(), 'heddle-test-')));
  const databaseUrl = options.shared?.url ?? database?.url ?? '';
  const environment = {
    HEDDLE_PORT: '0',
    HEDDLE_RATE_LIMITS: 'off',
    HEDDLE_WEB_PUBLIC_CHANNELS: 'on',
    HEDDLE_LOG_LEVEL: 'error',
    HEDDLE_DATA_DIR: dataDirectory,
    HEDDLE_DATABASE_URL: databaseUrl,
    // Tests of the app name a build. All others must not depend on whether there is one.
    HEDDLE_WEB_DIR: join(dataDirectory, 'no-web-app'),
    ...options.environment,
  };
  const { config } = readConfig(environment);
  const { PATH = '', HOME = '', HEDDLE_TIMEOUT_FACTOR, NODE_COMPILE_CACHE } = process.env;
  const program = programWith({ PATH, HOME, HEDDLE_TIMEOUT_FACTOR, NODE_COMPILE_CACHE, ...environment });
  const { recurringJobs = [] } = options;
  const log = options.log ?? createLogger(config.logLevel);
  const connection = connectionSettingsOf(databaseUrl);
  const app = await openApp({ config, log, connection, purpose: 'serve', program });
  const server = await createHeddleServer(app, {
    onAnswer: checkAnswer,
    ...(recurringJobs !== 'all' && { recurringJobs }),
  });
  async function stop(): Promise<void> {
    await server.stop(5000);
    await app.close();
    if (options.shared !== undefined) return;
    await database?.drop();
    // Work that did not end in time can still write a file.
    await rm(dataDirectory, { recursive: true, maxRetries: 5 });
  }
  const port = await server.listen();
  const url = `http://localhost:${port}`;

  async function clientOf(subdomain: string, email: string): Promise<TestClient> {
    const organization = await app.organizations.bySubdomain(subdomain);
    const user = organization?.directory.userByEmail(email);
    assert(organization !== undefined && user !== undefined, `there is no ${email}`);
    const apiKey = apiKeyFor(app.secret, organization.id, user.id, user.apiKeyVersion);
    const host = subdomain === '' ? `localhost:${port}` : `${subdomain}.localhost:${port}`;
    return new TestClient({ url, host, email, apiKey, userId: user.id, name: user.fullName });
  }

  async function organization(subdomain: string): Promise<TestClient> {
    const email = `owner@${subdomain || 'root'}.example.com`;
    await createOrganization(app, {
      subdomain,
      name: `Organization ${subdomain}`,
      ownerEmail: email,
      ownerName: 'Olive Owner',
      ownerPassword: 'correct horse battery',
    });
    return clientOf(subdomain, email);
  }

  const ownerOf =
    options.shared === undefined || options.isNew ? organization('') : clientOf('', 'owner@root.example.com');
  // Without an owner, the test file has no server to stop, and its process would not end.
  const owner = await ownerOf.catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    url,
    app,
    shared: { url: databaseUrl, dataDirectory },
    owner,
    spectator: new TestClient({ url, host: `localhost:${port}`, userId: 0, name: 'Nobody' }),
    organization,
    beginDraining: server.beginDraining,
    async emptyChannel(creator, name, { principals = [], ...fields } = {}) {
      const home = await app.organizations.bySubdomain('');
      assert(home !== undefined);
      const { id } = await home.transact('server', 'exclusive', async (change) => {
        const caller = activeUser(change.directory, creator.userId);
        const parameters = completed(createChannelEndpoint, { name, subscribers: [], ...fields });
        const settings = newChannelSettings(change.directory, caller, parameters);
        const creation = { creatorId: caller.id, render: descriptionRenderer(change.directory, caller.id, url) };
        const channel = await createChannel(change, { ...settings, name }, creation);
        await addSubscribers(change, [{ channel, userIds: [caller.id, ...principals] }]);
        return channel;
      });
      return id;
    },
    sameUser: (client) => clientOf('', client.email),
    async user({ name, role = Role.member, subdomain = '', email, password } = {}) {
      made += 1;
      const fullName = name ?? `User ${made}`;
      const address = email ?? `user${made}@example.com`;
      const home = await app.organizations.bySubdomain(subdomain);
      assert(home !== undefined, `there is no organization at '${subdomain}'`);
      await createUser(home, { email: address, fullName, role, ...(password !== undefined && { password }) });
      return clientOf(subdomain, address);
    },
    stop,
  };
}
