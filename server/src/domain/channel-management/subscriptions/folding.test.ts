import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { completed } from '@heddle/api/contract.ts';
import * as endpoints from '@heddle/api/endpoints/subscriptions.ts';
import { ApiError } from '@heddle/api/errors.ts';
import { FollowedModel } from '../../../../../client/testing/followed-model.ts';
import { Role } from '../../../directory/records.ts';
import type { TestClient, TestQueue } from '../../../testing/clients/client.ts';
import { fc } from '../../../testing/random/property.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { carryOut } from './batches.ts';
import { planSubscribing } from './subscribing.ts';
import { planUnsubscribing } from './unsubscribing.ts';

let server: TestServer;
let clients: readonly TestClient[];
before(async () => {
  server = await startTestServer();
  const member = await server.user();
  const other = await server.user();
  const guest = await server.user({ role: Role.guest });
  clients = [server.owner, member, other, guest];
});
after(() => server.stop());

const PATH = '/users/me/subscriptions';
const TYPES = ['stream', 'subscription'];

/**
 * Through the endpoint, split into batches of one user each, or as a bulk subscribe, whose rows are written before the
 * organization lock is acquired.
 */
type How = 'asked' | 'cut' | 'crowd';

type Operation =
  | { readonly do: 'create'; readonly who: number; readonly channel: number; readonly isPrivate: boolean }
  | {
      readonly do: 'subscribe' | 'unsubscribe';
      readonly who: number;
      readonly whom: number[];
      readonly channel: number;
      readonly how: How;
    }
  | { readonly do: 'pin'; readonly who: number; readonly channel: number; readonly value: boolean }
  | { readonly do: 'send'; readonly who: number; readonly channel: number };

const who = fc.nat({ max: 3 });
/** A public and a private channel that exist from the start, and one that an operation may create. */
const channel = fc.nat({ max: 2 });
const whom = fc.uniqueArray(who, { minLength: 1, maxLength: 3 });
const how = fc.constantFrom<How>('asked', 'cut', 'crowd');
const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('create' as const), who, channel, isPrivate: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('subscribe' as const), who, whom, channel, how }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('unsubscribe' as const), who, whom, channel, how }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pin' as const), who, channel, value: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('send' as const), who, channel }) },
);

let run = 0;

/** Plans and carries out a large request as the endpoints do. */
async function planned(
  what: 'subscribe' | 'unsubscribe',
  how: 'cut' | 'crowd',
  client: TestClient,
  name: string,
  principals: readonly number[],
): Promise<void> {
  const organization = await server.app.organizations.bySubdomain('');
  const caller = organization?.directory.user(client.userId);
  assert(organization !== undefined && caller !== undefined);
  const { directory } = organization;
  const parameters = { ...completed(endpoints.subscribe, { subscriptions: [{ name }] }), principals: [...principals] };
  const maxInBatch = how === 'cut' ? 1 : 1000;
  const plan = () =>
    what === 'subscribe'
      ? planSubscribing(directory, { caller, parameters, organizationUrl: server.url }, maxInBatch)
      : planUnsubscribing(directory, { caller, names: [name], principals }, maxInBatch);
  const { steps } = await organization.read(caller, async () => plan()).catch(refused);
  await carryOut(organization, caller, steps).catch(refused);
}

function refused(error: unknown): { steps: [] } {
  assert(error instanceof ApiError);
  return { steps: [] };
}

/** Refusals are fine: whatever happened, the clients must agree with the server. */
async function perform(operation: Operation): Promise<void> {
  const client = clients[operation.who];
  assert(client !== undefined);
  const name = `run ${run} channel ${operation.channel}`;
  switch (operation.do) {
    case 'create':
      await client.call('POST', PATH, { subscriptions: [{ name }], invite_only: operation.isPrivate });
      break;
    case 'subscribe':
    case 'unsubscribe': {
      const principals = operation.whom.flatMap((index) => clients[index]?.userId ?? []);
      if (operation.how !== 'asked') {
        await planned(operation.do, operation.how, client, name, principals);
        break;
      }
      const subscriptions = operation.do === 'subscribe' ? [{ name }] : [name];
      await client.call(operation.do === 'subscribe' ? 'POST' : 'DELETE', PATH, { subscriptions, principals });
      break;
    }
    case 'pin': {
      const id = (await client.call('GET', '/get_stream_id', { stream: name })).body.stream_id;
      const data = [{ stream_id: id ?? 0, property: 'pin_to_top', value: operation.value }];
      await client.call('POST', `${PATH}/properties`, { subscription_data: data });
      break;
    }
    case 'send':
      await client.call('POST', '/messages', { type: 'channel', to: name, topic: 'a', content: 'b' });
      break;
  }
}

/** With and without lists of subscribers. */
const REGISTRATIONS = [
  { event_types: TYPES, include_subscribers: true, client_capabilities: { notification_settings_null: true } },
  { event_types: TYPES, include_subscribers: false },
];

// rules: register-30
test('I7: a client that applies its events always knows the right channels and subscriptions', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 10, maxLength: 20 }), async (operations) => {
      run += 1;
      await perform({ do: 'create', who: 1, channel: 0, isPrivate: false });
      await perform({ do: 'create', who: 2, channel: 1, isPrivate: true });
      const watching: { queue: TestQueue; followed: FollowedModel; fresh(): Promise<TestQueue> }[] = [];
      for (const client of clients) {
        for (const parameters of REGISTRATIONS) {
          const queue = await client.register(parameters);
          const followed = new FollowedModel(client.userId, queue.state, {
            subscribers: parameters.include_subscribers,
          });
          watching.push({ queue, followed, fresh: () => client.register(parameters) });
        }
      }
      for (const one of operations) await perform(one);
      for (const { queue, followed, fresh } of watching) {
        for (const event of await queue.now()) followed.apply(event);
        followed.compare((await fresh()).state);
      }
    }),
    { numRuns: 20 },
  );
});
