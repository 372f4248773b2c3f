import assert from 'node:assert/strict';
import { newAccount } from './command-line-accounts.ts';
import { testDatabase } from './database.ts';
import { startHeddle, temporaryDataDirectory } from './heddle-process.ts';

/** As zulip-js takes it. */
export interface Account {
  readonly id: number;
  /** The address. */
  readonly username: string;
  readonly apiKey: string;
  /** Where the organization is. */
  readonly realm: string;
}

/** A server process with a database of its own, for clients that exist already: as an operator starts it who sets nothing. */
export interface ServerForClients {
  readonly url: string;
  readonly owner: { readonly username: string; readonly password: string; readonly realm: string };
  /** Makes an account on the command line. */
  account(name: string): Promise<Account>;
  /** Stops it, which must end well and without a word of complaint. */
  end(): Promise<void>;
}

const password = 'a shuttle flies through the shed';

export async function serverForClients(): Promise<ServerForClients> {
  const [data, database] = await Promise.all([temporaryDataDirectory(), testDatabase('empty')]);
  const place = { HEDDLE_DATA_DIR: data.path, HEDDLE_DATABASE_URL: database.url };
  const server = await startHeddle({ ...place, HEDDLE_LOG_LEVEL: 'error', HEDDLE_OWNER_PASSWORD: password });
  return {
    url: server.url,
    owner: { username: 'owner@localhost', password, realm: server.url },
    async account(name) {
      const { userId, email, apiKey } = await newAccount(place, name);
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
