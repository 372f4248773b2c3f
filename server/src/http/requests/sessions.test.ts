import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { defineEndpoint } from '@heddle/api/contract.ts';
import { unauthorized } from '@heddle/api/errors.ts';
import { pino } from 'pino';
import Type from 'typebox';
import { page } from '../answers/answers.ts';
import { defaultLimitRules, limitsBy } from '../limits/limits.ts';
import { createHttpServer } from '../server.ts';
import { type Authenticator, routeFor } from './route.ts';

interface Caller {
  readonly name: string;
}

const asked: string[] = [];
const authenticator: Authenticator<object, Caller> = {
  organizationOf: () => ({}),
  authenticate(_, { apiKey }) {
    if (apiKey !== 'right') throw unauthorized('Invalid API key');
    return { name: 'program' };
  },
  async callerOfSession(_, token) {
    asked.push(token);
    return token === 'good' ? { name: 'browser' } : undefined;
  },
  checkMayCall: () => undefined,
  accountWithKey: () => assert.fail('no endpoint takes a key in its URL'),
  organizationKey: () => '',
  limiterKey: ({ name }) => name,
  ownerKey: () => undefined,
};

const common = { area: 'samples', summary: 'Says who asks', errors: [], parameters: {} } as const;
const response = Type.Object({ name: Type.String() });

const shared = defineEndpoint({
  ...common,
  operationId: 'shared',
  method: 'GET',
  path: '/shared',
  authentication: 'required',
  session: true,
  response,
});
const programsOnly = defineEndpoint({
  ...common,
  operationId: 'programs',
  method: 'GET',
  path: '/programs',
  authentication: 'required',
  response,
});
const open = defineEndpoint({
  ...common,
  operationId: 'open',
  method: 'GET',
  path: '/open',
  authentication: 'optional',
  session: true,
  response,
});
const upload = defineEndpoint({
  ...common,
  operationId: 'upload',
  method: 'PATCH',
  path: '/upload',
  authentication: 'required',
  session: true,
  body: { takes: 'bytes', contentTypes: ['application/offset+octet-stream'] },
  response,
});
const form = defineEndpoint({
  ...common,
  operationId: 'form',
  method: 'POST',
  path: '/form/',
  outsideApi: true,
  authentication: 'none',
  response: { kind: 'page' },
});

const route = routeFor<object, Caller>();
const server = await createHttpServer<object, Caller>({
  authenticator,
  log: pino({ enabled: false }),
  version: '0.0.0',
  limits: 'off',
  cookies: { isSecure: false, csrfKey: Buffer.from('key') },
  routes: [
    route(shared, {}, ({ caller }) => caller),
    route(programsOnly, {}, ({ caller }) => caller),
    route(open, {}, ({ caller }) => caller ?? { name: 'nobody' }),
    route(upload, { body: { maximumBytes: 100, withinSeconds: 5 } }, async ({ caller, body }) => {
      for await (const _ of body.content) void _;
      return caller;
    }),
    route(form, {}, () => page('<!doctype html><title>Taken</title>')),
  ],
});
const { port } = await server.listen('127.0.0.1', 0);
after(() => server.stop(1000));

const site = `http://127.0.0.1:${port}`;
const authorization = `Basic ${btoa('a:right')}`;
const cookie = 'sessionid=good';

async function ask(path: string, headers: Record<string, string> = {}, init: RequestInit = {}) {
  const response = await fetch(site + path, { ...init, headers });
  const body = (await response.json()) as { readonly name?: string; readonly code?: string; readonly reason?: string };
  return { status: response.status, ...body, headers: response.headers };
}

// rules: login-11
test('an endpoint with `session` accepts credentials or a session, and credentials take precedence', async () => {
  assert.equal((await ask('/api/v1/shared', { authorization })).name, 'program');
  assert.equal((await ask('/api/v1/shared', { cookie })).name, 'browser');
  assert.equal((await ask('/api/v1/shared', { cookie, authorization })).name, 'program');
  assert.equal((await ask('/api/v1/shared', { cookie, authorization: `Basic ${btoa('a:wrong')}` })).status, 401);
  assert.equal((await ask('/api/v1/shared', { cookie: 'sessionid=bad' })).code, 'UNAUTHORIZED');
  assert.equal((await ask('/api/v1/shared')).code, 'UNAUTHORIZED');
});

test('other endpoints under /api/v1 refuse sessions without looking them up', async () => {
  asked.length = 0;
  assert.equal((await ask('/api/v1/programs', { cookie })).status, 401);
  assert.deepEqual(asked, []);
});

test('all endpoints under /json accept sessions and no credentials', async () => {
  assert.equal((await ask('/json/programs', { cookie })).name, 'browser');
  assert.equal((await ask('/json/shared', { cookie, authorization })).name, 'browser');
  const refused = await ask('/json/programs', { authorization });
  assert.deepEqual([refused.status, refused.headers.get('www-authenticate')], [401, 'Session realm="zulip"']);
  assert.equal((await ask('/json/nowhere', { cookie })).status, 404);
  assert.equal((await ask('/json', { cookie })).status, 404);
});

test('a client with an expired session counts as a spectator if the endpoint admits spectators', async () => {
  assert.equal((await ask('/json/open', { cookie })).name, 'browser');
  assert.equal((await ask('/json/open', { cookie: 'sessionid=bad' })).name, 'nobody');
  assert.equal((await ask('/json/open')).name, 'nobody');
});

test('responses for cookies do not allow credentials of other origins', async () => {
  const { headers } = await ask('/json/programs', { cookie, origin: 'https://evil.example' });
  assert.equal(headers.get('access-control-allow-credentials'), null);
});

// rules: login-11, files-8
test('an upload with a session requires a matching Origin header, and one with credentials does not', async () => {
  const send = (headers: Record<string, string>) =>
    ask(
      '/api/v1/upload',
      { 'content-type': 'application/offset+octet-stream', ...headers },
      { method: 'PATCH', body: 'x' },
    );
  assert.equal((await send({ cookie, origin: site })).name, 'browser');
  assert.equal((await send({ authorization })).name, 'program');
  assert.equal((await send({ authorization, origin: 'https://evil.example' })).name, 'program');
  for (const headers of [{}, { origin: 'https://evil.example' }, { origin: 'null' }, { origin: `${site}0` }]) {
    const { status, code } = await send({ cookie, ...headers });
    assert.deepEqual([status, code], [403, 'CSRF_FAILED'], JSON.stringify(headers));
  }
});

test('a page form is refused without the CSRF token, with and without credentials', async () => {
  for (const headers of [{}, { authorization }, { cookie }, { cookie: 'csrftoken=' }]) {
    const { status, code } = await ask('/form/', headers, { method: 'POST', body: new URLSearchParams() });
    assert.deepEqual([status, code], [403, 'CSRF_FAILED'], JSON.stringify(headers));
  }
  const body = new URLSearchParams({ csrfmiddlewaretoken: 'abc' });
  const response = await fetch(`${site}/form/`, { method: 'POST', body, headers: { cookie: 'csrftoken=abc' } });
  assert.equal(response.status, 200);
});

test('invalid sessions are limited per address before lookup, without limiting valid ones', async () => {
  const limits = limitsBy({ ...defaultLimitRules, address: { requests: 2, windowSeconds: 60 } });
  const limited = await createHttpServer<object, Caller>({
    authenticator,
    log: pino({ enabled: false }),
    version: '0.0.0',
    limits,
    cookies: { isSecure: false, csrfKey: Buffer.from('key') },
    routes: [route(shared, {}, ({ caller }) => caller)],
  });
  try {
    const address = await limited.listen('127.0.0.1', 0);
    const statusOf = async (token: string) => {
      const headers = { cookie: `sessionid=${token}` };
      return (await fetch(`http://127.0.0.1:${address.port}/api/v1/shared`, { headers })).status;
    };
    assert.equal(await statusOf('good'), 200);
    assert.deepEqual([await statusOf('bad'), await statusOf('bad')], [401, 401]);
    asked.length = 0;
    assert.equal(await statusOf('bad'), 429);
    assert.deepEqual(asked, []);
    assert.equal(await statusOf('good'), 200);
  } finally {
    await limited.stop(1000);
  }
});
