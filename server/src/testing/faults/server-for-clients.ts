import assert from 'node:assert/strict';
import { testDatabase } from '../database/database.ts';
import { startServe } from '../server/command-line.ts';
import { temporaryDataDirectory } from '../server/data-directory.ts';
import { newAccount } from './command-line-accounts.ts';

/** An account in the form that zulip-js takes. */
export interface Account {
  readonly id: number;
  /** The email address. */
  readonly username: string;
  readonly apiKey: string;
  /** The URL of the organization. */
  readonly realm: string;
}

/** A server process with a separate database and default settings, for existing clients. */
export interface ServerForClients {
  readonly url: string;
  readonly owner: { readonly username: string; readonly password: string; readonly realm: string };
  /** Creates a user with the command line. */
  account(name: string): Promise<Account>;
  /** Stops the server. Fails if it does not exit cleanly or logs anything. */
  end(): Promise<void>;
}

const password = 'a shuttle flies through the shed';

export async function serverForClients(): Promise<ServerForClients> {
  const [data, database] = await Promise.all([temporaryDataDirectory(), testDatabase()]);
  const place = { HEDDLE_DATA_DIR: data.path, HEDDLE_DATABASE_URL: database.url };
  const server = await startServe({ ...place, HEDDLE_LOG_LEVEL: 'error', HEDDLE_OWNER_PASSWORD: password });
  return {
    url: server.url,
    owner: { username: 'owner@localhost', password, realm: server.url },
    async account(name) {
      const { userId, email, apiKey } = await newAccount({ environment: place, urls: [server.url] }, name);
      return { id: userId, username: email, apiKey, realm: server.url };
    },
    async end() {
      const { code, err } = await server.stop();
      await database.drop();
      await data.remove();
      assert.deepEqual({ code, err }, { code: 0, err: '' });
    },
  };
}
