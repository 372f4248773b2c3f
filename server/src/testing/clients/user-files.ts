import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { allow } from '../../db/transaction.ts';
import { collectLeftovers } from '../../storage/leftovers.ts';
import type { TestServer } from '../server/server.ts';
import type { TestClient } from './client.ts';
import type { Json } from './json.ts';

export interface SentFile {
  readonly name?: string;
  readonly type?: string;
}

/** Uploads a file as programs do. Returns the status and the response. */
export async function tryUpload(
  url: string,
  client: TestClient,
  content: Buffer | string,
  { name = 'notes.txt', type = 'text/plain' }: SentFile = {},
): Promise<{ readonly status: number; readonly body: Json }> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(Buffer.from(content))], { type }), name);
  const response = await fetch(`${url}/api/v1/user_uploads`, {
    method: 'POST',
    headers: credentials(client),
    body: form,
  });
  return { status: response.status, body: await response.json() };
}

/** Uploads a file. Returns its path. */
export async function upload(url: string, client: TestClient, content: Buffer | string, sent: SentFile = {}) {
  const { status, body } = await tryUpload(url, client, content, sent);
  assert.equal(status, 200, JSON.stringify(body));
  return body.url as string;
}

/** Requests a file, without credentials if there is no client. */
export function open(
  url: string,
  client: TestClient | undefined,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<Response> {
  return fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: { ...(client === undefined ? {} : credentials(client)), ...headers },
  });
}

export function credentials(client: TestClient): Record<string, string> {
  return { authorization: `Basic ${btoa(`${client.email}:${client.apiKey}`)}` };
}

/** The keys of all files on the server's disk. */
export async function keysOnDisk({ shared }: TestServer): Promise<readonly string[]> {
  const entries = await readdir(join(shared.dataDirectory, 'files'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

/** Does at once what the recurring job does later: removes unreferenced files from the disk. */
export async function collectFiles(server: TestServer): Promise<void> {
  const { db, storage } = server.app;
  const stored = await keysOnDisk(server);
  await db
    .updateTable('storage_leftovers')
    .set({ due_at: new Date(0) })
    .where('key', 'in', stored)
    .execute();
  await db.transaction().execute(async (transaction) => {
    await allow(transaction, { pause: 60_000 });
    await collectLeftovers(transaction, storage);
  });
}
