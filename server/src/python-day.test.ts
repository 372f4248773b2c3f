/**
 * A day of conversation through the unmodified PyPI package zulip, while its event queues are read
 * (testing/clients/python-day.py). If it fails, Heddle has a bug. Runs if `python3`, or the Python of `HEDDLE_TEST_PYTHON`, has
 * the package.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import type { Json } from './testing/clients/json.ts';
import { AS_AN_APP, LiveModel } from './testing/clients/live-model.ts';
import { ownerAccount } from './testing/faults/command-line-accounts.ts';
import { type Account, type ServerForClients, serverForClients } from './testing/faults/server-for-clients.ts';

const python = process.env.HEDDLE_TEST_PYTHON ?? 'python3';
const hasPackage = spawnSync(python, ['-c', 'import zulip']).status === 0;
const skip = hasPackage ? false : `${python} does not have the package zulip`;
const picture = join(tmpdir(), `heddle-day-${process.pid}.png`);

let server: ServerForClients | undefined;
before(async () => {
  if (!hasPackage) return;
  server = await serverForClients();
  await sharp({ create: { width: 70, height: 70, channels: 4, background: 'teal' } }).toFile(picture);
});
after(async () => {
  await rm(picture, { force: true });
  await server?.end();
});

test('in a day of the Python client, its events keep each state equal to that of a new registration', {
  skip,
}, async () => {
  assert(server !== undefined);
  const accounts: Record<string, Account> = {
    olive: await ownerOf(server),
    ada: await server.account('Ada'),
    ben: await server.account('Ben'),
  };
  const lines = await day(server.url, accounts);
  for (const [who, account] of Object.entries(accounts)) {
    const [first, ...others] = lines.filter((line) => line.who === who);
    const live = new LiveModel(account, first.state);
    for (const { events } of others) if (events !== undefined) live.accept(events);
    await live.compare(others.at(-1).fresh);
  }
});

async function ownerOf({ url, owner }: ServerForClients): Promise<Account> {
  const { userId, email, apiKey } = await ownerAccount(url, owner.password);
  return { id: userId, username: email, apiKey, realm: owner.realm };
}

/** The output of the script, line by line. */
async function day(url: string, accounts: Readonly<Record<string, Account>>): Promise<Json[]> {
  const script = join(import.meta.dirname, 'testing', 'clients', 'python-day.py');
  const child = spawn(python, [script, url, picture, JSON.stringify(accounts), JSON.stringify(AS_AN_APP)]);
  const lines: Json[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(JSON.parse(line)));
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const [code] = await once(child, 'close');
  assert.equal(code, 0, err);
  return lines;
}
