import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PLAIN_CHANNEL_SETTING_NAMES } from '@heddle/api/channel-settings.ts';
import {
  CHANNEL_PERMISSIONS,
  GROUP_PERMISSIONS,
  ORGANIZATION_PERMISSIONS,
  type Permission,
} from '@heddle/api/permissions.ts';
import { fc } from '@heddle/server/testing/random/property.ts';
import { botCreationRefusal } from '../../../../server/src/access/bots.ts';
import {
  type ChannelNeed,
  channelCreationRefusal,
  channelRefusal,
  contentAccess,
} from '../../../../server/src/access/channels.ts';
import { accessGroup, type GroupNeed } from '../../../../server/src/access/groups.ts';
import { messageRefusal, type SeenMessage } from '../../../../server/src/access/message-door.ts';
import { moveLimits, moveRefusal } from '../../../../server/src/access/message-moves.ts';
import {
  checkMayMentionGroups,
  checkMayWriteDirectly,
  checkTopicsPolicy,
} from '../../../../server/src/access/messages.ts';
import {
  changersOf,
  hasPermission,
  ORGANIZATION_SETTING_NAMES,
  wireNameOf,
} from '../../../../server/src/access/organization-settings.ts';
import { mayPin } from '../../../../server/src/access/pins.ts';
import {
  channelSettingRefusal,
  newChannelSettingRefusal,
  type ChannelSetting as ServerSetting,
} from '../../../../server/src/access/setting-changes.ts';
import type { Directory as ServerDirectory } from '../../../../server/src/directory/directory.ts';
import type { UserRecord as ServerUser } from '../../../../server/src/directory/records.ts';
import { checkMayInvite } from '../../../../server/src/domain/joining/invitations/checking.ts';
import { TestClient } from '../../../../server/src/testing/clients/client.ts';
import { operation, World } from '../../../../server/src/testing/operations/operations.ts';
import { startTestServer, type TestServer } from '../../../../server/src/testing/server/server.ts';
import type { InitialState } from '../../calls/types.ts';
import type { ChannelPermission } from '../channels/channel-record.ts';
import { Directory } from '../directory.ts';
import type { OrganizationPermission } from '../organization.ts';
import type { PermissionResult } from './permission-result.ts';
import {
  type ChannelSetting,
  GUEST_CHANNEL_PERMISSIONS,
  GUEST_GROUP_PERMISSIONS,
  GUEST_ORGANIZATION_PERMISSIONS,
  OWNER_SETTINGS,
} from './permission-table.ts';

let server: TestServer;
let residents: readonly TestClient[];
/** A bot of the first member. */
let bot: TestClient;
before(async () => {
  server = await startTestServer();
  residents = await World.residentsOf(server);
  bot = await botOf(pick(residents, 1), 'helper');
});
after(() => server.stop());

// Before the random changes, which can take permissions from the owner.
test('a bot can post where its owner can', async () => {
  const { userId } = pick(residents, 1);
  const id = await server.emptyChannel(server.owner, 'only one writes');
  const ofOne = { direct_members: [userId], direct_subgroups: [] };
  await server.owner.ok('PATCH', `/streams/${id}`, { can_send_message_group: { new: ofOne } });
  const { channels, permissions } = await directoryOf(bot);
  const channel = channels.get(id);
  assert(channel !== undefined && permissions.channels.post(channel).allowed);
  await compareAll(bot);
});

test('the copied tables of permissions equal those of the contract and the server', () => {
  const forGuests = (table: Readonly<Record<string, Permission>>) =>
    new Set(Object.keys(table).filter((name) => table[name]?.allowsEveryone));
  assert.deepEqual(GUEST_ORGANIZATION_PERMISSIONS, forGuests(ORGANIZATION_PERMISSIONS));
  assert.deepEqual(GUEST_CHANNEL_PERMISSIONS, forGuests(CHANNEL_PERMISSIONS));
  assert.deepEqual(GUEST_GROUP_PERMISSIONS, forGuests(GROUP_PERMISSIONS));
  const byOwners = ORGANIZATION_SETTING_NAMES.filter((name) => changersOf(name).includes('owner'));
  assert.deepEqual(OWNER_SETTINGS, new Set(byOwners.map(wireNameOf)));
});

/** A change of a permission of the organization, a channel or a group. All are given by number. */
const permissionChange = fc.record({
  of: fc.constantFrom('organization' as const, 'channel' as const, 'group' as const),
  permission: fc.nat({ max: 30 }),
  object: fc.nat({ max: 10 }),
  group: fc.nat({ max: 12 }),
  users: fc.uniqueArray(fc.nat({ max: 4 }), { maxLength: 2 }),
});
type PermissionChange = typeof permissionChange extends fc.Arbitrary<infer Value> ? Value : never;

function pick<Element>(list: readonly Element[], index: number): Element {
  const element = list[index % list.length];
  assert(element !== undefined);
  return element;
}

/** Performs the change as the owner. Ignores refusals, for example of a group that the permission does not accept. */
async function changePermission(change: PermissionChange, directory: Directory, users: readonly number[]) {
  const direct_members = change.users.map((index) => pick(users, index));
  const group = pick(directory.groups.all, change.group).id;
  const value = direct_members.length === 0 ? group : { direct_members, direct_subgroups: [group] };
  const tables = { organization: ORGANIZATION_PERMISSIONS, channel: CHANNEL_PERMISSIONS, group: GROUP_PERMISSIONS };
  const name = pick(Object.keys(tables[change.of]), change.permission);
  const path = {
    organization: '/realm',
    channel: `/streams/${pick([...directory.channels.all.keys(), 0], change.object)}`,
    group: `/user_groups/${pick(
      directory.groups.all.filter(({ isSystem }) => !isSystem).map(({ id }) => id),
      change.object,
    )}`,
  }[change.of];
  await server.owner.call('PATCH', path, { [name]: { new: value } });
}

async function directoryOf(client: TestClient): Promise<Directory> {
  const client_capabilities = {
    archived_channels: true,
    include_deactivated_groups: true,
    user_list_incomplete: true,
    pinned_messages: true,
  };
  const state = await client.ok('POST', '/register', { client_capabilities, include_subscribers: true });
  await client.ok('DELETE', '/events', { queue_id: state.queue_id });
  return new Directory(state as InitialState);
}

/** Returns whether the function does not throw. */
function passes(check: () => unknown): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}

/** Compares what the client and the server say, with the name of the check in the message. */
class Comparison {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  check(what: string, result: PermissionResult, expected: boolean): void {
    assert.equal(result.allowed, expected, `${this.#name}: ${what} (${JSON.stringify(result)})`);
  }
}

function compareOrganization(mine: Directory, { directory, user }: Theirs, compare: Comparison): void {
  const { permissions } = mine;
  for (const name of Object.keys(ORGANIZATION_PERMISSIONS) as OrganizationPermission[]) {
    compare.check(name, permissions.has(name), hasPermission(directory, user, name));
  }
  const invited = { role: 400, channelIds: [], groupIds: [], welcomeText: null } as unknown as Parameters<
    typeof checkMayInvite
  >[3];
  const mayInvite = (name: 'can_invite_users_group' | 'create_multiuse_invite_group', role: number) =>
    passes(() => checkMayInvite(directory, user, name, { ...invited, role } as typeof invited));
  compare.check('invite by mail', permissions.invite('mail'), mayInvite('can_invite_users_group', 600));
  compare.check('invite by link', permissions.invite('link'), mayInvite('create_multiuse_invite_group', 600));
  for (const kind of ['public', 'private', 'web-public'] as const) {
    const expected = channelCreationRefusal(directory, user, kind) === undefined;
    compare.check(`create ${kind}`, permissions.channels.create(kind), expected);
  }
  for (const type of [1, 2, 3]) {
    compare.check(
      `create bot ${type}`,
      permissions.createBot(type),
      botCreationRefusal(directory, user, type) === undefined,
    );
  }
}

const SETTINGS: Readonly<Partial<Record<ChannelSetting, ServerSetting>>> = {
  name: 'name',
  description: 'description',
  archived: 'isArchived',
  privacy: 'isPrivate',
  default: 'isDefault',
};

function compareChannels(mine: Directory, { directory, user }: Theirs, compare: Comparison): void {
  const { channels } = mine.permissions;
  for (const channel of mine.channels.all.values()) {
    const theirs = directory.channel(channel.id);
    assert(theirs !== undefined);
    const may = (need: ChannelNeed) => channelRefusal(directory, user, theirs, need) === undefined;
    compare.check(`post in ${channel.name}`, channels.post(channel), may('post'));
    compare.check(`subscribe to ${channel.name}`, channels.subscribe(channel), may('subscribe'));
    compare.check(`subscribe others to ${channel.name}`, channels.addSubscribers(channel), may('add-subscribers'));
    compare.check(`remove from ${channel.name}`, channels.removeSubscribers(channel), may('remove-subscribers'));
    compare.check(`administer ${channel.name}`, channels.administer(channel), may('administer'));
    const pins = mine.permissions.messages.pin(channel);
    compare.check(`pin in ${channel.name}`, pins, mayPin(directory, user, theirs));
    assert.equal(channels.contentAccess(channel), contentAccess(directory, user, theirs));
    for (const topic of ['', 'topic']) {
      const expected = passes(() => checkTopicsPolicy(directory, theirs, topic));
      compare.check(`topic '${topic}' in ${channel.name}`, channels.topic(channel, topic), expected);
    }
    const named = Object.entries(SETTINGS) as [ChannelSetting, ServerSetting][];
    const permissions = Object.keys(CHANNEL_PERMISSIONS) as ChannelPermission[];
    const plain = PLAIN_CHANNEL_SETTING_NAMES.map((name) => [name, name] as const);
    const all = [...named, ...plain, ...permissions.map((name) => [name, name.replace(/_group$/, '')] as const)];
    for (const [setting, name] of all as [ChannelSetting, ServerSetting][]) {
      const expected = channelSettingRefusal(directory, user, name, theirs) === undefined;
      compare.check(`change ${setting} of ${channel.name}`, channels.change(channel, setting), expected);
      const whenNew = newChannelSettingRefusal(directory, user, name) === undefined;
      if (setting !== 'default') compare.check(`choose ${setting}`, channels.changeNew(setting), whenNew);
    }
  }
}

function compareGroups(mine: Directory, { directory, user }: Theirs, compare: Comparison): void {
  const { groups } = mine.permissions;
  for (const group of mine.groups.all) {
    // Guests and bots cannot use the endpoints of groups at all.
    const isPerson = user.role < 600 && !user.isBot;
    const may = (need: GroupNeed) => isPerson && passes(() => accessGroup(directory, user, group.id, need));
    compare.check(`edit ${group.name}`, groups.edit(group), may('edit'));
    compare.check(`deactivate ${group.name}`, groups.deactivate(group), may('deactivate'));
    compare.check(`join ${group.name}`, groups.join(group), may('join'));
    compare.check(`leave ${group.name}`, groups.leave(group), may('leave'));
    compare.check(`add to ${group.name}`, groups.addMembers(group), may('add-members'));
    compare.check(`remove from ${group.name}`, groups.removeMembers(group), may('remove-members'));
    compare.check(`remove subgroups of ${group.name}`, groups.removeSubgroups(group), may('remove-subgroups'));
    if (!group.isDeactivated) {
      const expected = passes(() => checkMayMentionGroups(directory, user, [group.id]));
      compare.check(`mention ${group.name}`, groups.mention(group), expected);
    }
    const members = mine.groups.membersOf(group.id);
    for (const { id } of mine.users.all.values()) {
      const one = directory.user(id);
      if (one === undefined) continue;
      const expected = one.isActive && directory.groups.includes(group.id, one);
      assert.equal(mine.groups.isMember(group.id, id), expected, `${id} in ${group.name}`);
      assert.equal(members.has(id), expected);
    }
  }
}

const NOW = 1_800_000_000;

function compareMessages(mine: Directory, { directory, user }: Theirs, compare: Comparison): void {
  const { messages } = mine.permissions;
  const channels = [...mine.channels.all.values()];
  for (const channel of [...channels, undefined]) {
    for (const senderId of [user.id, bot.userId, ...residents.map(({ userId }) => userId)]) {
      for (const age of [10, 300, 1000]) {
        const message = { senderId, channelId: channel?.id ?? null, sentAt: NOW - age };
        const may = (need: 'react' | 'edit-content' | 'delete') =>
          messageRefusal(directory, user, message as SeenMessage, need, NOW) === undefined;
        const name = `message of ${senderId} in ${channel?.name} after ${age} s`;
        compare.check(`react to ${name}`, messages.react(message), may('react'));
        compare.check(`edit ${name}`, messages.editContent(message, NOW), may('edit-content'));
        compare.check(`delete ${name}`, messages.delete(message, NOW), may('delete'));
      }
    }
  }
  for (const from of channels) {
    for (const to of channels) {
      const [theirFrom, theirTo] = [directory.channel(from.id), directory.channel(to.id)];
      if (theirFrom === undefined || theirTo === undefined || from.isArchived || to.isArchived) continue;
      for (const topic of ['kept', 'renamed', 'resolved'] as const) {
        const theirs = { from: theirFrom, to: theirTo, topic };
        const expected = moveRefusal(directory, user, theirs) === undefined;
        compare.check(`move from ${from.name} to ${to.name}: ${topic}`, messages.move({ from, to, topic }), expected);
        const { seconds } = moveLimits(directory, user, { sentAt: NOW } as SeenMessage, theirs, NOW);
        const limit = messages.moveLimit({ from, to, topic });
        // The server gives 20 more seconds to users who began in time.
        assert.equal(limit === null ? null : limit + 20, seconds);
      }
    }
  }
  compareDirectMessages(mine, { directory, user }, compare);
}

function compareDirectMessages(mine: Directory, { directory, user }: Theirs, compare: Comparison): void {
  for (const { id, isActive } of mine.users.all.values()) {
    const other = directory.user(id);
    if (other === undefined || !isActive) continue;
    for (const isNew of [true, false]) {
      const expected = passes(() => checkMayWriteDirectly(directory, user, [user, other], !isNew));
      compare.check(`write to ${other.fullName}`, mine.permissions.messages.writeDirectly([id], isNew), expected);
    }
  }
}

interface Theirs {
  readonly directory: ServerDirectory;
  readonly user: ServerUser;
}

async function compareAll(client: TestClient): Promise<void> {
  const mine = await directoryOf(client);
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  const { directory } = organization;
  const user = directory.user(client.userId);
  assert(user !== undefined);
  const compare = new Comparison(`${client.name}, role ${user.role}`);
  const theirs = { directory, user };
  compareOrganization(mine, theirs, compare);
  compareChannels(mine, theirs, compare);
  compareGroups(mine, theirs, compare);
  compareMessages(mine, theirs, compare);
}

async function botOf(owner: TestClient, name: string): Promise<TestClient> {
  const { user_id: userId, api_key: apiKey } = await owner.ok('POST', '/bots', { full_name: name, short_name: name });
  const { user } = await server.owner.ok('GET', `/users/${userId}`);
  const { url } = server;
  return new TestClient({ url, host: new URL(url).host, email: user.email, apiKey, userId, name });
}

let runs = 0;

test('permissions of the client equal the decisions of the server', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(operation, { minLength: 10, maxLength: 25 }),
      fc.array(permissionChange, { minLength: 10, maxLength: 20 }),
      fc.boolean(),
      async (operations, changes, hides) => {
        const world = await World.begin(server, residents, `permissions ${runs++}`, hides);
        for (const one of operations) await world.perform(one);
        const ofOwner = await directoryOf(server.owner);
        const users = residents.map(({ userId }) => userId);
        for (const change of changes) await changePermission(change, ofOwner, users);
        for (const client of [...residents, bot]) await compareAll(client);
      },
    ),
    { numRuns: 8, endOnFailure: true },
  );
});
