import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { defaulted, defineEndpoint, inPath, optional, required } from '@heddle/api/contract.ts';
import { deactivatedUser, unauthorized, unknownOrganization } from '@heddle/api/errors.ts';
import Type from 'typebox';
import { checkAnswer } from '../testing/contract-check.ts';
import { Limits } from './limits.ts';
import { createLogger } from './logging.ts';
import { type Gatekeeper, rawJson, routeFor } from './route.ts';
import { createHttpServer, type HttpServer } from './server.ts';

interface Organization {
  readonly name: string;
}

interface Caller {
  readonly id: number;
}

const gatekeeper: Gatekeeper<Organization, Caller> = {
  organizationOf(host) {
    if (host.startsWith('nowhere.')) throw unknownOrganization('nowhere');
    return { name: 'root' };
  },
  organizationKey: (organization) => organization.name,
  async authenticate(_, email, apiKey) {
    if (email === 'gone@example.com') throw deactivatedUser();
    if (apiKey !== 'right') throw unauthorized('Invalid API key');
    return { id: email.length };
  },
  limiterKey: (caller) => `user ${caller.id}`,
};

const route = routeFor<Organization, Caller>();

const echo = defineEndpoint({
  operationId: 'echo',
  method: 'POST',
  path: '/echo',
  area: 'samples',
  summary: 'Says what it heard',
  authentication: 'required',
  parameters: {
    content: required(Type.String()),
    to: optional(Type.Union([Type.String(), Type.Integer(), Type.Array(Type.Integer())])),
    count: defaulted(Type.Integer(), 1),
  },
  response: Type.Object({
    content: Type.String(),
    to: Type.Optional(Type.Unknown()),
    count: Type.Integer(),
    client: Type.String(),
    caller_id: Type.Integer(),
  }),
  errors: [],
});

const user = defineEndpoint({
  operationId: 'get-user',
  method: 'GET',
  path: '/users/{user_id}',
  area: 'samples',
  summary: 'A user by id',
  authentication: 'none',
  parameters: { user_id: inPath(Type.Integer()) },
  response: Type.Object({ user_id: Type.Integer() }),
  errors: [],
});

const userByEmail = defineEndpoint({
  operationId: 'get-user-by-email',
  method: 'GET',
  path: '/users/{email}',
  area: 'samples',
  summary: 'A user by email',
  authentication: 'none',
  parameters: { email: inPath(Type.String()) },
  response: Type.Object({ email: Type.String() }),
  errors: [],
});

const updateUser = defineEndpoint({
  operationId: 'update-user',
  method: 'PATCH',
  path: '/users/{email}',
  area: 'samples',
  summary: 'Renames a user',
  authentication: 'none',
  parameters: { email: inPath(Type.String()), full_name: optional(Type.String()) },
  response: Type.Object({ email: Type.String(), full_name: Type.Optional(Type.String()) }),
  errors: [],
});

const view = defineEndpoint({
  operationId: 'delete-view',
  method: 'DELETE',
  path: '/views/{fragment}',
  area: 'samples',
  summary: 'Deletes a view',
  authentication: 'none',
  parameters: { fragment: inPath(Type.String(), { restOfPath: true }), hard: defaulted(Type.Boolean(), false) },
  response: Type.Object({ fragment: Type.String(), hard: Type.Boolean() }),
  errors: [],
});

const raw = defineEndpoint({
  operationId: 'get-raw',
  method: 'GET',
  path: '/raw',
  area: 'samples',
  summary: 'Bytes',
  authentication: 'optional',
  parameters: {},
  response: Type.Object({ known: Type.Boolean() }),
  errors: [],
});

const login = defineEndpoint({
  operationId: 'log-in',
  method: 'POST',
  path: '/login',
  area: 'samples',
  summary: 'Logs in',
  authentication: 'none',
  parameters: { username: required(Type.String()), password: required(Type.String()) },
  response: Type.Object({}),
  errors: ['UNAUTHORIZED'],
});

const failing = defineEndpoint({
  operationId: 'fail',
  method: 'GET',
  path: '/failing',
  area: 'samples',
  summary: 'Fails',
  authentication: 'none',
  parameters: {},
  response: Type.Object({}),
  errors: [],
});

const held = defineEndpoint({
  operationId: 'hold',
  method: 'GET',
  path: '/held',
  area: 'samples',
  summary: 'Answers when it is told to',
  authentication: 'none',
  parameters: {},
  response: Type.Object({}),
  errors: [],
});

/** Hands over each held request, and answers it when asked to. */
class Holder {
  #waiting = Promise.withResolvers<{ readonly signal: AbortSignal; answer(): void }>();

  hold(signal: AbortSignal): Promise<void> {
    const answered = Promise.withResolvers<void>();
    this.#waiting.resolve({ signal, answer: () => answered.resolve() });
    return answered.promise;
  }

  async next(): Promise<{ readonly signal: AbortSignal; answer(): void }> {
    const waiting = await this.#waiting.promise;
    this.#waiting = Promise.withResolvers();
    return waiting;
  }
}

interface Sample {
  readonly server: HttpServer;
  readonly base: string;
  readonly port: number;
  readonly holder: Holder;
  readonly logged: () => string;
}

async function startSample(limits: Limits | 'off' = 'off'): Promise<Sample> {
  const holder = new Holder();
  let logged = '';
  const server = await createHttpServer<Organization, Caller>({
    gatekeeper,
    limits,
    log: createLogger('info', {
      write: (line) => {
        logged += line;
      },
    }),
    onAnswer: checkAnswer,
    routes: [
      route(echo, {}, ({ parameters: { content, to, count }, client, caller }) => ({
        content,
        count,
        client,
        caller_id: caller.id,
        ...(to === undefined ? {} : { to }),
      })),
      route(user, {}, ({ parameters }) => ({ user_id: parameters.user_id })),
      route(userByEmail, {}, ({ parameters }) => ({ email: parameters.email })),
      route(updateUser, {}, ({ parameters: { email, full_name } }) => ({
        email,
        ...(full_name === undefined ? {} : { full_name }),
      })),
      route(view, {}, ({ parameters }) => parameters),
      route(raw, {}, ({ caller }) => {
        const body = `{"result":"success","msg":"","known":${caller !== undefined}}`;
        return rawJson(caller ? Buffer.from(body) : body);
      }),
      route(login, { limit: 'login', account: ({ username }) => username }, ({ parameters }) => {
        if (parameters.password !== 'right') throw unauthorized('no');
        return {};
      }),
      route(failing, {}, () => {
        throw new Error('the disk is on fire');
      }),
      route(held, { limit: 'none' }, async ({ signal }) => {
        await holder.hold(signal);
        return {};
      }),
    ],
  });
  const { port } = await server.listen('127.0.0.1', 0);
  return { server, port, base: `http://127.0.0.1:${port}/api/v1`, holder, logged: () => logged };
}

const authorization = `Basic ${Buffer.from('iago@example.com:right').toString('base64')}`;

function form(fields: Record<string, string>): RequestInit {
  return { method: 'POST', body: new URLSearchParams(fields), headers: { authorization } };
}

/** Sends bytes as they are and collects what comes back until the server closes. */
function exchange(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('utf8');
    socket.on('data', (text) => {
      received += text;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
  });
}

describe('the HTTP layer', () => {
  let sample: Sample;
  before(async () => {
    sample = await startSample();
  });
  after(() => sample.server.stop(1000));

  const get = (path: string, init?: RequestInit): Promise<Response> => fetch(sample.base + path, init);

  test('a URL-encoded form reaches the handler, the answer wears the envelope', async () => {
    const response = await get('/echo', form({ content: 'hé & co', to: '[7]', count: '2' }));
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type') ?? '', /^application\/json\b/);
    assert.deepEqual(await response.json(), {
      result: 'success',
      msg: '',
      content: 'hé & co',
      to: [7],
      count: 2,
      client: 'node',
      caller_id: 16,
    });
  });

  test('a multipart form does too, and its files are no parameters', async () => {
    const body = new FormData();
    body.append('content', 'hé');
    body.append('count', '3');
    body.append('file', new Blob(['x']), 'x.txt');
    const response = await get('/echo', { method: 'POST', body, headers: { authorization } });
    assert.deepEqual(await response.json(), {
      result: 'success',
      msg: '',
      content: 'hé',
      count: 3,
      client: 'node',
      caller_id: 16,
    });
  });

  test('parameters of a POST may come in the query', async () => {
    const response = await get('/echo?content=q', { method: 'POST', headers: { authorization } });
    assert.equal(((await response.json()) as { content: string }).content, 'q');
  });

  test('an empty JSON body is no body, another is refused with a reason', async () => {
    const headers = { authorization, 'content-type': 'application/json' };
    const empty = await get('/echo?content=q', { method: 'POST', body: '{}', headers });
    assert.equal(empty.status, 200);
    const refused = await get('/echo', { method: 'POST', body: '{"content":"x"}', headers });
    assert.equal(refused.status, 400);
    assert.match(
      ((await refused.json()) as { msg: string }).msg,
      /application\/x-www-form-urlencoded.*not application\/json/,
    );
  });

  test('malformed multipart bodies are refused', async () => {
    for (const [type, body] of [
      ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1'],
      ['multipart/form-data', 'x'],
    ] as const) {
      const response = await get('/echo', { method: 'POST', body, headers: { authorization, 'content-type': type } });
      assert.equal(response.status, 400);
    }
  });

  test('unknown parameters come back as ignored', async () => {
    const response = await get('/echo?later=1', form({ content: 'x', sooner: '1' }));
    const body = (await response.json()) as { ignored_parameters_unsupported: string[] };
    assert.deepEqual(body.ignored_parameters_unsupported, ['later', 'sooner']);
  });

  test('they are put into bodies that are serialized already, text or bytes', async () => {
    const ignored = ['x'];
    const text = await (await get('/raw?x=1')).json();
    assert.deepEqual(text, { result: 'success', msg: '', known: false, ignored_parameters_unsupported: ignored });
    const bytes = await (await get('/raw?x=1', { headers: { authorization } })).json();
    assert.deepEqual(bytes, { result: 'success', msg: '', known: true, ignored_parameters_unsupported: ignored });
  });

  test('a missing parameter is told by name', async () => {
    const response = await get('/echo', form({}));
    assert.equal(response.status, 400);
    assert.deepEqual(await response.json(), {
      result: 'error',
      msg: "Missing 'content' argument",
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'content',
    });
  });

  test('missing, malformed and wrong credentials are a 401 with a challenge', async () => {
    const cases: readonly (readonly [header: string | undefined, message: string])[] = [
      [undefined, 'Not logged in: API authentication or user session required'],
      ['Bearer abc', 'This endpoint requires HTTP basic authentication.'],
      ['Basic', 'Invalid authorization header for basic auth'],
      ['Basic !!!!', 'Invalid authorization header for basic auth'],
      [`Basic ${Buffer.from('no colon').toString('base64')}`, 'Invalid authorization header for basic auth'],
      [`Basic ${Buffer.from('a:b:c').toString('base64')}`, 'Invalid authorization header for basic auth'],
      [
        `Basic ${Buffer.from('a\0@example.com:right').toString('base64')}`,
        'Invalid authorization header for basic auth',
      ],
      [`Basic ${Buffer.from('iago@example.com:wrong').toString('base64')}`, 'Invalid API key'],
    ];
    for (const [header, msg] of cases) {
      const headers = header === undefined ? {} : { authorization: header };
      const response = await get('/echo', { method: 'POST', headers });
      assert.equal(response.status, 401, msg);
      assert.equal(response.headers.get('www-authenticate'), 'Basic realm="zulip"');
      assert.deepEqual(await response.json(), { result: 'error', msg, code: 'UNAUTHORIZED' });
    }
  });

  test('the scheme of the credentials may be in any case', async () => {
    const response = await get('/raw', { headers: { authorization: authorization.replace('Basic', 'bASIC') } });
    assert.equal(((await response.json()) as { known: boolean }).known, true);
  });

  test('a deactivated account is told so', async () => {
    const credentials = Buffer.from('gone@example.com:right').toString('base64');
    const response = await get('/echo', { method: 'POST', headers: { authorization: `Basic ${credentials}` } });
    assert.equal(response.status, 401);
    assert.deepEqual(await response.json(), {
      result: 'error',
      msg: 'Account is deactivated',
      code: 'USER_DEACTIVATED',
    });
  });

  test('where credentials are optional, wrong ones are still refused', async () => {
    const response = await get('/raw', { headers: { authorization: 'Basic eDp5' } });
    assert.equal(response.status, 401);
  });

  test('integers and other segments of one path are different endpoints', async () => {
    assert.deepEqual(await (await get('/users/17')).json(), { result: 'success', msg: '', user_id: 17 });
    assert.deepEqual(await (await get('/users/a%2Fb@example.com')).json(), {
      result: 'success',
      msg: '',
      email: 'a/b@example.com',
    });
    assert.equal(((await (await get('/users/17', { method: 'PATCH' })).json()) as { email: string }).email, '17');
  });

  test('a rest of the path keeps its slashes', async () => {
    const response = await get('/views/narrow/is/starred%20x?hard=true', { method: 'DELETE' });
    assert.deepEqual(await response.json(), {
      result: 'success',
      msg: '',
      fragment: 'narrow/is/starred x',
      hard: true,
    });
  });

  test('DELETE takes its parameters from a form as well', async () => {
    const response = await get('/views/x', { method: 'DELETE', body: new URLSearchParams({ hard: 'true' }) });
    assert.equal(((await response.json()) as { hard: boolean }).hard, true);
  });

  test('an unknown path is a JSON 404', async () => {
    for (const path of ['/nothing', '/views', '/users/1/2', '/users/%00/x']) {
      const response = await get(path);
      assert.equal(response.status, 404, path);
      assert.deepEqual(await response.json(), { result: 'error', msg: 'Not found', code: 'NOT_FOUND' });
    }
  });

  test('a known path with another method is a 405 that says which it has', async () => {
    const response = await get('/users/someone', { method: 'DELETE' });
    assert.equal(response.status, 405);
    assert.equal(response.headers.get('allow'), 'GET, HEAD, OPTIONS, PATCH');
    assert.deepEqual(await response.json(), {
      result: 'error',
      msg: 'Method Not Allowed',
      code: 'METHOD_NOT_ALLOWED',
      allowed_methods: ['GET', 'HEAD', 'OPTIONS', 'PATCH'],
    });
  });

  test('OPTIONS and HEAD are answered without a body', async () => {
    const options = await get('/echo', { method: 'OPTIONS' });
    assert.equal(options.status, 204);
    assert.equal(options.headers.get('allow'), 'OPTIONS, POST');
    assert.equal(options.headers.get('access-control-allow-origin'), '*');
    const head = await get('/users/17', { method: 'HEAD' });
    assert.equal(head.status, 200);
    assert.equal(await head.text(), '');
  });

  test('an unknown subdomain is a 404', async () => {
    const received = await exchange(
      sample.port,
      'GET /api/v1/users/1 HTTP/1.1\r\nHost: nowhere.example.com\r\nConnection: close\r\n\r\n',
    );
    assert.match(received, /^HTTP\/1.1 404 /);
    assert.match(received, /"code":"NONEXISTENT_SUBDOMAIN"/);
  });

  test('bodies over the limit are a 413', async () => {
    const response = await get('/echo', form({ content: 'x'.repeat(5_000_000) }));
    assert.equal(response.status, 413);
    assert.equal(((await response.json()) as { code: string }).code, 'PAYLOAD_TOO_LARGE');
  });

  test('our own failures are a 500 that tells nothing, the log tells', async () => {
    const response = await get('/failing?password=hunter2');
    assert.equal(response.status, 500);
    assert.deepEqual(await response.json(), {
      result: 'error',
      msg: 'Internal server error',
      code: 'INTERNAL_SERVER_ERROR',
    });
    const id = response.headers.get('x-request-id');
    assert.ok(id);
    const line = sample
      .logged()
      .split('\n')
      .find((entry) => entry.includes('the disk is on fire'));
    assert.ok(line?.includes(id));
  });

  test('logs hold no credentials, no parameters and no addresses of users', async () => {
    await get('/echo?password=hunter2', form({ content: 'a secret', api_key: 'hunter2' }));
    await get('/users/hamlet@example.com');
    await get('/nothing?api_key=hunter2');
    assert.match(sample.logged(), /"path":"\/api\/v1\/users\/\{email\}"/);
    assert.doesNotMatch(sample.logged(), /hunter2|a secret|hamlet|aWFnb0BleGFtcGxlLmNvbT/);
  });

  test('the client is named by its agent, or by the parameter', async () => {
    const nameFor = async (agent: string, fields: Record<string, string> = {}): Promise<string> => {
      const init = form({ content: 'x', ...fields });
      const response = await get('/echo', { ...init, headers: { authorization, 'user-agent': agent } });
      return ((await response.json()) as { client: string }).client;
    };
    assert.equal(await nameFor('ZulipPython/0.9'), 'ZulipPython');
    assert.equal(await nameFor('ZulipPython/0.9', { client: 'MyBot' }), 'MyBot');
  });

  test('nothing that a client sends makes a 500', async () => {
    const requests: readonly (string | Buffer)[] = [
      'GET /api/v1/users/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      'GET /api/v1/users/%ff%fe HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      'GET /api/v1/users/%00 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      'GET /api/v1/users/1?%zz=%zz&%ff=%ff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      'GET /api/v1/users/99999999999999999999 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      `GET /api/v1/users/${'x'.repeat(3000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      `GET /api/v1/users/1 HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
      'GET /api/v1/users/1 HTTP/1.1\r\nConnection: close\r\n\r\n',
      'GET //api/v1/users/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      'GET * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      'GET http://[/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      'PROPFIND /api/v1/users/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      'POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
      'POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      'POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Type: ;;;\r\nContent-Length: 3\r\nConnection: close\r\n\r\na=b',
      'POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nConnection: close\r\n\r\na=b',
      Buffer.concat([
        Buffer.from(
          'POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 12\r\nConnection: close\r\n\r\nusername=',
        ),
        Buffer.from([0xff, 0x00, 0xfe]),
      ]),
      'POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=\r\nContent-Length: 3\r\nConnection: close\r\n\r\na=b',
      'nonsense\r\n\r\n',
      Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03]),
    ];
    for (const request of requests) {
      const received = await exchange(sample.port, request);
      const shown = request.toString('latin1').slice(0, 120);
      assert.match(received, /^HTTP\/1\.1 (200|4\d\d) /, `${shown}\n→ ${received.slice(0, 200)}`);
    }
  });

  test('what is not HTTP is told so in JSON', async () => {
    const received = await exchange(sample.port, 'nonsense\r\n\r\n');
    assert.match(received, /^HTTP\/1\.1 400 Bad Request\r\n/);
    assert.match(received, /"code":"BAD_REQUEST"/);
    const overflow = await exchange(sample.port, `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`);
    assert.match(overflow, /^HTTP\/1\.1 431 /);
    assert.match(overflow, /"code":"HEADERS_TOO_LARGE"/);
  });

  test('the signal is aborted when the client hangs up', async () => {
    const hangUp = new AbortController();
    const request = get('/held', { signal: hangUp.signal });
    const waiting = await sample.holder.next();
    assert.equal(waiting.signal.aborted, false);
    const aborted = new Promise((resolve) => waiting.signal.addEventListener('abort', resolve));
    hangUp.abort();
    await assert.rejects(request);
    await aborted;
    waiting.answer();
  });
});

describe('limits', () => {
  test('an account has so many requests, then it is told how long to wait', async () => {
    let now = 0;
    const rule = { requests: 2, windowSeconds: 60 };
    const limits = new Limits({ account: rule, address: rule, loginAccount: rule, loginAddress: rule }, () => now);
    const sample = await startSample(limits);
    const ask = (): Promise<Response> => fetch(`${sample.base}/echo`, form({ content: 'x' }));
    const first = await ask();
    assert.equal(first.headers.get('x-ratelimit-limit'), '2');
    assert.equal(first.headers.get('x-ratelimit-remaining'), '1');
    assert.ok(Number(first.headers.get('x-ratelimit-reset')) > Date.now() / 1000);
    now = 10_500;
    assert.equal((await ask()).status, 200);
    const refused = await ask();
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get('retry-after'), '49.5');
    assert.equal(refused.headers.get('x-ratelimit-remaining'), '0');
    assert.deepEqual(await refused.json(), {
      result: 'error',
      msg: 'API usage exceeded rate limit',
      'retry-after': 49.5,
      code: 'RATE_LIMIT_HIT',
    });
    const other = await fetch(`${sample.base}/raw`, {
      headers: { authorization: `Basic ${Buffer.from('a@example.com:right').toString('base64')}` },
    });
    assert.equal(other.status, 200, 'another account has its own');
    now = 60_000;
    assert.equal((await ask()).status, 200, 'a new window');
    await sample.server.stop(1000);
  });

  test('wrong credentials count against the address and never against right ones', async () => {
    const rule = { requests: 2, windowSeconds: 60 };
    const sample = await startSample(
      new Limits({ account: rule, address: rule, loginAccount: rule, loginAddress: rule }),
    );
    const guess = (): Promise<Response> => fetch(`${sample.base}/raw`, { headers: { authorization: 'Basic eDp5' } });
    assert.deepEqual([(await guess()).status, (await guess()).status, (await guess()).status], [401, 401, 429]);
    assert.equal((await fetch(`${sample.base}/echo`, form({ content: 'x' }))).status, 200);
    await sample.server.stop(1000);
  });

  test('failed logins are limited per account, and a success forgives them', async () => {
    const rule = { requests: 2, windowSeconds: 60 };
    const many = { requests: 100, windowSeconds: 60 };
    const sample = await startSample(
      new Limits({ account: many, address: many, loginAccount: rule, loginAddress: many }),
    );
    const attempt = async (username: string, password: string): Promise<number> =>
      (await fetch(`${sample.base}/login`, { method: 'POST', body: new URLSearchParams({ username, password }) }))
        .status;
    assert.equal(await attempt('a', 'wrong'), 401);
    assert.equal(await attempt('a', 'right'), 200);
    assert.equal(await attempt('a', 'wrong'), 401);
    assert.equal(await attempt('A ', 'wrong'), 401);
    assert.equal(await attempt('a', 'right'), 429);
    assert.equal(await attempt('b', 'right'), 200);
    await sample.server.stop(1000);
  });

  test('failed logins are limited per address over all accounts', async () => {
    const rule = { requests: 2, windowSeconds: 60 };
    const many = { requests: 100, windowSeconds: 60 };
    const sample = await startSample(
      new Limits({ account: many, address: many, loginAccount: many, loginAddress: rule }),
    );
    const attempt = async (username: string, password: string): Promise<number> =>
      (await fetch(`${sample.base}/login`, { method: 'POST', body: new URLSearchParams({ username, password }) }))
        .status;
    assert.equal(await attempt('a', 'right'), 200);
    assert.equal(await attempt('a', 'wrong'), 401);
    assert.equal(await attempt('b', 'wrong'), 401);
    assert.equal(await attempt('c', 'right'), 429);
    await sample.server.stop(1000);
  });
});

describe('stopping', () => {
  test('lets requests in flight finish, then nothing is accepted', async () => {
    const sample = await startSample();
    const request = fetch(`${sample.base}/held`);
    const waiting = await sample.holder.next();
    const stopped = sample.server.stop(60_000);
    waiting.answer();
    const response = await request;
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('connection'), 'close');
    await stopped;
    await assert.rejects(fetch(`${sample.base}/users/1`));
  });

  test('cuts off what does not finish in time', async () => {
    const sample = await startSample();
    const request = fetch(`${sample.base}/held`);
    const refused = assert.rejects(request);
    const waiting = await sample.holder.next();
    const aborted = new Promise((resolve) => waiting.signal.addEventListener('abort', resolve));
    await sample.server.stop(1);
    await refused;
    await aborted;
  });
});
