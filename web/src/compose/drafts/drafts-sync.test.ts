import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { Connection } from '@heddle/client/calls/connection.ts';
import type { TestClient } from '@heddle/server/testing/clients/client.ts';
import { startTestServer, type TestServer } from '@heddle/server/testing/server/server.ts';
import { ModelClient } from '../../../../client/testing/model-client.ts';
import type { DraftStorage, LocalDraft } from './draft-storage.ts';
import { DraftsSync } from './drafts-sync.ts';

let pages = 0;

/** What a browser stores. Several pages can use it. */
class TestStorage implements DraftStorage {
  readonly pageId = `page ${++pages}`;
  readonly drafts: Map<string, LocalDraft>;

  constructor(drafts = new Map<string, LocalDraft>()) {
    this.drafts = drafts;
  }

  load(): LocalDraft[] {
    return [...this.drafts.values()];
  }

  put(draft: LocalDraft): void {
    this.drafts.set(draft.localId, draft);
  }

  remove(localId: string): void {
    this.drafts.delete(localId);
  }

  onForeignChange(): () => void {
    return () => undefined;
  }

  forEndedPages(pageIds: readonly string[], adopt: (pageId: string) => void): void {
    for (const pageId of pageIds) adopt(pageId);
  }
}

/** One page of the user's app. */
interface Device {
  readonly app: ModelClient;
  readonly drafts: DraftsSync;
  readonly storage: TestStorage;
}

let server: TestServer;
let user: TestClient;
let channelId: number;
let devices: Device[] = [];
let clock = Date.now();
before(async () => {
  server = await startTestServer();
  channelId = await server.emptyChannel(server.owner, 'weaving');
});
afterEach(() => {
  for (const { drafts } of devices) drafts.stop();
  devices = [];
});
after(() => server.stop());

async function device(client: TestClient, storage = new TestStorage()): Promise<Device> {
  const app = await ModelClient.start(client, server.url);
  const { email, apiKey } = client;
  const connection = new Connection({ url: server.url, credentials: { email, apiKey }, fetch: app.network.fetch });
  // The pause is longer than a test, so that only `flush` sends.
  const untilRetry = async () => undefined;
  const drafts = new DraftsSync({ connection, storage, pauseMs: 1_000_000, untilRetry, now: () => clock });
  drafts.follow(app.model);
  const made = { app, drafts, storage };
  devices.push(made);
  return made;
}

async function settle(...all: readonly Device[]): Promise<void> {
  for (const { drafts } of all) await drafts.flush();
  for (const { app } of all) await app.catchUp();
  // Changes of the model are announced in a microtask.
  await Promise.resolve();
}

const contents = ({ drafts }: Device) => drafts.list().map(({ content }) => content);
const onServer = async (client: TestClient) =>
  (await client.ok('GET', '/drafts')).drafts.map(({ content }: { content: string }) => content);
const here = () => ({ kind: 'channel', channelId, topic: 'looms' }) as const;

test('a draft is stored at once, and reaches the server and other devices', async () => {
  user = await server.user();
  const [laptop, phone] = [await device(user), await device(user)];
  const id = laptop.drafts.save(undefined, here(), 'first');
  assert.deepEqual(
    [...laptop.storage.drafts.values()].map(({ content }) => content),
    ['first'],
  );
  await settle(laptop, phone);
  assert.deepEqual(contents(phone), ['first']);
  assert.equal(laptop.drafts.save(id, here(), 'second'), id);
  await settle(laptop, phone);
  assert.deepEqual(contents(phone), ['second']);
  assert.deepEqual(contents(laptop), ['second']);
  assert.deepEqual(await onServer(user), ['second']);
  laptop.drafts.save(id, here(), 'third');
  assert.equal(await laptop.drafts.saved(60_000), true);
  assert.deepEqual(await onServer(user), ['third']);
});

test('a draft that one device deletes disappears from all, and does not come back', async () => {
  user = await server.user();
  const [laptop, phone] = [await device(user), await device(user)];
  const id = laptop.drafts.save(undefined, { kind: 'none' }, 'to be sent');
  await settle(laptop, phone);
  const found = phone.drafts.find(() => true);
  assert.equal(found?.content, 'to be sent');
  laptop.drafts.discard(String(id));
  assert.deepEqual(contents(laptop), []);
  await settle(laptop, phone);
  assert.deepEqual(contents(phone), []);
  assert.deepEqual(await onServer(user), []);
  assert.equal(laptop.storage.drafts.size, 0);
  assert.equal(phone.storage.drafts.size, 0);
});

test('the last edit wins over an edit and over a deletion by another device', async () => {
  user = await server.user();
  const [laptop, phone] = [await device(user), await device(user)];
  const id = laptop.drafts.save(undefined, here(), 'original');
  await settle(laptop, phone);
  const copy = phone.drafts.find(() => true)?.localId;
  laptop.drafts.save(id, here(), 'older');
  await laptop.drafts.flush();
  // An edit of the same second cannot be told from the echo of an own edit.
  clock += 1_000;
  phone.drafts.save(copy, here(), 'newer');
  await phone.app.catchUp();
  assert.deepEqual(contents(phone), ['newer']);
  await settle(phone, laptop);
  assert.deepEqual(contents(laptop), ['newer']);
  laptop.drafts.discard(String(id));
  await laptop.drafts.flush();
  phone.drafts.save(copy, here(), 'still needed');
  await settle(phone, laptop);
  assert.deepEqual(contents(laptop), ['still needed']);
  assert.deepEqual(contents(phone), ['still needed']);
});

test('the drafts of a page that ended are sent by the next one, each once', async () => {
  user = await server.user();
  const ended = await device(user);
  ended.drafts.save(undefined, here(), 'unsent');
  await ended.drafts.flush();
  ended.drafts.save(undefined, here(), 'typed before the crash');
  ended.drafts.stop();
  const next = await device(user, new TestStorage(ended.storage.drafts));
  await settle(next);
  assert.deepEqual(contents(next).sort(), ['typed before the crash', 'unsent']);
  assert.deepEqual((await onServer(user)).sort(), ['typed before the crash', 'unsent']);
  // The server executed the request, and the page ended before the response.
  for (const [key, draft] of ended.storage.drafts) {
    const { serverId: _, isSeen: __, ...rest } = draft;
    next.storage.drafts.set(key, { ...rest, syncedAt: 0, isCreating: true });
  }
  next.drafts.stop();
  const third = await device(user, new TestStorage(next.storage.drafts));
  await settle(third);
  assert.equal((await onServer(user)).length, 2);
});

test('without synchronization, drafts stay in the browser', async () => {
  user = await server.user();
  await user.ok('PATCH', '/settings', { enable_drafts_synchronization: false });
  const laptop = await device(user);
  laptop.drafts.save(undefined, here(), 'private');
  await settle(laptop);
  assert.deepEqual(contents(laptop), ['private']);
  assert.equal(await laptop.drafts.saved(1_000), false);
  await user.ok('PATCH', '/settings', { enable_drafts_synchronization: true });
  assert.deepEqual(await onServer(user), []);
});

test('a draft that the server refuses stays in the browser', async () => {
  user = await server.user();
  const laptop = await device(user);
  const lost = { kind: 'channel', channelId: 999_999, topic: 'gone' } as const;
  laptop.drafts.save(undefined, lost, 'where to?');
  laptop.drafts.save(undefined, here(), 'fine');
  await settle(laptop);
  assert.deepEqual(contents(laptop).sort(), ['fine', 'where to?']);
  assert.equal(await laptop.drafts.saved(1_000), false);
  assert.deepEqual(await onServer(user), ['fine']);
});

test('a part is replaced in the last edited draft of this page that has it, also in one that waits', async () => {
  user = await server.user();
  const storage = new TestStorage();
  const earlier = await device(user, storage);
  earlier.drafts.save(undefined, { kind: 'none' }, 'left [a file]');
  earlier.drafts.stop();
  const page = await device(user, new TestStorage(storage.drafts));
  const { drafts } = page;
  clock += 1_000;
  const id = drafts.save(undefined, here(), 'waits [a file]') ?? '';
  drafts.hold(id);
  assert.equal(drafts.replaceIn('[a file]', '$& done'), true);
  assert.equal(drafts.get(id)?.content, 'waits $& done');
  assert.deepEqual(contents(page), ['left [a file]']);
  drafts.discard(id);
  assert.equal(drafts.replaceIn('$& done', 'again'), false);
});
