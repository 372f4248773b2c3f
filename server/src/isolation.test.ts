/**
 * Organizations are isolated from each other (design, "Organizations"). The most powerful callers of one organization
 * try every operation with every kind of id of another. Each feature lists what to try (`features/<f>/isolation-probes.ts`). A
 * new operation or parameter fails here until its feature does so.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { allEndpoints } from '@heddle/api/all-endpoints.ts';
import { type Endpoint, fullPathOf } from '@heddle/api/contract.ts';
import { sql } from 'kysely';
import { features } from './all-features.ts';
import { Role } from './directory/records.ts';
import { presencesOf } from './domain/presence/queries.ts';
import { indexMessages } from './domain/reading/history/indexing.ts';
import type { FoundFeature } from './extension/feature.ts';
import type { OperationProbes, Victim } from './extension/isolation-probes.ts';
import { probesByFolder } from './testing/access/isolation-probes.ts';
import { encode, type Fields, TestClient, type TestQueue } from './testing/clients/client.ts';
import { fillPath } from './testing/clients/endpoints.ts';
import { startTestServer, type TestServer } from './testing/server/server.ts';

/** Strings that the attackers never send. */
const secrets = ['Vera Victim', 'Mo Member', 'a secret description', 'a secret topic', 'a secret message'];

let server: TestServer;
let victimOwner: TestClient;
let victimQueue: TestQueue;
let attackers: readonly TestClient[];
/** The probes of each feature. */
let probes: ReadonlyMap<FoundFeature, readonly OperationProbes[]>;
const contract = await allEndpoints();

before(async () => {
  server = await startTestServer({ environment: { HEDDLE_DEV_LOGIN: '1' } });
  const owner = await server.organization('victim');
  const member = await server.user({ subdomain: 'victim', name: 'Mo Member' });
  // On a slow machine, their mails about missed messages would be due during the test.
  for (const user of [owner, member]) {
    await user.ok('PATCH', '/settings', { email_notifications_batching_period_seconds: 86_400 });
  }
  const create = async (name: string, invite_only: boolean) => {
    const subscribers = [owner.userId, member.userId];
    const description = 'a secret description';
    const { id } = await owner.ok('POST', '/channels/create', { name, description, subscribers, invite_only });
    return { id: Number(id), name };
  };
  const publicChannel = await create('victims channel', false);
  const privateChannel = await create('victims cellar', true);
  for (let count = 0; count < 40; count += 1) await owner.send(publicChannel.id, 'a secret topic', 'a secret message');
  await owner.direct([member.userId], 'a secret message');
  const messageId = await member.send(privateChannel.id, 'a secret topic', 'a secret message');
  const { state } = await owner.register({ fetch_event_types: ['realm_user_groups'], event_types: [] });
  victimOwner = owner;
  victimQueue = await member.register();
  attackers = [server.owner, await server.user(), await server.user({ role: Role.guest })];
  await server.owner.send('general', 'own', 'own');
  probes = await collect({
    owner,
    member,
    publicChannel,
    privateChannel,
    messageId,
    groupId: state.realm_user_groups[0].id,
    queueId: victimQueue.id,
    ownUserId: server.owner.userId,
    secret(about) {
      const text = `a secret ${about}`;
      secrets.push(text);
      return text;
    },
  });
  await settled();
  await victimQueue.now();
});
after(() => server.stop());

async function collect(victim: Victim): Promise<ReadonlyMap<FoundFeature, readonly OperationProbes[]>> {
  const byFolder = await probesByFolder();
  const collected = new Map<FoundFeature, readonly OperationProbes[]>();
  for (const feature of features) collected.set(feature, (await byFolder.get(feature.folder)?.(victim)) ?? []);
  return collected;
}

/** The operations that the feature serves. */
function served(feature: FoundFeature): readonly Endpoint[] {
  return feature.routes?.(server.app, { stateParts: [], exports: [] }).map(({ endpoint }) => endpoint) ?? [];
}

const all = (): readonly OperationProbes[] => [...probes.values()].flat();
const tries = ({ refused, contained }: OperationProbes): readonly Fields[] => [...refused, ...contained];
const idOf = ({ operationId }: Endpoint) => operationId;

test('every feature lists probes for each operation that it serves, and for no other', () => {
  for (const feature of features) {
    const tried = (probes.get(feature) ?? []).map(({ endpoint }) => idOf(endpoint));
    assert.deepEqual(
      tried.toSorted(),
      served(feature).map(idOf).toSorted(),
      `isolation-probes.ts of ${feature.folder}`,
    );
    for (const operation of probes.get(feature) ?? []) {
      assert(tries(operation).length > 0, `no probes on ${idOf(operation.endpoint)}`);
    }
  }
  const tried = new Set(all().map(({ endpoint }) => idOf(endpoint)));
  assert.deepEqual(
    contract.map(idOf).filter((id) => !tried.has(id)),
    [],
    'operations of the contract that no feature serves',
  );
});

test('every isolation-probes.ts belongs to an existing feature', async () => {
  const names = new Set(features.map(({ folder }) => folder));
  const folders = [...(await probesByFolder()).keys()];
  assert(folders.length > 40, `found only ${folders.length}`);
  assert.deepEqual(
    folders.filter((folder) => !names.has(folder)),
    [],
  );
});

test('every parameter of every operation is tried, or listed as harmless', () => {
  for (const operation of all()) {
    const { endpoint, harmless } = operation;
    const tried = [...new Set(tries(operation).flatMap((fields) => Object.keys(fields)))];
    const decided = [...tried, ...harmless].toSorted();
    assert.deepEqual(decided, Object.keys(endpoint.parameters).toSorted(), idOf(endpoint));
  }
});

async function call(client: TestClient, endpoint: Endpoint, fields: Fields) {
  const { path, rest } = fillPath({ ...endpoint, path: fullPathOf(endpoint) as Endpoint['path'] }, fields);
  const takes = endpoint.body?.takes;
  const isRaw = takes === 'bytes' || takes === 'protocol';
  // The parameters of such an operation are in its URL. The body is one that incoming webhooks accept.
  const { status, text } = isRaw
    ? await client.ask(endpoint.method, `${path}?${encode(rest)}`, { text: 'own' })
    : await client.ask(endpoint.method, path, rest);
  return { status, text, what: `${idOf(endpoint)} ${JSON.stringify(fields)} answered ${status} ${text.slice(0, 500)}` };
}

/** Waits until everything that the victim acknowledged, reported and wrote is stored and indexed. */
async function settled() {
  const { organizations, queues } = server.app;
  await queues.flush();
  const organization = await organizations.bySubdomain('victim');
  assert(organization !== undefined);
  await presencesOf(server.app, organization).flush();
  await indexMessages(server.app, new AbortController().signal);
  await organization.catchUp();
  await server.app.consumers.settled();
  return organization;
}

/** All rows of the victim's organization, without the time when its queues were last fetched. */
async function victimsRows(): Promise<Readonly<Record<string, unknown>>> {
  const { db } = server.app;
  const organization = await settled();
  const { rows: tables } = await sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'organization_id' ORDER BY 1`.execute(db);
  assert(tables.length > 10, 'the tables were not found');
  const entries = tables.map(async ({ name }) => {
    const { rows } = await sql<{ row: unknown }>`
      SELECT to_jsonb(t) - 'last_fetched_at' AS row FROM ${sql.table(name)} t
       WHERE organization_id = ${organization.id} ORDER BY 1`.execute(db);
    return [name, rows.map(({ row }) => row)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

function assertNoSecrets(text: string, what: string): void {
  for (const secret of secrets) assert(!text.includes(secret), `${what} reveals '${secret}'`);
}

// rules: conventions-14
test('ids of another organization are refused or invisible in every operation, and nothing there changes', async () => {
  const before = await victimsRows();
  for (const operation of all()) {
    for (const fields of tries(operation)) {
      for (const attacker of attackers) {
        const { status, text, what } = await call(attacker, operation.endpoint, fields);
        assert(status < 500, what);
        if (operation.refused.includes(fields)) assert(status >= 400, what);
        assertNoSecrets(text, what);
      }
      // The attackers may have deactivated their own users.
      for (const { userId } of attackers) await server.owner.ok('POST', `/users/${userId}/reactivate`);
    }
  }
  assert.deepEqual(await victimsRows(), before);
  assert.deepEqual(await victimQueue.now(), [], 'the victim received an event');
});

test('what the attackers wrote reveals nothing of another organization when they read it', async () => {
  for (const attacker of attackers) {
    const range = { anchor: 'newest', num_before: 100, num_after: 0 };
    const { messages } = await attacker.ok('GET', '/messages', range);
    const { state } = await attacker.register();
    assert(messages.length > 0, 'there is a message to read');
    assertNoSecrets(JSON.stringify([messages, state]), attacker.email);
  }
});

// rules: spectators-11
test('spectators of one organization see nothing of another', async () => {
  for (const owner of [server.owner, victimOwner]) {
    await owner.ok('PATCH', '/realm', { enable_spectator_access: true });
    const { id } = await owner.ok('POST', '/channels/create', { name: 'shown', subscribers: [], is_web_public: true });
    await owner.send(Number(id), 'topic', owner === victimOwner ? 'a secret message' : 'own');
  }
  const before = await victimsRows();
  for (const operation of all()) {
    // Without required authentication, spectators may log in with credentials that they know.
    if (operation.endpoint.authentication === 'none') continue;
    for (const fields of tries(operation)) {
      const { status, text, what } = await call(server.spectator, operation.endpoint, fields);
      if (operation.endpoint.authentication === 'required') assert.equal(status, 401, what);
      assert(status < 500, what);
      assertNoSecrets(text, what);
    }
  }
  assert.deepEqual(await victimsRows(), before);
  const narrow = [['channels', 'web-public']];
  const range = { anchor: 'newest', num_before: 100, num_after: 0, narrow };
  const { messages } = await server.spectator.ok('GET', '/messages', range);
  assert(messages.length > 0, 'there is a message to read');
  assertNoSecrets(JSON.stringify([messages, await server.spectator.ok('POST', '/register')]), 'a spectator');
});

test('two organizations can have different messages with the same id', async () => {
  const own = await server.owner.send('general', 'own', 'mine');
  const theirs = await victimOwner.ok('GET', `/messages/${own}`, { apply_markdown: false });
  assert.equal(theirs.message.content, 'a secret message');
  const mine = await server.owner.ok('GET', `/messages/${own}`, { apply_markdown: false });
  assert.equal(mine.message.content, 'mine');
  await server.owner.ok('POST', '/messages/flags', { messages: [own], op: 'add', flag: 'starred' });
  const { state } = await victimOwner.register({ fetch_event_types: ['starred_messages'], event_types: [] });
  assert.deepEqual(state.starred_messages, []);
});

test('credentials of one organization do not work in another', async () => {
  const { host } = new URL(server.url);
  const owner = victimOwner;
  const foreign = new TestClient({
    url: server.url,
    host,
    email: owner.email,
    apiKey: owner.apiKey,
    userId: owner.userId,
    name: owner.name,
  });
  const mixed = new TestClient({
    url: server.url,
    host,
    email: owner.email,
    apiKey: server.owner.apiKey,
    userId: owner.userId,
    name: owner.name,
  });
  for (const operation of all().filter(({ endpoint }) => endpoint.authentication !== 'none')) {
    for (const client of [foreign, mixed]) {
      for (const fields of tries(operation)) {
        const { status, text, what } = await call(client, operation.endpoint, fields);
        assert.equal(status, 401, what);
        // A HEAD response has no body.
        if (operation.endpoint.method !== 'HEAD') assert.equal(JSON.parse(text).code, 'UNAUTHORIZED');
      }
    }
  }
});
