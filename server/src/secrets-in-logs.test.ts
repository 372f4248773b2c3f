/**
 * No log contains a secret of a client or an operator. Every operation of the contract gets marked texts in every parameter, from a caller with a
 * marked password and key, and the services that Heddle calls refuse everything. The server logs at its most verbose level.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allEndpoints } from '@heddle/api/all-endpoints.ts';
import { apiPrefix, type Endpoint } from '@heddle/api/contract.ts';
import { type JsonSchema, jsonSchemaOf } from '@heddle/api/json-schema.ts';
import { fillPath } from './testing/clients/endpoints.ts';
import { testDatabase } from './testing/database/database.ts';
import { ownerAccount } from './testing/faults/command-line-accounts.ts';
import { startServe } from './testing/server/command-line.ts';
import { temporaryDataDirectory } from './testing/server/data-directory.ts';
import { until } from './testing/server/until.ts';

/** Every secret contains this. */
const MARK = 'tellnobody';
const PASSWORD = `${MARK} shuttle in the shed`;

/** A closed port: each request of the server to it fails, and the failure is logged. */
const NOBODY = '127.0.0.1:9';

const settings = {
  HEDDLE_OWNER_PASSWORD: PASSWORD,
  HEDDLE_LOG_LEVEL: 'trace',
  HEDDLE_RATE_LIMITS: 'off',
  HEDDLE_HEARTBEAT_SECONDS: '1',
  HEDDLE_SLOW_REQUEST_MS: '1',
  HEDDLE_SMTP_URL: `smtp://heddle:${MARK}-smtp@${NOBODY}`,
  HEDDLE_PUSH_URL: `http://${NOBODY}`,
  HEDDLE_PUSH_ID: '6c8d1f6e-6d3a-4b6e-9d61-3f6f3f6b1f11',
  HEDDLE_PUSH_KEY: `${MARK}-push`,
  HEDDLE_BIG_BLUE_BUTTON_URL: `http://${NOBODY}/bigbluebutton/`,
  HEDDLE_BIG_BLUE_BUTTON_SECRET: `${MARK}-calls`,
  HEDDLE_S3_BUCKET: 'heddle-files',
  HEDDLE_S3_ENDPOINT: `http://${NOBODY}`,
  HEDDLE_S3_ACCESS_KEY_ID: 'heddle',
  HEDDLE_S3_SECRET_ACCESS_KEY: `${MARK}-store`,
  HEDDLE_LDAP_URL: `ldap://${NOBODY}`,
  HEDDLE_LDAP_BASE: 'dc=example,dc=com',
  HEDDLE_LDAP_BIND_DN: 'cn=heddle',
  HEDDLE_LDAP_BIND_PASSWORD: `${MARK}-directory`,
  HEDDLE_OIDC_ISSUER: `http://${NOBODY}`,
  HEDDLE_OIDC_CLIENT_ID: 'heddle',
  HEDDLE_OIDC_CLIENT_SECRET: `${MARK}-provider`,
  HEDDLE_JWT_KEY: `${MARK}-tokens-${'0'.repeat(32)}`,
};

/** Operations that would end the test: they replace the key of the caller, or close the account or the organization. */
const ENDING = /regenerate|deactivate|delete_?(own|user|account)|password/i;

/** A value that the schema mostly accepts, with the mark in each text. */
function marked(schema: JsonSchema, name: string): unknown {
  if ('const' in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return marked(schema.anyOf.find(({ type }) => type === 'string') ?? schema.anyOf[0] ?? {}, name);
  switch (schema.type) {
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'object': {
      const required = Object.entries(schema.properties ?? {}).filter(([key]) => schema.required?.includes(key));
      return Object.fromEntries(required.map(([key, inner]) => [key, marked(inner, key)]));
    }
    default:
      return /email/.test(name) ? `${MARK}@example.com` : `${MARK} ${name}`;
  }
}

function requestOf(endpoint: Endpoint): { readonly path: string; readonly fields: URLSearchParams } {
  const values = Object.entries(endpoint.parameters).map(([name, { schema }]) => {
    const known = { to: 'general', queue_id: `${MARK}:1`, type: 'channel', topic: MARK, username: 'owner@localhost' };
    return [name, known[name as keyof typeof known] ?? marked(jsonSchemaOf(schema), name)] as const;
  });
  const { path, rest } = fillPath(endpoint, Object.fromEntries(values));
  const texts = Object.entries(rest).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return {
    path: endpoint.outsideApi ? path : apiPrefix + path,
    fields: new URLSearchParams(texts as [string, string][]),
  };
}

/** Sends the request, and ignores its response. */
async function send(
  url: string,
  method: string,
  path: string,
  fields: URLSearchParams,
  headers: Record<string, string>,
) {
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const address = hasBody ? `${url}${path}` : `${url}${path}${path.includes('?') ? '&' : '?'}${fields}`;
  const response = await fetch(address, { method, headers, redirect: 'manual', ...(hasBody && { body: fields }) });
  await response.arrayBuffer();
  return response.status;
}

test('no log contains a password, a key, a token, a message, an address of a file or a setting that is secret', async (t) => {
  const [data, database] = [await temporaryDataDirectory(), await testDatabase()];
  t.after(async () => {
    await data.remove();
    await database.drop();
  });
  const place = { HEDDLE_DATA_DIR: data.path, HEDDLE_DATABASE_URL: database.url };
  const server = await startServe({ ...place, ...settings });
  let sent = 0;
  const { url } = server;
  const account = await ownerAccount(url, PASSWORD);
  const authorized = { authorization: `Basic ${Buffer.from(`${account.email}:${account.apiKey}`).toString('base64')}` };
  const wrong = { authorization: `Basic ${Buffer.from(`${account.email}:${MARK}-key`).toString('base64')}` };
  const cookies = { cookie: `sessionid=${MARK}-session; csrftoken=${MARK}-csrf`, referer: `${url}/?token=${MARK}` };
  for (const endpoint of await allEndpoints()) {
    const { path, fields } = requestOf(endpoint);
    const isEnding = ENDING.test(endpoint.operationId) || endpoint.method === 'DELETE';
    for (const headers of isEnding ? [wrong, cookies] : [authorized, wrong, cookies]) {
      await send(url, endpoint.method, path, fields, headers as Record<string, string>);
      sent += 1;
    }
  }
  const message = { type: 'channel', to: 'general', topic: `${MARK} topic`, content: `${MARK} text` };
  assert.equal(await send(url, 'POST', '/api/v1/messages', new URLSearchParams(message), authorized), 200);
  const file = new FormData();
  file.append('file', new Blob([`${MARK} content`]), `${MARK}.txt`);
  await (await fetch(`${url}/api/v1/user_uploads`, { method: 'POST', body: file, headers: authorized })).arrayBuffer();
  for (const path of [`/user_uploads/2/ab/${MARK}/file.txt`, `/${MARK}`, `/reset/${MARK}`, `/join/${MARK}/`]) {
    await send(url, 'GET', path, new URLSearchParams({ token: MARK }), authorized);
  }
  const bot = await fetch(`${url}/api/v1/bots`, {
    method: 'POST',
    headers: authorized,
    body: new URLSearchParams({ full_name: 'Hooks', short_name: 'hooks', bot_type: '1' }),
  });
  const { api_key: botKey } = (await bot.json()) as { readonly api_key: string };
  for (const place of ['stream=general', 'stream=nowhere', 'webhook_secret=x', `only_events=${MARK}`]) {
    const query = `api_key=${botKey}&topic=${MARK}&${place}`;
    await send(
      url,
      'POST',
      `/api/v1/external/alertmanager?${query}`,
      new URLSearchParams({ payload: `{"${MARK}": 1}` }),
      {},
    );
  }
  const login = new URLSearchParams({ username: account.email, password: `${MARK}-wrong` });
  await send(url, 'POST', '/api/v1/fetch_api_key', login, {});
  await until(async () => (await fetch(`${url}/health/live`)).ok, 'a server that responds');
  const { err, code } = await server.stop();
  assert.equal(code, 0);
  assert.ok(sent > 300, 'the contract has fewer operations than expected');
  const lines = err.split('\n');
  assert.ok(
    lines.some((line) => line.includes('"answered"')),
    'the log has no lines about requests',
  );
  const secrets = [
    MARK,
    account.apiKey,
    botKey,
    ...[authorized, wrong].map(({ authorization }) => authorization.slice(6)),
  ];
  for (const secret of secrets) {
    const telling = lines.filter((line) => line.includes(secret)).slice(0, 3);
    assert.deepEqual(telling, [], `the log contains ${secret}`);
  }
});
