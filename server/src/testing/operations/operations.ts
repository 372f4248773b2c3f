import assert from 'node:assert/strict';
import { ApiError } from '@heddle/api/errors.ts';
import type { Change, Organization } from '../../directory/organization.ts';
import { Role, SystemGroup } from '../../directory/records.ts';
import { changeRole, deactivateUser } from '../../domain/accounts/accounts/actions.ts';
import { changeMembership } from '../../domain/user-groups/membership.ts';
import { createGroup } from '../../domain/user-groups/new-group.ts';
import type { Fields, TestClient } from '../clients/client.ts';
import { fc } from '../random/property.ts';
import type { TestServer } from '../server/server.ts';
import { type Attending, attending, performAttending } from './attending.ts';
import { type ChannelChanging, channelChanging, performOnChannels } from './channel-changes.ts';
import { type Deletion, deletion, performDeletion } from './deleting.ts';
import { type Drafting, drafting, performDrafting } from './drafting.ts';
import { type Employing, employing, performEmploying } from './employing.ts';
import { type Expiry, expiry, performExpiry } from './expiring.ts';
import { type Filing, filing, performFiling } from './filing.ts';
import { type Governing, governed, governing, ungoverned } from './governing.ts';
import { type GroupChanging, groupChanging, performOnGroups } from './group-changes.ts';
import { type Hiding, hiding, performHiding } from './hiding.ts';
import { type Inviting, inviting, performInviting } from './inviting.ts';
import { type Linking, linking, performLinking } from './linking.ts';
import { type Managing, managing, performManaging } from './managing.ts';
import { type Movement, movement, performMove } from './moving.ts';
import { type Phoning, performPhoning, phoning } from './phoning.ts';
import { type Pinning, performPinning, pinning } from './pinning.ts';
import { type Portraying, performPortraying, portraying } from './portraying.ts';
import { performReacting, type Reacting, reacting } from './reacting.ts';
import { type ReadingOperation, readingOperations, readingRequest } from './reading-operations.ts';
import { performScheduling, type Scheduling, scheduling } from './scheduling.ts';
import { performSettling, type Settling, settling } from './settling.ts';
import { changeSnippets, type SnippetChange, snippetChange } from './snippets.ts';
import { performSubscribing, type Subscribing, subscribing } from './subscribing.ts';
import { performUpgrade, type Upgrading, upgrading } from './upgrading.ts';
import { performVoting, type Voting, voting } from './voting.ts';
import { performWishing, type Wishing, wishing } from './wishing.ts';
import { performWriting, type Writing, type Written, writing } from './writing.ts';

/**
 * An operation in an organization. Users, channels and messages are given by number, modulo the number of existing
 * ones.
 */
export type Operation =
  | { readonly do: 'hire'; readonly role: Role }
  | { readonly do: 'dismiss'; readonly whom: number }
  | Subscribing
  | Writing
  | Deletion
  | Expiry
  | ReadingOperation
  | Movement
  | { readonly do: 'promote'; readonly whom: number; readonly role: Role }
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
  | Managing
  | SnippetChange
  | Wishing
  | Drafting
  | Employing
  | Portraying
  | Phoning
  | Filing
  | Pinning
  | Reacting
  | Scheduling
  | Settling
  | Hiding
  | Inviting
  | Attending
  | Linking
  | Upgrading
  | Voting
  | { readonly do: 'type'; readonly who: number; readonly whom: number };

/** The users from the start: owner, two members, guest. Hired users come after them. */
const FIRST = 4;
const GROUPS = 3;
/** The number of the group of full members, which may subscribe to channels and gets permissions. */
const FULL_MEMBERS = GROUPS + 1;
const who = fc.nat({ max: FIRST });
const whom = fc.uniqueArray(fc.nat({ max: FIRST + 2 }), { minLength: 1, maxLength: 3 });
/** Two channels that exist from the start, and two that may be created. */
const channel = fc.constantFrom(0, 0, 0, 1, 1, 2, 3);
/** The groups of a run. The last nested one is a system group. */
const group = fc.nat({ max: GROUPS - 1 });
/** Usually the owner, who may change groups. */
const manager = fc.constantFrom(0, 0, 0, 1);
const some = (what: fc.Arbitrary<number>) => fc.uniqueArray(what, { maxLength: 2 });

function kind<Kind extends Operation['do']>(name: Kind) {
  return fc.constant(name);
}

export const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ do: kind('hire'), role: fc.constantFrom(...Object.values(Role)) }) },
  { weight: 1, arbitrary: fc.record({ do: kind('dismiss'), whom: fc.nat({ max: 5 }) }) },
  ...subscribing({ who, whom, channel, group: fc.oneof(group, fc.constant(FULL_MEMBERS)) }),
  ...writing({ who, whom, channel }),
  { weight: 5, arbitrary: deletion(who, channel) },
  { weight: 4, arbitrary: expiry(manager, channel) },
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
  { weight: 8, arbitrary: managing(who, fc.nat({ max: FIRST + 2 })) },
  { weight: 2, arbitrary: snippetChange(who) },
  { weight: 6, arbitrary: wishing(who, fc.nat({ max: FIRST + 2 })) },
  { weight: 4, arbitrary: drafting({ who, whom, channel }) },
  { weight: 6, arbitrary: employing(who) },
  { weight: 3, arbitrary: portraying(who) },
  { weight: 3, arbitrary: phoning(who) },
  { weight: 4, arbitrary: filing(who) },
  { weight: 7, arbitrary: pinning(who) },
  { weight: 8, arbitrary: scheduling(who, channel) },
  { weight: 5, arbitrary: settling(who) },
  { weight: 2, arbitrary: linking(manager) },
  { weight: 1, arbitrary: upgrading },
  { weight: 4, arbitrary: voting(who) },
  { weight: 4, arbitrary: attending(fc.nat({ max: FIRST - 1 })) },
  { weight: 1, arbitrary: hiding(manager) },
  { weight: 4, arbitrary: inviting(who) },
  { weight: 1, arbitrary: fc.record({ do: kind('type'), who, whom: fc.nat({ max: 5 }) }) },
);

/** The users of an organization, and what they created in one run of operations. */
export class World {
  readonly #server: TestServer;
  /** Owner, two members, guest: they stay. */
  readonly residents: readonly TestClient[];
  readonly #hired: TestClient[] = [];
  readonly #messages: Written[] = [];
  /** The bots of the run, by id. */
  readonly #bots: number[] = [];
  /** Three groups of the run, that of moderators, and that of full members. */
  #groups: readonly number[] = [];
  readonly #personAt = (index: number) => this.#person(index);
  readonly #name: string;

  private constructor(server: TestServer, residents: readonly TestClient[], name: string) {
    this.#server = server;
    this.residents = residents;
    this.#name = name;
  }

  /** Creates the residents. */
  static async residentsOf(server: TestServer): Promise<readonly TestClient[]> {
    return [
      server.owner,
      await server.user({ name: 'Member' }),
      await server.user({ name: 'Other Member' }),
      await server.user({ name: 'Guest', role: Role.guest }),
    ];
  }

  /**
   * Starts a run with channels that no other run has, some of which exist from the start.
   * @param hides whether the organization hides users from guests. There are inaccessible users then
   */
  static async begin(
    server: TestServer,
    residents: readonly TestClient[],
    name: string,
    hides = false,
  ): Promise<World> {
    const world = new World(server, residents, name);
    // Another run may have changed their roles. The owner comes first, because there must be one.
    for (const [whom, role] of [Role.owner, Role.member, Role.member, Role.guest].entries()) {
      await world.perform({ do: 'promote', whom, role });
    }
    await world.perform({ do: 'hide people', who: 0, hides });
    await world.#makeGroups();
    const { groups } = (await world.#organization()).directory;
    await world.#call(0, 'PATCH', '/realm', ungoverned(groups.idOf(SystemGroup.members)));
    const usual = { do: 'create', isDefault: false } as const;
    await world.perform({ ...usual, who: 1, channel: 0, isPrivate: false, joinedBy: undefined });
    await world.perform({ ...usual, who: 2, channel: 1, isPrivate: true, joinedBy: 0 });
    if (hides) await world.#bringOutsiders();
    return world;
  }

  /** The users who can be dismissed. */
  get hiredIds(): ReadonlySet<number> {
    return new Set(this.#hired.map(({ userId }) => userId));
  }

  /**
   * Creates two users whom the guest cannot access yet, unlike the residents of earlier runs. One of them shares a
   * channel with the guest.
   */
  async #bringOutsiders(): Promise<void> {
    for (const role of [Role.member, Role.guest]) await this.perform({ do: 'hire', role });
    await this.perform({ do: 'subscribe', who: 1, whom: [FIRST - 1, FIRST], channel: 0 });
  }

  /** Refusals count like successes: in any case all clients must agree on the result. */
  async perform(operation: Operation): Promise<void> {
    switch (operation.do) {
      case 'hire':
        this.#hired.push(await this.#server.user({ role: operation.role }));
        break;
      case 'dismiss':
        await this.#dismiss(operation.whom);
        break;
      case 'create':
      case 'subscribe':
      case 'unsubscribe':
      case 'set':
      case 'show':
        await performSubscribing(operation, this.#naming(operation));
        break;
      case 'send':
      case 'write to':
      case 'flag':
      case 'edit':
        await performWriting(operation, this.#naming(operation), this.#messages);
        break;
      case 'delete':
      case 'clear':
        await performDeletion(operation, this.#person(operation.who), this.#messageAt, this.#name);
        break;
      case 'expire':
      case 'fall silent':
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
      case 'amend channel':
      case 'archive':
      case 'folder':
        await performOnChannels(operation, this.#naming(operation));
        break;
      case 'gather': {
        const { add, remove } = operation;
        const members = { add: this.#ids(add), remove: this.#ids(remove) };
        await this.#change((change) => changeMembership(change, this.#group(operation.group), { members }));
        break;
      }
      case 'nest': {
        const { add, remove } = operation;
        const subgroups = { add: add.map((one) => this.#group(one)), remove: remove.map((one) => this.#group(one)) };
        await this.#change((change) => changeMembership(change, this.#group(operation.group), { subgroups }));
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
        await performReacting(operation, { ...this.#naming(operation), message });
        break;
      }
      case 'amuse':
      case 'govern':
      case 'let':
        await this.#call(operation.who, 'PATCH', ...governed(operation, this.#naming(operation)));
        break;
      case 'rename':
      case 'veil':
      case 'rehire':
      case 'add field':
      case 'edit field':
      case 'drop field':
      case 'profess': {
        const [owner, person, other] = [this.#person(0), this.#person(operation.who), this.#person(operation.whom)];
        await performManaging(operation, { owner, person, other });
        break;
      }
      case 'save':
      case 'reword':
      case 'forget':
        await changeSnippets(operation, this.#person(operation.who));
        break;
      case 'watch for':
      case 'was shown':
      case 'unwatch':
      case 'mute':
      case 'unmute':
        await performWishing(operation, this.#person(operation.who), this.#person(operation.whom));
        break;
      case 'draft':
      case 'redraft':
      case 'discard': {
        const { who } = operation;
        const channelId = (channel: number) => this.#channelId({ who, channel });
        await performDrafting(operation, { ...this.#naming(operation), channelId });
        break;
      }
      case 'employ':
      case 'retrain':
      case 'retire':
        await performEmploying(operation, this.#naming(operation), this.#bots);
        break;
      case 'portray':
      case 'unveil':
        await performPortraying(operation, this.#server.url, this.#person(operation.who));
        break;
      case 'ring':
      case 'connect':
      case 'log in':
      case 'log out':
        await performPhoning(operation, this.#person(operation.who), (act) => this.#change(act));
        break;
      case 'file':
      case 'show file':
      case 'unfile':
        await performFiling(operation, this.#server.url, this.#person(operation.who));
        break;
      case 'pin':
      case 'repin':
      case 'unpin':
      case 'fasten':
        await performPinning(operation, this.#person(operation.who), this.#messageAt);
        break;
      case 'hide people':
        await performHiding(operation, this.#person(operation.who));
        break;
      case 'invite':
      case 'revoke':
      case 'admit':
      case 'widen':
      case 'expel':
        await performInviting(operation, this.#person(operation.who));
        break;
      case 'settle':
      case 'hush':
      case 'settle defaults':
        await performSettling(operation, this.#person(operation.who));
        break;
      case 'link':
      case 'relink':
      case 'unlink':
      case 'reorder links':
      case 'offer playground':
        await performLinking(operation, this.#person(operation.who));
        break;
      case 'upgrade':
        await performUpgrade(this.#server);
        break;
      case 'vote':
        await performVoting(this.#messageAt(operation.message) ?? 0, this.#person(operation.who));
        break;
      case 'attend':
      case 'hide':
      case 'appear':
      case 'say':
        await performAttending(operation, this.#server, this.#person(operation.who));
        break;
      case 'type':
        await this.#call(operation.who, 'POST', '/typing', { op: 'start', to: this.#ids([operation.whom]) });
        await this.#call(operation.who, 'POST', `/messages/${this.#messageAt(0) ?? 0}/typing`, { op: 'start' });
        break;
      default:
        await performScheduling(operation, this.#server, this.#personAt, this.#messageAt, this.#name);
    }
  }

  /** The run's messages, the newest first. */
  readonly #messageAt = (index: number): number | undefined => this.#messages.at(-1 - index)?.id;

  #channel({ channel }: { readonly channel: number }): string {
    return `${this.#name} ${channel}`;
  }

  #naming(operation: Pick<Operation, 'do'> & Partial<Record<'who' | 'channel', number>>) {
    const { who = 0, channel = 0 } = operation;
    return {
      name: this.#name,
      channel: this.#channel({ channel }),
      ids: (people: readonly number[]) => this.#ids(people),
      group: (index: number) => this.#group(index),
      call: (method: string, path: string, fields: Fields) => this.#call(who, method, path, fields),
      channelId: () => this.#channelId({ who, channel }),
      person: this.#person(who),
      change: (act: (change: Change) => Promise<unknown>) => this.#change(act),
    };
  }

  /** 0 if the user does not know the channel. */
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
      groups.push((await organization.transact('server', 'exclusive', (change) => createGroup(change, group))).id);
    }
    const { groups: all } = organization.directory;
    this.#groups = [...groups, all.idOf(SystemGroup.moderators), all.idOf(SystemGroup.fullMembers)];
  }

  async #organization(): Promise<Organization> {
    const organization = await this.#server.app.organizations.bySubdomain('');
    assert(organization !== undefined);
    return organization;
  }

  async #change(act: (change: Change) => Promise<unknown>): Promise<void> {
    await unlessRefused((await this.#organization()).transact('server', 'exclusive', act));
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

  /** Only hired users can be dismissed: the residents watch. */
  async #dismiss(index: number): Promise<void> {
    const person = this.#hired[index % Math.max(this.#hired.length, 1)];
    if (person === undefined) return;
    await unlessRefused(deactivateUser(this.#server.app, await this.#organization(), person.userId));
  }
}

async function unlessRefused(done: Promise<unknown>): Promise<void> {
  await done.catch((error) => {
    if (!(error instanceof ApiError)) throw error;
  });
}
