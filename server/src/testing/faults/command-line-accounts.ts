import assert from 'node:assert/strict';
import type { Json } from '../clients/json.ts';
import { runCommand } from '../server/command-line.ts';
import { until } from '../server/until.ts';
import type { KillableServer } from './killable-server.ts';
import type { Account } from './stubborn-clients.ts';

/** Logs in as the owner of the server's first organization. */
export async function ownerAccount(url: string, password: string): Promise<Account> {
  const body = new URLSearchParams({ username: 'owner@localhost', password });
  const answer = await fetch(`${url}/api/v1/fetch_api_key`, { method: 'POST', body });
  return accountIn(await answer.json());
}

/** Servers of one database, and the settings with which a command opens that database. */
export interface ServersOfAccount {
  readonly environment: Readonly<Record<string, string>>;
  readonly urls: readonly string[];
}

/** Creates a user with the command line. Resolves when each server has received the event about it, and so accepts the key. */
export async function newAccount(
  { environment, urls }: ServersOfAccount,
  name: string,
  ...more: readonly string[]
): Promise<Account> {
  const options = ['--email', `${name.toLowerCase()}@example.com`, '--name', name, ...more, '--json'];
  const { out, err } = await runCommand(['user', 'create', ...options], environment);
  assert.notEqual(out, '', err);
  const account = accountIn(JSON.parse(out));
  const authorization = `Basic ${btoa(`${account.email}:${account.apiKey}`)}`;
  for (const url of urls)
    await until(
      async () => (await fetch(`${url}/api/v1/users/me`, { headers: { authorization } })).ok,
      `the server at ${url} to know the account`,
    );
  return account;
}

/** The same at a server that a test kills. */
export async function accountAt(server: KillableServer, name: string, ...more: readonly string[]): Promise<Account> {
  const { url } = await server.listening;
  return newAccount({ environment: server.environment, urls: [url] }, name, ...more);
}

function accountIn({ user_id: userId, email, api_key: apiKey }: Json): Account {
  return { userId, email, apiKey };
}
