/** Helpers for tests of hidden users: guests, channels with users, and the events of guests. */
import assert from 'node:assert/strict';
import { Role, SystemGroup } from '../../directory/records.ts';
import type { TestClient, TestQueue } from '../clients/client.ts';
import type { Json } from '../clients/json.ts';
import type { TestServer } from './server.ts';

/** The client capabilities for incomplete user lists. */
const INCOMPLETE = {
  slim_presence: true,
  client_capabilities: { user_list_incomplete: true, simplified_presence_events: true },
};

export class HiddenPeople {
  readonly #server: TestServer;
  #channels = 0;

  constructor(server: TestServer) {
    this.#server = server;
  }

  member(): Promise<TestClient> {
    return this.#server.user();
  }

  guest(): Promise<TestClient> {
    return this.#server.user({ role: Role.guest });
  }

  async groupId(name: string): Promise<number> {
    const { user_groups } = await this.#server.owner.ok('GET', '/user_groups');
    const group = user_groups.find((one: Json) => one.name === name);
    assert(group !== undefined, `there is no group ${name}`);
    return group.id;
  }

  async hide(hides: boolean): Promise<void> {
    const value = await this.groupId(hides ? SystemGroup.members : SystemGroup.everyone);
    await this.#server.owner.ok('PATCH', '/realm', { can_access_all_users_group: { new: value } });
  }

  /** A new channel with these users as subscribers. Returns its name. */
  async channelOf(...people: readonly TestClient[]): Promise<string> {
    const name = `channel ${this.#channels++}`;
    await this.join(name, ...people);
    return name;
  }

  async join(name: string, ...people: readonly TestClient[]): Promise<void> {
    await this.#server.owner.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name }],
      principals: people.map(({ userId }) => userId),
      send_new_subscription_messages: false,
    });
  }

  async leave(name: string, ...people: readonly TestClient[]): Promise<void> {
    const principals = people.map(({ userId }) => userId);
    await this.#server.owner.ok('DELETE', '/users/me/subscriptions', { subscriptions: [name], principals });
  }
}

/** Registers a queue for a guest. */
export function watch(
  guest: TestClient,
  types: readonly string[] = ['realm_user'],
  more: object = INCOMPLETE,
): Promise<TestQueue> {
  return guest.register({ event_types: types, ...more });
}

/** The events about users so far, in short form. */
export async function received(queue: TestQueue): Promise<(readonly [op: string, userId: number])[]> {
  const events = await queue.now();
  return events.map(({ op, person }) => [op, person.user_id] as const);
}

/** The record of a user, or their placeholder, in an initial state. */
export function listed(state: Json, { userId }: TestClient): Json {
  return [...state.realm_users, ...state.realm_non_active_users].find(({ user_id }: Json) => user_id === userId);
}
