/** A small server with the HTTP layer alone, for the tests of the layer. */
import { connect } from 'node:net';
import { defaulted, defineEndpoint, inPath, optional, required } from '@heddle/api/contract.ts';
import { deactivatedUser, unauthorized, unknownOrganization } from '@heddle/api/errors.ts';
import Type from 'typebox';
import { rawJson } from '../../http/answers/raw-json.ts';
import type { Limits } from '../../http/limits/limits.ts';
import { createLogger } from '../../http/logging.ts';
import { type Authenticator, HeldAnswer, type HeldRequest, type Route, routeFor } from '../../http/requests/route.ts';
import { createHttpServer, type HttpServer } from '../../http/server.ts';
import { checkAnswer } from '../clients/contract-check.ts';
import { Arrivals, sampleFileRoutes } from './sample-files.ts';

interface Organization {
  readonly name: string;
}

interface Caller {
  readonly id: number;
  /** For email addresses like `one of somebody@example.com`. */
  readonly ownerId?: string;
}

const authenticator: Authenticator<Organization, Caller> = {
  async organizationOf(host, beforeAsking) {
    if (!host.startsWith('nowhere.')) return { name: 'root' };
    beforeAsking();
    throw unknownOrganization('nowhere');
  },
  organizationKey: (organization) => organization.name,
  checkMayCall: () => undefined,
  authenticate(_, { email, apiKey }) {
    if (email === 'gone@example.com') throw deactivatedUser();
    if (apiKey !== 'right') throw unauthorized('Invalid API key');
    const [, ownerId] = /^.+ of (.+)@/.exec(email) ?? [];
    return { id: email.length, ...(ownerId !== undefined && { ownerId }) };
  },
  accountWithKey: () => {
    throw unauthorized('Invalid API key');
  },
  callerOfSession: async () => undefined,
  limiterKey: (caller) => `user ${caller.id}`,
  ownerKey: ({ ownerId }) => ownerId,
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

const hold = defineEndpoint({
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

const holdNoLonger = defineEndpoint({ ...hold, operationId: 'hold-no-longer', path: '/held-no-longer' });
const holdInVain = defineEndpoint({ ...hold, operationId: 'hold-in-vain', path: '/held-in-vain' });

function burn(): never {
  throw new Error('the disk is on fire');
}

/** A request that is held. */
export interface SampleWait {
  /** Resolves when the client has hung up. */
  readonly hungUp: Promise<void>;
  answer(): void;
  /** Responds with an unexpected error. */
  fail(): void;
}

class SampleAnswer extends HeldAnswer<Nothing> {
  override readonly begin: (request: HeldRequest<Nothing>) => void;
  override readonly hungUp: () => void;

  constructor(begin: (request: HeldRequest<Nothing>) => void, hungUp = () => {}) {
    super();
    this.begin = begin;
    this.hungUp = hungUp;
  }
}

type Nothing = Record<never, never>;

/** Passes on each held request, and responds on request. */
class Holder {
  #waiting = Promise.withResolvers<SampleWait>();

  hold(): HeldAnswer<Nothing> {
    const { promise: hungUp, resolve } = Promise.withResolvers<void>();
    return new SampleAnswer((request) => this.#hand(request, hungUp), resolve);
  }

  #hand(request: HeldRequest<Nothing>, hungUp: Promise<void>): void {
    this.#waiting.resolve({ hungUp, answer: () => request.settle(() => ({})), fail: () => request.settle(burn) });
  }

  async next(): Promise<SampleWait> {
    const waiting = await this.#waiting.promise;
    this.#waiting = Promise.withResolvers();
    return waiting;
  }
}

/** A separate server with endpoints that show what the layer does. */
export interface Sample {
  readonly server: HttpServer;
  readonly base: string;
  readonly port: number;
  readonly holder: Holder;
  readonly arrivals: Arrivals;
  readonly logged: () => string;
}

/** Starts the sample server on a free port. The test stops it. */
export async function startSample(
  limits: Limits | 'off' = 'off',
  trustProxy: boolean | number | readonly string[] = false,
  more: readonly Route<Organization, Caller>[] = [],
  slowRequestMs = 60_000,
): Promise<Sample> {
  const holder = new Holder();
  const arrivals = new Arrivals();
  let logged = '';
  const server = await createHttpServer<Organization, Caller>({
    authenticator,
    version: '0.0.0',
    limits,
    trustProxy,
    slowRequestMs,
    log: createLogger('debug', {
      write: (line) => {
        logged += line;
      },
    }),
    onAnswer: checkAnswer,
    routes: [
      ...more,
      ...sampleFileRoutes<Organization, Caller>(arrivals),
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
      route(failing, {}, burn),
      route(hold, { limit: 'none' }, () => holder.hold()),
      route(holdNoLonger, { limit: 'none' }, () => new SampleAnswer((request) => request.settle(() => ({})))),
      route(holdInVain, { limit: 'none' }, () => {
        const refuse = () => {
          throw unknownOrganization('nowhere');
        };
        return new SampleAnswer((request) => request.settle(refuse));
      }),
    ],
  });
  const { port } = await server.listen('127.0.0.1', 0);
  return { server, port, base: `http://127.0.0.1:${port}/api/v1`, holder, arrivals, logged: () => logged };
}

/** Credentials of a caller whose id is 16. */
export const authorization = `Basic ${Buffer.from('iago@example.com:right').toString('base64')}`;

/** A `POST` of a URL-encoded form with those credentials. */
export function form(fields: Record<string, string>): RequestInit {
  return { method: 'POST', body: new URLSearchParams(fields), headers: { authorization } };
}

/** Sends bytes unchanged and collects the response until the server closes the connection. */
export function exchange(port: number, bytes: string | Buffer): Promise<string> {
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
