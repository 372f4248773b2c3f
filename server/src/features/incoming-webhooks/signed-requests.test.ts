import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { postWebhook, type Recorded, recorded, recordedOf } from '../../testing/services/webhooks.ts';
import { INTEGRATIONS } from './all-integrations.ts';

let server: TestServer;
let member: TestClient;
let bot: Json;
before(async () => {
  server = await startTestServer();
  member = await server.user({ name: 'Member' });
  await server.emptyChannel(member, 'alerts');
  bot = await member.ok('POST', '/bots', { full_name: 'Hooks', short_name: 'hooks', bot_type: 2 });
});
after(() => server.stop());

type Query = Readonly<Record<string, string>>;

const secret = 'our secret';
const queryOf = (topic: string) => ({ api_key: bot.api_key, stream: 'alerts', topic, webhook_secret: secret });

function send(integration: string, { body, headers }: Recorded, query: Query, signature: Query) {
  return postWebhook(server, integration, { query, body, headers: { ...headers, ...signature } });
}

async function newestTopic(): Promise<string> {
  const range = { anchor: 'newest', num_before: 1, num_after: 0 };
  const { messages } = await member.ok('GET', '/messages', {
    ...range,
    narrow: [{ operator: 'sender', operand: bot.user_id }],
  });
  return messages[0].subject;
}

const hmac = (key: string, text: string) => createHmac('sha256', key).update(text);
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

function zendesk(body: string, key: string, at: Date): Query {
  const time = at.toISOString();
  return {
    'x-zendesk-webhook-signature-timestamp': time,
    'x-zendesk-webhook-signature': hmac(key, time + body).digest('base64'),
  };
}

function netlify(body: string, key: string): Query {
  const sha256 = createHash('sha256').update(body).digest('hex');
  const signed = `${base64url({ alg: 'HS256', typ: 'JWT' })}.${base64url({ iss: 'netlify', sha256 })}`;
  return { 'x-webhook-signature': `${signed}.${hmac(key, signed).digest('base64url')}` };
}

/** Signatures of the body. */
const SIGNERS: readonly (readonly [name: string, payload: string, sign: (body: string, key: string) => Query])[] = [
  [
    'intercom',
    'conversation-started',
    (body, key) => ({ 'x-hub-signature': `sha1=${createHmac('sha1', key).update(body).digest('hex')}` }),
  ],
  [
    'circleci',
    'workflow-completed',
    (body, key) => ({ 'circleci-signature': `v2=x,v1=${hmac(key, body).digest('hex')}` }),
  ],
  ['linear', 'issue-created', (body, key) => ({ 'linear-signature': hmac(key, body).digest('hex') })],
  ['zendesk', 'ticket-created', (body, key) => zendesk(body, key, new Date())],
  ['netlify', 'deploy-created', netlify],
  ['sonarqube', 'failed', (body, key) => ({ 'x-sonar-webhook-hmac-sha256': hmac(key, body).digest('hex') })],
];

/** Services whose users choose a header. */
const WITH_TOKEN: readonly (readonly [name: string, payload: string])[] = [
  ['azuredevops', 'push'],
  ['opsgenie', 'create'],
  ['freshdesk', 'created'],
  ['newrelic', 'issue-activated'],
  ['zabbix', 'problem'],
  ['homeassistant', 'notification'],
];

const REFUSED = [400, 'Webhook signature verification failed.'];

for (const [name, payload, sign] of SIGNERS) {
  // rules: webhooks-5
  test(`${name}: with a secret in the URL, only signed requests are accepted`, async () => {
    const request = await recorded(name, payload);
    const query = queryOf(`signed ${name}`);
    assert.equal((await send(name, request, query, sign(request.body, secret))).status, 200);
    assert.equal(await newestTopic(), `signed ${name}`);
    for (const signature of [{}, sign(request.body, 'another secret'), sign(`${request.body} `, secret)]) {
      const { status, msg } = await send(name, request, query, signature);
      assert.deepEqual([status, msg], REFUSED);
    }
  });
}

for (const [name, payload] of WITH_TOKEN) {
  // rules: webhooks-5
  test(`${name}: a token in the header can be the secret of the URL`, async () => {
    const request = await recorded(name, payload);
    const query = queryOf(`signed ${name}`);
    assert.equal((await send(name, request, query, bearer(secret))).status, 200);
    assert.equal(await newestTopic(), `signed ${name}`);
    for (const signature of [{}, bearer('another secret'), { authorization: secret }]) {
      const { status, msg } = await send(name, request, query, signature);
      assert.deepEqual([status, msg], REFUSED);
    }
  });
}

describe('signatures of single services', () => {
  // rules: webhooks-5
  test('Trello signs the body and the whole URL that it calls', async () => {
    const request = await recorded('trello', 'card-moved');
    const query = queryOf('a & b');
    const urlOf = (of: Query) => `${server.url}/api/v1/external/trello?${new URLSearchParams(of)}`;
    const sign = (body: string, url: string, key = secret) => ({
      'x-trello-webhook': createHmac('sha1', key).update(body).update(url).digest('base64'),
    });
    assert.equal((await send('trello', request, query, sign(request.body, urlOf(query)))).status, 200);
    assert.equal(await newestTopic(), 'a & b');
    for (const signature of [
      {},
      sign(request.body, urlOf(query), 'another secret'),
      sign(request.body, urlOf({ ...query, topic: 'other' })),
      sign(`${request.body} `, urlOf(query)),
    ]) {
      const { status, msg } = await send('trello', request, query, signature);
      assert.deepEqual([status, msg], REFUSED);
    }
  });

  // rules: webhooks-5
  test('Zendesk signs the time, and requests that are older than five minutes are refused', async () => {
    const request = await recorded('zendesk', 'ticket-created');
    const statusAt = async (at: Date, more: Query = {}) =>
      (await send('zendesk', request, queryOf('time'), { ...zendesk(request.body, secret, at), ...more })).status;
    assert.equal(await statusAt(new Date()), 200);
    assert.equal(await statusAt(new Date(Date.now() - 400_000)), 400);
    assert.equal(await statusAt(new Date(), { 'x-zendesk-webhook-signature-timestamp': '' }), 400);
    assert.equal(await statusAt(new Date(), { 'x-zendesk-webhook-signature-timestamp': 'today' }), 400);
  });

  // rules: webhooks-5
  test('Netlify: a token that is no token is refused', async () => {
    const request = await recorded('netlify', 'deploy-created');
    const given = netlify(request.body, secret)['x-webhook-signature'] ?? '';
    const [head, payload, signature] = given.split('.');
    for (const wrong of ['', '.', '..', given.slice(0, -1), `${given}.x`, `${head}.${payload}`, `..${signature}`]) {
      const { status } = await send('netlify', request, queryOf('token'), { 'x-webhook-signature': wrong });
      assert.equal(status, 400, wrong);
    }
  });
});

// rules: webhooks-5
test('with a secret in the URL, no service gets a request through that is not signed', async () => {
  for (const { name } of INTEGRATIONS) {
    const [request] = await recordedOf(name);
    const { status } = await send(name, request ?? assert.fail(), queryOf('unsigned'), {});
    assert.equal(status, 400, name);
  }
});

// rules: webhooks-20
test('HEAD says whether the URL is that of a bot and an integration, before the service uses it', async () => {
  const statusOf = async (path: string) =>
    (await fetch(`${server.url}/api/v1/external/${path}`, { method: 'HEAD' })).status;
  const key = new URLSearchParams({ api_key: bot.api_key }).toString();
  for (const { name } of INTEGRATIONS) assert.equal(await statusOf(`${name}?${key}&stream=alerts`), 200, name);
  assert.equal(await statusOf(`unknown?${key}`), 404);
  assert.equal(await statusOf('trello?api_key=x'), 401);
  assert.equal(await statusOf('trello'), 401);
  assert.equal(await statusOf(`trello?api_key=${member.apiKey}`), 401);
});
