import assert from 'node:assert/strict';
import { ApiError } from '@heddle/api/errors.ts';
import fc from 'fast-check';
import type { Change, Organization } from '../directory/organization.ts';
import { Role, SystemGroup } from '../directory/records.ts';
import { type ChannelVisibility, changeVisibility } from '../features/channels/actions.ts';
import { changeMembers, changeSubgroups, createGroup } from '../features/user-groups/actions.ts';
import { changeRole, deactivateUser } from '../features/users/actions.ts';
import { type ChannelChanging, channelChanging, performOnChannels } from './channel-changes.ts';
import type { Fields, TestClient } from './client.ts';
import { type Deletion, deletion, performDeletion } from './deleting.ts';
import { type Expiry, expiry, performExpiry } from './expiring.ts';
import { type Governing, governed, governing, ungoverned } from './governing.ts';
import { type GroupChanging, groupChanging, performOnGroups } from './group-changes.ts';
import { type Movement, movement, performMove } from './moving.ts';
import { performReacting, type Reacting, reacting } from './reacting.ts';
import { type ReadingOperation, readingOperations, readingRequest } from './reading-operations.ts';
import { performScheduling, type Scheduling, scheduling } from './scheduling.ts';
import type { TestServer } from './server.ts';
import { changeSnippets, type SnippetChange, snippetChange } from './snippets.ts';

/** Something that happens in an organization. People, channels and messages are counted around those that there are. */
export type Operation =
  | { readonly do: 'hire'; readonly role: Role }
  | { readonly do: 'dismiss'; readonly whom: number }
  | {
      readonly do: 'create';
      readonly who: number;
      readonly channel: number;
      readonly isPrivate: boolean;
      readonly isDefault: boolean;
      /** The group that may join the channel beside its members; none if undefined. */
      readonly joinedBy: number | undefined;
    }
  | {
      readonly do: 'subscribe' | 'unsubscribe';
      readonly who: number;
      readonly whom: readonly number[];
      readonly channel: number;
    }
  | { readonly do: 'set'; readonly who: number; readonly channel: number; readonly setting: Setting }
  | {
      readonly do: 'send';
      readonly who: number;
      readonly channel: number;
      readonly topic: string;
      readonly content: string;
      readonly read: boolean;
    }
  | { readonly do: 'write to'; readonly who: number; readonly whom: readonly number[]; readonly read: boolean }
  | {
      readonly do: 'flag';
      readonly who: number;
      readonly op: 'add' | 'remove';
      readonly flag: 'read' | 'starred';
      readonly messages: readonly number[];
    }
  | { readonly do: 'edit'; readonly message: number; readonly content: string }
  | Deletion
  | Expiry
  | ReadingOperation
  | Movement
  | { readonly do: 'promote'; readonly whom: number; readonly role: Role }
  | { readonly do: 'show'; readonly channel: number; readonly visibility: ChannelVisibility }
  | ChannelChanging
  | {
      readonly do: 'gather';
      readonly group: number;
      readonly add: readonly number[];
      readonly remove: readonly number[];
    }
  | { readonly do: 'nest'; readonly group: number; readonly add: readonly number[]; readonly remove: readonly number[] }
  | GroupChanging
  | Governing
  | SnippetChange
  | Reacting
  | Scheduling
  | { readonly do: 'type'; readonly who: number; readonly whom: number };

type Setting = readonly [property: string, value: unknown];

/** The people who are there from the start: owner, two members, guest. Those who are hired come after them. */
const FIRST = 4;
const GROUPS = 3;
/** The number of the group of full members, which may join channels and is let do things. */
const FULL_MEMBERS = GROUPS + 1;
const who = fc.nat({ max: FIRST });
const whom = fc.uniqueArray(fc.nat({ max: FIRST + 2 }), { minLength: 1, maxLength: 3 });
/** Two that there are from the start, and two that there may come to be. */
const channel = fc.constantFrom(0, 0, 0, 1, 1, 2, 3);
const setting: fc.Arbitrary<Setting> = fc.oneof(
  fc.tuple(
    fc.constantFrom('pin_to_top', 'is_muted', 'audible_notifications', 'wildcard_mentions_notify'),
    fc.boolean(),
  ),
  fc.tuple(fc.constant('color'), fc.constantFrom('#aabbcc', '#123456')),
);

/** Of those that a run makes; the last of the inner ones is a system group. */
const group = fc.nat({ max: GROUPS - 1 });
/** Mostly the owner, who may change groups. */
const manager = fc.constantFrom(0, 0, 0, 1);
const some = (what: fc.Arbitrary<number>) => fc.uniqueArray(what, { maxLength: 2 });

const content = fc.constantFrom(
  'hello',
  '@**all** hello',
  '@**topic** hello',
  '@**Guest** and @**Member** hello',
  '@*group* hello',
);

function kind<Kind extends Operation['do']>(name: Kind) {
  return fc.constant(name);
}

export const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ do: kind('hire'), role: fc.constantFrom(...Object.values(Role)) }) },
  { weight: 1, arbitrary: fc.record({ do: kind('dismiss'), whom: fc.nat({ max: 5 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: kind('create'),
      who,
      channel,
      isPrivate: fc.boolean(),
      isDefault: fc.nat(3).map((n) => n === 0),
      joinedBy: fc.option(fc.oneof(group, fc.constant(FULL_MEMBERS)), { nil: undefined }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: kind('subscribe'), who, whom, channel }) },
  { weight: 4, arbitrary: fc.record({ do: kind('unsubscribe'), who, whom, channel }) },
  { weight: 3, arbitrary: fc.record({ do: kind('set'), who, channel, setting }) },
  {
    weight: 12,
    arbitrary: fc.record({
      do: kind('send'),
      who,
      channel,
      topic: fc.constantFrom('', 'one', 'two'),
      content,
      read: fc.boolean(),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: kind('edit'), message: fc.nat({ max: 8 }), content }) },
  { weight: 4, arbitrary: fc.record({ do: kind('write to'), who, whom, read: fc.boolean() }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: kind('flag'),
      who,
      op: fc.constantFrom('add', 'remove'),
      flag: fc.constantFrom('read', 'read', 'starred'),
      messages: fc.array(fc.nat({ max: 8 }), { minLength: 1, maxLength: 6 }),
    }),
  },
  { weight: 5, arbitrary: deletion(who, channel) },
  { weight: 2, arbitrary: expiry(manager, channel) },
  ...readingOperations(who, channel),
  { weight: 8, arbitrary: movement(who, channel) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: kind('promote'),
      whom: fc.nat({ max: FIRST + 2 }),
      role: fc.constantFrom(...Object.values(Role)),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: kind('show'),
      channel,
      visibility: fc.constantFrom('web-public', 'public', 'public', 'private', 'private', 'protected'),
    }),
  },
  {
    weight: 9,
    arbitrary: channelChanging({
      manager,
      channel,
      group: fc.nat({ max: FULL_MEMBERS }),
      users: some(fc.nat({ max: FIRST + 2 })),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: kind('gather'),
      group,
      add: some(fc.nat({ max: FIRST + 2 })),
      remove: some(fc.nat({ max: FIRST + 2 })),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: kind('nest'),
      group,
      add: some(fc.nat({ max: GROUPS })),
      remove: some(fc.nat({ max: GROUPS })),
    }),
  },
  { weight: 8, arbitrary: groupChanging({ who, manager, group, users: some(fc.nat({ max: FIRST + 2 })) }) },
  { weight: 10, arbitrary: reacting(who) },
  { weight: 7, arbitrary: governing(manager, fc.nat({ max: FULL_MEMBERS }), some(fc.nat({ max: FIRST + 2 }))) },
  { weight: 2, arbitrary: snippetChange(who) },
  { weight: 8, arbitrary: scheduling(who, channel) },
  { weight: 1, arbitrary: fc.record({ do: kind('type'), who, whom: fc.nat({ max: 5 }) }) },
);

const SUBSCRIPTIONS = '/users/me/subscriptions';

/** An organization's people, and what they have made in one run of operations. */
export class World {
  readonly #server: TestServer;
  /** Owner, two members, guest: they stay. */
  readonly residents: readonly TestClient[];
  readonly #hired: TestClient[] = [];
  readonly #messages: { readonly id: number; readonly sender: TestClient }[] = [];
  /** Three of the run's own, that of moderators, and that of full members. */
  #groups: readonly number[] = [];
  readonly #personAt = (index: number) => this.#person(index);
  readonly #name: string;

  private constructor(server: TestServer, residents: readonly TestClient[], name: string) {
    this.#server = server;
    this.residents = residents;
    this.#name = name;
  }

  /** Hires the residents. */
  static async residentsOf(server: TestServer): Promise<readonly TestClient[]> {
    return [
      server.owner,
      await server.user({ name: 'Member' }),
      await server.user({ name: 'Other Member' }),
      await server.user({ name: 'Guest', role: Role.guest }),
    ];
  }

  /** A run of its own: with channels that no other run has, some of which exist from the start. */
  static async begin(server: TestServer, residents: readonly TestClient[], name: string): Promise<World> {
    const world = new World(server, residents, name);
    // Another run may have left them with other roles; the owner first, for there must be one.
    for (const [whom, role] of [Role.owner, Role.member, Role.member, Role.guest].entries()) {
      await world.perform({ do: 'promote', whom, role });
    }
    await world.#makeGroups();
    const { groups } = (await world.#organization()).directory;
    await world.#call(0, 'PATCH', '/realm', ungoverned(groups.idOf(SystemGroup.members)));
    const usual = { do: 'create', isDefault: false } as const;
    await world.perform({ ...usual, who: 1, channel: 0, isPrivate: false, joinedBy: undefined });
    await world.perform({ ...usual, who: 2, channel: 1, isPrivate: true, joinedBy: 0 });
    return world;
  }

  /** Those who can be dismissed. */
  get hiredIds(): ReadonlySet<number> {
    return new Set(this.#hired.map(({ userId }) => userId));
  }

  /** Refusals are as good as successes: whatever happened, everybody must agree on it. */
  async perform(operation: Operation): Promise<void> {
    switch (operation.do) {
      case 'hire':
        this.#hired.push(await this.#server.user({ role: operation.role }));
        break;
      case 'dismiss':
        await this.#dismiss(operation.whom);
        break;
      case 'create': {
        const is_default_stream = operation.isDefault && !operation.isPrivate;
        const can_subscribe_group = operation.joinedBy === undefined ? undefined : this.#group(operation.joinedBy);
        const more = { invite_only: operation.isPrivate, is_default_stream, can_subscribe_group };
        await this.#call(operation.who, 'POST', SUBSCRIPTIONS, {
          subscriptions: [{ name: this.#channel(operation) }],
          ...more,
        });
        break;
      }
      case 'subscribe':
      case 'unsubscribe': {
        const [name, principals] = [this.#channel(operation), this.#ids(operation.whom)];
        const joins = operation.do === 'subscribe';
        const subscriptions = [joins ? { name } : name];
        await this.#call(operation.who, joins ? 'POST' : 'DELETE', SUBSCRIPTIONS, { subscriptions, principals });
        break;
      }
      case 'set': {
        const [property, value] = operation.setting;
        const subscription_data = [{ stream_id: await this.#channelId(operation), property, value }];
        await this.#call(operation.who, 'POST', `${SUBSCRIPTIONS}/properties`, { subscription_data });
        break;
      }
      case 'send': {
        const { topic, read } = operation;
        const content = this.#text(operation.content);
        const to = this.#channel(operation);
        await this.#send(operation.who, { type: 'channel', to, topic, content, read_by_sender: read });
        break;
      }
      case 'write to':
        await this.#send(operation.who, {
          type: 'direct',
          to: this.#ids(operation.whom),
          content: 'hello',
          read_by_sender: operation.read,
        });
        break;
      case 'flag': {
        const { op, flag } = operation;
        const messages = operation.messages.flatMap((index) => this.#messages.at(-1 - index)?.id ?? []);
        await this.#call(operation.who, 'POST', '/messages/flags', { op, flag, messages });
        break;
      }
      case 'edit':
        await this.#edit(operation.message, this.#text(operation.content));
        break;
      case 'delete':
      case 'clear':
        await performDeletion(operation, this.#person(operation.who), this.#messageAt, this.#name);
        break;
      case 'expire':
        await performExpiry(operation, this.#server, this.#person(operation.who), this.#messageAt, this.#name);
        break;
      case 'move':
        await performMove(operation, this.#person(operation.who), this.#messageAt, this.#name);
        break;
      case 'flag all':
      case 'read channel':
      case 'read all':
      case 'see topic': {
        const { path, fields } = readingRequest(
          operation,
          'channel' in operation ? await this.#channelId(operation) : 0,
        );
        await this.#call(operation.who, 'POST', path, fields);
        break;
      }
      case 'promote':
        await this.#promote(operation.whom, operation.role);
        break;
      case 'show':
        await this.#change(async (change) => {
          const channel = change.directory.channelByName(this.#channel(operation));
          if (channel !== undefined) await changeVisibility(change, channel, operation.visibility);
        });
        break;
      case 'amend channel':
      case 'archive':
      case 'folder':
        await performOnChannels(operation, this.#naming(operation));
        break;
      case 'gather': {
        const { add, remove } = operation;
        const members = { add: this.#ids(add), remove: this.#ids(remove) };
        await this.#change((change) => changeMembers(change, this.#group(operation.group), members));
        break;
      }
      case 'nest': {
        const { add, remove } = operation;
        const subgroups = { add: add.map((one) => this.#group(one)), remove: remove.map((one) => this.#group(one)) };
        await this.#change((change) => changeSubgroups(change, this.#group(operation.group), subgroups));
        break;
      }
      case 'found':
      case 'amend':
      case 'disband':
      case 'reopen':
        await performOnGroups(operation, this.#naming(operation));
        break;
      case 'react':
      case 'adorn':
      case 'unadorn': {
        const message = operation.do === 'react' ? (this.#messages.at(-1 - operation.message)?.id ?? 0) : 0;
        const change = (act: (change: Change) => Promise<unknown>) => this.#change(act);
        await performReacting(operation, { person: this.#person(operation.who), message, change });
        break;
      }
      case 'govern':
      case 'let':
        await this.#call(operation.who, 'PATCH', '/realm', governed(operation, this.#naming(operation)));
        break;
      case 'save':
      case 'reword':
      case 'forget':
        await changeSnippets(operation, this.#person(operation.who));
        break;
      case 'type':
        await this.#call(operation.who, 'POST', '/typing', { op: 'start', to: this.#ids([operation.whom]) });
        break;
      default:
        await performScheduling(operation, this.#server, this.#personAt, this.#messageAt, this.#name);
    }
  }

  /** The run's messages, from the newest on. */
  readonly #messageAt = (index: number): number | undefined => this.#messages.at(-1 - index)?.id;

  #channel({ channel }: { readonly channel: number }): string {
    return `${this.#name} ${channel}`;
  }

  #naming(operation: Partial<Record<'who' | 'channel', number>>) {
    const { who = 0, channel = 0 } = operation;
    return {
      name: this.#name,
      channel: this.#channel({ channel }),
      ids: (people: readonly number[]) => this.#ids(people),
      group: (index: number) => this.#group(index),
      call: (method: string, path: string, fields: Fields) => this.#call(who, method, path, fields),
    };
  }

  /** 0 where the person knows no such channel. */
  async #channelId({ who, channel }: { readonly who: number; readonly channel: number }): Promise<number> {
    const { body } = await this.#call(who, 'GET', '/get_stream_id', { stream: this.#channel({ channel }) });
    return body.stream_id ?? 0;
  }

  #group(index: number): number {
    const group = this.#groups[index];
    assert(group !== undefined);
    return group;
  }

  async #makeGroups(): Promise<void> {
    const organization = await this.#organization();
    const [, , other] = this.residents;
    const groups: number[] = [];
    for (let index = 0; index < GROUPS; index++) {
      const members = index === 1 && other !== undefined ? [other.userId] : [];
      const group = { name: `${this.#name} ${index}`, members, creatorId: null };
      groups.push((await organization.change((change) => createGroup(change, group))).id);
    }
    const { groups: all } = organization.directory;
    this.#groups = [...groups, all.idOf(SystemGroup.moderators), all.idOf(SystemGroup.fullMembers)];
  }

  async #organization(): Promise<Organization> {
    const organization = await this.#server.rooms.organizations.bySubdomain('');
    assert(organization !== undefined);
    return organization;
  }

  async #change(act: (change: Change) => Promise<unknown>): Promise<void> {
    await unlessRefused((await this.#organization()).change(act));
  }

  async #promote(whom: number, role: Role): Promise<void> {
    await unlessRefused(changeRole(await this.#organization(), this.#person(whom).userId, role));
  }

  #person(index: number): TestClient {
    const people = [...this.residents, ...this.#hired];
    const person = people[index % people.length];
    assert(person !== undefined);
    return person;
  }

  #ids(indexes: readonly number[]): number[] {
    return [...new Set(indexes.map((index) => this.#person(index).userId))];
  }

  #call(who: number, method: string, path: string, fields: Readonly<Record<string, unknown>>) {
    return this.#person(who).call(method, path, fields);
  }

  async #send(who: number, fields: Readonly<Record<string, unknown>>): Promise<void> {
    const sender = this.#person(who);
    const { body } = await sender.call('POST', '/messages', fields);
    if (body.result === 'success') this.#messages.push({ id: body.id, sender });
  }

  #text(content: string): string {
    return content.replace('@*group*', `@*${this.#name} 1*`);
  }

  async #edit(index: number, content: string): Promise<void> {
    const message = this.#messages.at(-1 - index);
    await message?.sender.call('PATCH', `/messages/${message.id}`, { content });
  }

  /** Only those who were hired: the residents watch. */
  async #dismiss(index: number): Promise<void> {
    const person = this.#hired[index % Math.max(this.#hired.length, 1)];
    if (person === undefined) return;
    await unlessRefused(deactivateUser(this.#server.rooms, await this.#organization(), person.userId));
  }
}

async function unlessRefused(done: Promise<unknown>): Promise<void> {
  await done.catch((error) => {
    if (!(error instanceof ApiError)) throw error;
  });
}
