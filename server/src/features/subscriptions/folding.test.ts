import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { completed } from '@heddle/api/contract.ts';
import * as endpoints from '@heddle/api/endpoints/subscriptions.ts';
import { ApiError } from '@heddle/api/errors.ts';
import fc from 'fast-check';
import { Role } from '../../directory/records.ts';
import type { Json, TestClient, TestQueue } from '../../testing/client.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { carryOut } from './slices.ts';
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

/** A client's picture of channels and subscriptions, folded from the initial state and the events as clients do it. */
class Picture {
  readonly channels: Map<number, Json>;
  readonly subscriptions: Map<number, Json>;
  readonly unsubscribed: Map<number, Json>;
  readonly neverSubscribed: Map<number, Json>;
  readonly #userId: number;

  readonly #knowsSubscribers: boolean;

  constructor(userId: number, state: Json, parameters: Json) {
    const byId = (list: Json[]) => new Map(list.map((one) => [one.stream_id as number, structuredClone(one)]));
    this.#userId = userId;
    this.#knowsSubscribers = parameters.include_subscribers ?? false;
    this.channels = byId(state.streams);
    this.subscriptions = byId(state.subscriptions);
    this.unsubscribed = byId(state.unsubscribed);
    this.neverSubscribed = byId(state.never_subscribed);
  }

  apply(event: Json): void {
    const { type, op } = event;
    switch (`${type} ${op}`) {
      case 'stream create':
        for (const channel of event.streams) this.#learn(channel);
        break;
      case 'stream delete':
        for (const id of event.stream_ids) for (const list of this.#lists()) list.delete(id);
        break;
      case 'stream update':
        for (const one of this.#copiesOf(event.stream_id)) one[event.property] = event.value;
        break;
      case 'subscription add':
        for (const added of event.subscriptions) this.#join(added);
        break;
      case 'subscription remove':
        for (const { stream_id: id } of event.subscriptions) this.#leave(id);
        break;
      case 'subscription update': {
        const subscription = this.subscriptions.get(event.stream_id);
        assert(subscription !== undefined, 'the setting is of a subscription that the client knows');
        subscription[event.property] = event.value;
        break;
      }
      case 'subscription peer_add':
        for (const id of event.stream_ids) this.#peers(id, event.user_ids, []);
        break;
      case 'subscription peer_remove':
        for (const id of event.stream_ids) this.#peers(id, [], event.user_ids);
        break;
      default:
        assert.fail(`an event of type ${type}, op ${op}`);
    }
  }

  /** Comparable: in the order of ids, subscribers too. */
  get plain() {
    const sorted = (list: Map<number, Json>) =>
      [...list.values()]
        .toSorted((a, b) => a.stream_id - b.stream_id)
        .map((one) => ({ ...one, ...(one.subscribers && { subscribers: one.subscribers.toSorted(ascending) }) }));
    return {
      channels: sorted(this.channels),
      subscriptions: sorted(this.subscriptions),
      unsubscribed: sorted(this.unsubscribed),
      neverSubscribed: sorted(this.neverSubscribed),
    };
  }

  #lists(): Map<number, Json>[] {
    return [this.channels, this.subscriptions, this.unsubscribed, this.neverSubscribed];
  }

  #copiesOf(id: number): Json[] {
    return this.#lists().flatMap((list) => list.get(id) ?? []);
  }

  #learn(channel: Json): void {
    assert(!this.channels.has(channel.stream_id), 'the channel is new to the client');
    this.channels.set(channel.stream_id, structuredClone(channel));
    const empty = this.#knowsSubscribers ? { subscribers: [] } : {};
    this.neverSubscribed.set(channel.stream_id, { ...structuredClone(channel), ...empty });
  }

  #join(added: Json): void {
    const id: number = added.stream_id;
    const channel = this.channels.get(id);
    assert(channel !== undefined, 'the client knows the channel before it hears of the subscription');
    channel.subscriber_count = added.subscriber_count;
    this.subscriptions.set(id, structuredClone(added));
    this.unsubscribed.delete(id);
    this.neverSubscribed.delete(id);
  }

  #leave(id: number): void {
    const subscription = this.subscriptions.get(id);
    assert(subscription !== undefined, 'the client knows the subscription that ends');
    this.subscriptions.delete(id);
    this.unsubscribed.set(id, subscription);
    this.#peers(id, [], [this.#userId]);
  }

  #peers(id: number, added: readonly number[], removed: readonly number[]): void {
    const copies = this.#copiesOf(id);
    assert(copies.length > 0, 'peers change in channels that the client knows');
    for (const one of copies) {
      one.subscriber_count += added.length - removed.length;
      if (one.subscribers === undefined) continue;
      assert(
        added.every((userId) => !one.subscribers.includes(userId)),
        'who is added was not there',
      );
      assert(
        removed.every((userId) => one.subscribers.includes(userId)),
        'who is removed was there',
      );
      one.subscribers = [...one.subscribers, ...added].filter((userId) => !removed.includes(userId));
    }
  }
}

const ascending = (a: number, b: number) => a - b;

type Operation =
  | { readonly do: 'create'; readonly who: number; readonly channel: number; readonly isPrivate: boolean }
  | {
      readonly do: 'subscribe' | 'unsubscribe';
      readonly who: number;
      readonly whom: number[];
      readonly channel: number;
      /** Cut into slices of one user each. */
      readonly isCut: boolean;
    }
  | { readonly do: 'pin'; readonly who: number; readonly channel: number; readonly value: boolean }
  | { readonly do: 'send'; readonly who: number; readonly channel: number };

const who = fc.nat({ max: 3 });
/** A public one and a private one that there are from the start, and one that there may come to be. */
const channel = fc.nat({ max: 2 });
const whom = fc.uniqueArray(who, { minLength: 1, maxLength: 3 });
const isCut = fc.boolean();
const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('create' as const), who, channel, isPrivate: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('subscribe' as const), who, whom, channel, isCut }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('unsubscribe' as const), who, whom, channel, isCut }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pin' as const), who, channel, value: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('send' as const), who, channel }) },
);

let run = 0;

/** What the endpoints do with requests that are too large for one commit. */
async function inSlices(
  what: 'subscribe' | 'unsubscribe',
  client: TestClient,
  name: string,
  principals: readonly number[],
): Promise<void> {
  const organization = await server.rooms.organizations.bySubdomain('');
  const caller = organization?.directory.user(client.userId);
  assert(organization !== undefined && caller !== undefined);
  const { directory } = organization;
  const parameters = { ...completed(endpoints.subscribe, { subscriptions: [{ name }] }), principals: [...principals] };
  const plan = () =>
    what === 'subscribe'
      ? planSubscribing(directory, { caller, parameters, organizationUrl: server.url }, 1)
      : planUnsubscribing(directory, { caller, names: [name], principals }, 1);
  const { steps } = await organization.readBy(caller, async () => plan()).catch(refused);
  await carryOut(organization, caller, steps).catch(refused);
}

function refused(error: unknown): { steps: [] } {
  assert(error instanceof ApiError);
  return { steps: [] };
}

/** Refusals are as good as successes: whatever happened, the clients must agree with the server. */
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
      if (operation.isCut) {
        await inSlices(operation.do, client, name, principals);
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

const REGISTRATIONS = [
  { event_types: TYPES, include_subscribers: true, client_capabilities: { notification_settings_null: true } },
  { event_types: TYPES },
];

test('I7: a client that applies its events is never wrong about channels and subscriptions', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 10, maxLength: 20 }), async (operations) => {
      run += 1;
      await perform({ do: 'create', who: 1, channel: 0, isPrivate: false });
      await perform({ do: 'create', who: 2, channel: 1, isPrivate: true });
      const watching: { client: TestClient; queue: TestQueue; picture: Picture; parameters: Json }[] = [];
      for (const client of clients) {
        for (const parameters of REGISTRATIONS) {
          const queue = await client.register(parameters);
          watching.push({ client, queue, picture: new Picture(client.userId, queue.state, parameters), parameters });
        }
      }
      for (const one of operations) await perform(one);
      for (const { client, queue, picture, parameters } of watching) {
        for (const event of await queue.now()) picture.apply(event);
        const { state } = await client.register(parameters);
        assert.deepEqual(picture.plain, new Picture(client.userId, state, parameters).plain);
      }
    }),
    { numRuns: 20 },
  );
});
