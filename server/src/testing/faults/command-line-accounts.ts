import assert from 'node:assert/strict';
import type { Json } from '../clients/json.ts';
import { runCommand } from '../server/command-line.ts';
import type { Account } from './stubborn-clients.ts';

/** Logs in as the owner of the server's first organization. */
export async function ownerAccount(url: string, password: string): Promise<Account> {
  const body = new URLSearchParams({ username: 'owner@localhost', password });
  const answer = await fetch(`${url}/api/v1/fetch_api_key`, { method: 'POST', body });
  return accountIn(await answer.json());
}

/** Creates a user with the command line, for the server with this environment. */
export async function newAccount(
  environment: Readonly<Record<string, string>>,
  name: string,
  ...more: readonly string[]
): Promise<Account> {
  const options = ['--email', `${name.toLowerCase()}@example.com`, '--name', name, ...more, '--json'];
  const { out, err } = await runCommand(['user', 'create', ...options], environment);
  assert.notEqual(out, '', err);
  return accountIn(JSON.parse(out));
}

function accountIn({ user_id: userId, email, api_key: apiKey }: Json): Account {
  return { userId, email, apiKey };
}
