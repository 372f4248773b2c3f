import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { updateOrganization } from '@heddle/api/endpoints/organizations.ts';
import { ORGANIZATION_PERMISSIONS } from '@heddle/api/permissions.ts';
import { FollowedModel } from '../../../../../client/testing/followed-model.ts';
import {
  isFixedUntilImplemented,
  ORGANIZATION_SETTING_NAMES,
  wireNameOf,
} from '../../../access/organization-settings.ts';
import type { Organization } from '../../../directory/organization.ts';
import { Role, SystemGroup } from '../../../directory/records.ts';
import type { TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { deactivateUser } from '../../accounts/accounts/actions.ts';

let server: TestServer;
let root: Organization;
let owner: TestClient;
let administrator: TestClient;
let moderator: TestClient;
let member: TestClient;
let guest: TestClient;

before(async () => {
  server = await startTestServer();
  const found = await server.app.organizations.bySubdomain('');
  assert(found !== undefined);
  root = found;
  owner = server.owner;
  administrator = await server.user({ role: Role.administrator });
  moderator = await server.user({ role: Role.moderator });
  member = await server.user();
  guest = await server.user({ role: Role.guest });
});
after(() => server.stop());

const set = (client: TestClient, fields: Json) => client.ok('PATCH', '/realm', fields);
const refused = (client: TestClient, fields: Json) => client.fails('PATCH', '/realm', fields);
const groupId = (name: SystemGroup) => root.directory.groups.idOf(name);

/** A client that also knows the permissions that only Heddle has. */
const KNOWING = { client_capabilities: { pinned_messages: true } };

async function stateOf(client: TestClient): Promise<Json> {
  return (await client.register({ ...KNOWING, fetch_event_types: ['realm'], event_types: [] })).state;
}

/** Performs the action and returns the events that the client receives, without their ids. */
async function received(client: TestClient, act: () => Promise<unknown>): Promise<Json[]> {
  const queue = await client.register({ event_types: ['realm', 'user_group'] });
  await act();
  return (await queue.now()).map(({ id, ...event }) => event);
}

// rules: organization-settings-1
test('every setting is a parameter with the name that clients read', () => {
  const known = Object.keys(updateOrganization.parameters);
  const settings = [...ORGANIZATION_SETTING_NAMES.map(wireNameOf), 'name', 'description'];
  assert.deepEqual(
    known.toSorted(),
    [...settings, 'authentication_methods', 'string_id'].toSorted(),
    'each setting has a parameter, and each parameter has a setting',
  );
});

describe('who can change settings', () => {
  // rules: organization-settings-2, errors-8
  test('only administrators and owners change settings, and other users are refused whatever they send', async () => {
    for (const client of [moderator, member, guest]) {
      for (const fields of [{}, { name: 'Mine' }, { video_chat_provider: 999 }, { invite_required: true }]) {
        const { code, msg } = await refused(client, fields);
        assert.deepEqual([code, msg], ['UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator']);
      }
    }
    await set(administrator, { enable_guest_user_indicator: false });
    await set(owner, { enable_guest_user_indicator: true });
  });

  const forOwners: readonly Json[] = [
    { waiting_period_threshold: 0 },
    { invite_required: true },
    { emails_restricted_to_domains: false },
    { disallow_disposable_email_addresses: false },
    { message_retention_days: 'unlimited' },
    { can_create_groups: { new: 1 } },
    { can_manage_all_groups: { new: 1 } },
    { can_invite_users_group: { new: 1 } },
    { can_manage_billing_group: { new: 1 } },
    { create_multiuse_invite_group: { new: 1 } },
    { authentication_methods: { Email: true } },
    { string_id: 'elsewhere' },
  ];
  for (const fields of forOwners) {
    // rules: organization-settings-3
    test(`only owners can send ${Object.keys(fields)}, even with an unchanged value`, async () => {
      const { code, msg } = await refused(administrator, { ...fields, name: 'Not this one' });
      assert.deepEqual([code, msg], ['UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner']);
      assert.notEqual((await stateOf(owner)).realm_name, 'Not this one');
    });
  }

  test('a bot can change settings if its role allows it', async () => {
    const robots = await server.organization('robots');
    const organization = await server.app.organizations.bySubdomain('robots');
    const bot = await server.user({ subdomain: 'robots', role: Role.administrator });
    const other = await server.user({ subdomain: 'robots' });
    assert(organization !== undefined);
    for (const { userId } of [bot, other]) {
      await organization.transact('server', 'exclusive', async ({ db, directory, append }) => {
        const user = directory.user(userId);
        assert(user !== undefined);
        const type = { is_bot: true, bot_type: 1, bot_owner_id: robots.userId };
        await db.updateTable('users').set(type).where('id', '=', userId).execute();
        const deltas = [{ delta: 'user', user: { ...user, isBot: true, botType: 1, botOwnerId: robots.userId } }];
        append({ type: 'realm_user', audience: { to: 'nobody' }, body: null, deltas });
      });
    }
    await set(bot, { org_type: 10 });
    assert.equal((await refused(other, { org_type: 20 })).code, 'UNAUTHORIZED_PRINCIPAL');
  });
});

describe('values of settings', () => {
  const good: readonly (readonly [given: Json, shown: Json])[] = [
    [{ name: ' Weavers ' }, { name: 'Weavers' }],
    [{ allow_message_editing: false }, { allow_message_editing: false }],
    [{ allow_message_editing: true }, { allow_message_editing: true }],
    [
      { message_edit_history_visibility_policy: 'none' },
      { message_edit_history_visibility_policy: 'none', allow_edit_history: false },
    ],
    [
      { message_edit_history_visibility_policy: 'moves' },
      { message_edit_history_visibility_policy: 'moves', allow_edit_history: true },
    ],
    [
      { message_edit_history_visibility_policy: 'all' },
      { message_edit_history_visibility_policy: 'all', allow_edit_history: true },
    ],
    [{ description: '**We** weave' }, { description: '**We** weave' }],
    [{ org_type: 20 }, { org_type: 20 }],
    [{ default_code_block_language: 'python' }, { default_code_block_language: 'python' }],
    [{ enable_guest_user_dm_warning: false }, { enable_guest_user_dm_warning: false }],
    [{ enable_spectator_access: true }, { enable_spectator_access: true }],
    [{ jitsi_server_url: '"https://meet.example.com"' }, { jitsi_server_url: 'https://meet.example.com' }],
    [{ jitsi_server_url: 'default' }, { jitsi_server_url: null }],
    [
      { message_content_allowed_in_email_notifications: false },
      { message_content_allowed_in_email_notifications: false },
    ],
    [{ message_content_delete_limit_seconds: 60 }, { message_content_delete_limit_seconds: 60 }],
    [{ message_content_delete_limit_seconds: '"unlimited"' }, { message_content_delete_limit_seconds: null }],
    [{ message_content_edit_limit_seconds: 'unlimited' }, { message_content_edit_limit_seconds: null }],
    [{ message_content_edit_limit_seconds: 3600 }, { message_content_edit_limit_seconds: 3600 }],
    [{ message_content_edit_limit_seconds: null }, { message_content_edit_limit_seconds: null }],
    [{ move_messages_between_streams_limit_seconds: 5 }, { move_messages_between_streams_limit_seconds: 5 }],
    [{ move_messages_within_stream_limit_seconds: 'unlimited' }, { move_messages_within_stream_limit_seconds: null }],
    [{ require_unique_names: true }, { require_unique_names: true }],
    [{ topics_policy: 'disable_empty_topic' }, { topics_policy: 'disable_empty_topic', mandatory_topics: true }],
    [{ topics_policy: '"allow_empty_topic"' }, { topics_policy: 'allow_empty_topic', mandatory_topics: false }],
    [{ video_chat_provider: 0 }, { video_chat_provider: 0 }],
    [{ want_advertise_in_communities_directory: true }, { want_advertise_in_communities_directory: true }],
  ];
  for (const [given, shown] of good) {
    // rules: organization-settings-4, organization-settings-5
    test(`${JSON.stringify(given)} is stored and part of the initial state`, async () => {
      await set(administrator, given);
      const state = await stateOf(member);
      for (const [name, value] of Object.entries(shown)) assert.deepEqual(state[`realm_${name}`], value, name);
    });
  }

  // rules: subscriptions-11
  test('message_retention_days is a number of days or unlimited, and all users receive changes', async () => {
    for (const [given, days] of [
      [30, 30],
      ['unlimited', -1],
      ['"unlimited"', -1],
    ]) {
      await set(owner, { message_retention_days: 7 });
      const [event] = await received(member, () => set(owner, { message_retention_days: given }));
      assert.deepEqual([event.op, event.property, event.value], ['update', 'message_retention_days', days]);
      assert.equal((await stateOf(member)).realm_message_retention_days, days);
    }
  });

  // rules: reports-3, organization-settings-12
  test('the announcement channel must be accessible to the caller, or -1 for none', async () => {
    const open = await server.emptyChannel(member, 'announcements');
    const hidden = await server.emptyChannel(member, 'cellar', { invite_only: true });
    for (const id of [open, hidden, -1]) {
      await set(administrator, { new_stream_announcements_stream_id: id });
      assert.equal((await stateOf(member)).realm_new_stream_announcements_stream_id, id);
    }
    assert.equal((await refused(owner, { new_stream_announcements_stream_id: 999_999 })).msg, 'Invalid channel ID');
    assert.equal(
      (await refused(owner, { moderation_request_channel_id: open })).msg,
      'Moderation request channel must be private.',
    );
  });

  const bad: readonly (readonly [given: Json, code: string, msg: string])[] = [
    [{ name: '' }, 'BAD_REQUEST', 'Organization name cannot be blank.'],
    [{ name: 'x'.repeat(41) }, 'BAD_REQUEST', 'name is too long (limit: 40 characters)'],
    [{ description: 'x'.repeat(1001) }, 'BAD_REQUEST', 'description is too long (limit: 1000 characters)'],
    [
      { welcome_message_custom_text: 'x'.repeat(8001) },
      'BAD_REQUEST',
      'welcome_message_custom_text is too long (limit: 8000 characters)',
    ],
    [{ default_language: 'invalid' }, 'BAD_REQUEST', "Invalid language 'invalid'"],
    [{ default_language: 'not a language' }, 'BAD_REQUEST', "Invalid language 'not a language'"],
    [{ digest_weekday: 10 }, 'BAD_REQUEST', 'Invalid digest_weekday: Value error, Not in the list of possible values'],
    [{ giphy_rating: 10 }, 'BAD_REQUEST', 'Invalid giphy_rating 10'],
    [{ video_chat_provider: 10 }, 'BAD_REQUEST', 'Invalid video_chat_provider 10'],
    [{ org_type: 11 }, 'BAD_REQUEST', 'Invalid org_type: Value error, Not in the list of possible values'],
    [{ topics_policy: 'invalid' }, 'BAD_REQUEST', 'Invalid topics_policy'],
    [
      { message_edit_history_visibility_policy: 'invalid' },
      'BAD_REQUEST',
      'Invalid message_edit_history_visibility_policy',
    ],
    [{ jitsi_server_url: 'invalidURL' }, 'BAD_REQUEST', 'jitsi_server_url is not an allowed_type'],
    [{ jitsi_server_url: 'javascript:alert(1)' }, 'BAD_REQUEST', 'jitsi_server_url is not an allowed_type'],
    [{ waiting_period_threshold: -10 }, 'BAD_REQUEST', 'waiting_period_threshold is too small'],
    [{ waiting_period_threshold: 'invalid' }, 'BAD_REQUEST', 'waiting_period_threshold is not valid JSON'],
    [{ enable_spectator_access: 'maybe' }, 'BAD_REQUEST', 'enable_spectator_access is not valid JSON'],
    [
      { message_content_edit_limit_seconds: 0 },
      'REQUEST_VARIABLE_INVALID',
      "Bad value for 'message_content_edit_limit_seconds': 0",
    ],
    [
      { message_content_delete_limit_seconds: -10 },
      'REQUEST_VARIABLE_INVALID',
      "Bad value for 'message_content_delete_limit_seconds': -10",
    ],
    [
      { move_messages_within_stream_limit_seconds: 'invalid' },
      'REQUEST_VARIABLE_INVALID',
      "Bad value for 'move_messages_within_stream_limit_seconds': invalid",
    ],
    [{ message_retention_days: 0 }, 'REQUEST_VARIABLE_INVALID', "Bad value for 'message_retention_days': 0"],
    [
      { authentication_methods: { foo: true } },
      'BAD_REQUEST',
      "Invalid authentication method: foo. Valid methods are: ['Email']",
    ],
    [
      { authentication_methods: { Email: false } },
      'BAD_REQUEST',
      'At least one authentication method must be enabled.',
    ],
    [{ string_id: 'elsewhere' }, 'BAD_REQUEST', 'Must be a demo organization.'],
  ];
  for (const [given, code, msg] of bad) {
    const text = JSON.stringify(given);
    // rules: organization-settings-5, organization-settings-6, organization-settings-7, limits-2
    test(`${text.slice(0, 60)} is refused, and the request changes nothing`, async () => {
      const before = await stateOf(owner);
      const body = await refused(owner, { ...given, require_unique_names: !before.realm_require_unique_names });
      assert.deepEqual([body.code, body.msg], [code, msg]);
      assert.equal((await stateOf(owner)).realm_require_unique_names, before.realm_require_unique_names);
    });
  }

  test('setting authentication_methods to the current value is accepted', async () => {
    assert.deepEqual(await received(owner, () => set(owner, { authentication_methods: { Email: true } })), []);
  });
});

describe('a setting whose feature is not supported yet', () => {
  // rules: organization-settings-1
  test('is refused by name, unless the value is unchanged', async () => {
    const state = await stateOf(owner);
    const others: Json = { boolean: (value: boolean) => !value, number: () => 3, string: () => 'moves' };
    const tried: string[] = [];
    for (const name of ORGANIZATION_SETTING_NAMES.filter(isFixedUntilImplemented)) {
      const parameter = wireNameOf(name);
      const now = state[`realm_${parameter}`];
      const isPermission = Object.hasOwn(ORGANIZATION_PERMISSIONS, name);
      await set(owner, { [parameter]: isPermission ? { new: now } : now });
      // The server validates the values of these settings first.
      if (parameter.endsWith('_id') || parameter === 'giphy_rating') continue;
      const someoneElse = groupId(now === groupId(SystemGroup.members) ? SystemGroup.everyone : SystemGroup.members);
      const other = isPermission ? { new: someoneElse } : others[typeof now]?.(now);
      const { code, msg } = await refused(owner, { [parameter]: other });
      const words = `'${parameter}' cannot be changed: this server does not have that feature yet.`;
      assert.deepEqual([code, msg], ['BAD_REQUEST', words]);
      tried.push(parameter);
    }
    assert(tried.includes('can_summarize_topics_group'));
  });
});

describe('permissions', () => {
  // rules: conventions-11, organization-settings-8
  test('accept a group, or named users and groups; `old` must match the current value', async () => {
    const members = groupId(SystemGroup.members);
    const administrators = groupId(SystemGroup.administrators);
    const named = { direct_members: [guest.userId, member.userId], direct_subgroups: [administrators] };
    await set(administrator, { can_add_subscribers_group: { new: named, old: members } });
    const { realm_can_add_subscribers_group: shown } = await stateOf(guest);
    assert.deepEqual(shown, { ...named, direct_members: [member.userId, guest.userId].toSorted((a, b) => a - b) });
    const mismatch = await refused(administrator, { can_add_subscribers_group: { new: members, old: members } });
    assert.deepEqual(
      [mismatch.code, mismatch.msg],
      ['EXPECTATION_MISMATCH', "'old' value does not match the expected value."],
    );
    await set(administrator, { can_add_subscribers_group: { new: members, old: named } });
    assert.equal((await stateOf(guest)).realm_can_add_subscribers_group, members);
  });

  for (const [name, permission] of Object.entries(ORGANIZATION_PERMISSIONS)) {
    // rules: organization-settings-9
    test(`${name} accepts only the system groups that the initial state announces`, async () => {
      const state = await stateOf(owner);
      const supported =
        state.server_supported_permission_settings.realm[name] ?? state.server_own_permission_settings[name];
      assert.equal(supported.default_group_name, permission.default);
      for (const group of Object.values(SystemGroup)) {
        const takes =
          group !== SystemGroup.internet &&
          (group !== SystemGroup.nobody || supported.allow_nobody_group) &&
          (group !== SystemGroup.everyone || supported.allow_everyone_group) &&
          (!supported.require_system_group || supported.allowed_system_groups.includes(group));
        // A current value may stay: some are `role:nobody` until the feature exists.
        if (takes || state[`realm_${name}`] === groupId(group)) continue;
        const { msg } = await refused(owner, { [name]: { new: groupId(group) } });
        assert.equal(msg, `'${name}' setting cannot be set to '${group}' group.`);
      }
      if (!supported.require_system_group) return;
      const body = await refused(owner, { [name]: { new: { direct_members: [owner.userId], direct_subgroups: [] } } });
      assert.deepEqual([body.code, body.setting_name], ['SYSTEM_GROUP_REQUIRED', name]);
    });
  }

  // rules: organization-settings-10
  test('a changed permission applies to the next request', async () => {
    const creation = { subscriptions: [{ name: 'made by a member' }] };
    await set(administrator, { can_create_public_channel_group: { new: groupId(SystemGroup.moderators) } });
    assert.equal((await member.fails('POST', '/users/me/subscriptions', creation)).msg, 'Insufficient permission');
    await set(administrator, { can_create_public_channel_group: { new: groupId(SystemGroup.members) } });
    await member.ok('POST', '/users/me/subscriptions', creation);
  });

  test('values contain no deactivated accounts', async () => {
    const leaving = await server.user();
    const named = { direct_members: [member.userId, leaving.userId], direct_subgroups: [] };
    await set(owner, { can_mention_many_users_group: { new: named } });
    await deactivateUser(server.app, root, leaving.userId);
    const shown = { direct_members: [member.userId], direct_subgroups: [] };
    assert.deepEqual((await stateOf(member)).realm_can_mention_many_users_group, shown);
    await set(owner, { can_mention_many_users_group: { new: groupId(SystemGroup.administrators), old: shown } });
    assert.equal(
      (await refused(owner, { can_mention_many_users_group: { new: named } })).msg,
      `Invalid user ID: ${leaving.userId}`,
    );
  });
});

describe('events of settings', () => {
  // rules: organization-settings-11, register-27
  test('all users receive a setting as its own event, or in the dictionary that the public API requires', async () => {
    const moderators = groupId(SystemGroup.moderators);
    const fields = {
      name: 'Spinners',
      move_messages_within_stream_limit_seconds: 77,
      message_content_edit_limit_seconds: 78,
      topics_policy: 'disable_empty_topic',
      can_create_private_channel_group: { new: moderators },
    };
    const expected = [
      {
        type: 'realm',
        op: 'update_dict',
        property: 'default',
        data: {
          can_create_private_channel_group: moderators,
          create_private_stream_policy: 4,
          message_content_edit_limit_seconds: 78,
          topics_policy: 'disable_empty_topic',
          mandatory_topics: true,
        },
      },
      { type: 'realm', op: 'update', property: 'name', value: 'Spinners' },
      { type: 'realm', op: 'update', property: 'move_messages_within_stream_limit_seconds', value: 77 },
    ];
    const queues = await Promise.all(
      [guest, member, owner].map((client) => client.register({ event_types: ['realm'] })),
    );
    const answer = await set(owner, fields);
    for (const queue of queues)
      assert.deepEqual(
        (await queue.now()).map(({ id, ...event }) => event),
        expected,
      );
    const { result, msg, ...changed } = answer;
    assert.deepEqual(changed, {
      name: 'updated',
      move_messages_within_stream_limit_seconds: 77,
      message_content_edit_limit_seconds: 78,
      topics_policy: 'updated',
      can_create_private_channel_group: moderators,
    });
  });

  // rules: organization-settings-11
  test('unchanged settings are missing from events and from the response', async () => {
    const state = await stateOf(owner);
    const fields = {
      name: state.realm_name,
      topics_policy: state.realm_topics_policy,
      can_create_private_channel_group: { new: state.realm_can_create_private_channel_group },
      org_type: state.realm_org_type,
      new_stream_announcements_stream_id: -5,
    };
    assert.deepEqual(
      await received(member, async () => {
        const { result, msg, ...changed } = await set(owner, fields);
        assert.deepEqual(changed, {});
      }),
      [],
    );
  });

  test('a client that applies the events has the initial state of a new client', async () => {
    for (const client of [owner, guest]) {
      const queue = await client.register();
      const followed = new FollowedModel(client.userId, queue.state, { subscribers: false, placeholders: true });
      await set(owner, {
        description: `For ${client.name}`,
        can_create_public_channel_group: { new: groupId(SystemGroup.nobody) },
        can_add_subscribers_group: { new: { direct_members: [client.userId], direct_subgroups: [] } },
        waiting_period_threshold: 3,
        enable_spectator_access: true,
      });
      await set(owner, {
        can_create_public_channel_group: { new: groupId(SystemGroup.members) },
        can_add_subscribers_group: { new: groupId(SystemGroup.fullMembers) },
        waiting_period_threshold: 0,
        enable_spectator_access: false,
      });
      for (const event of await queue.now()) followed.apply(event);
      followed.compare((await client.register()).state);
    }
  });

  test('the server settings contain the new name and description', async () => {
    await set(owner, { name: 'Dyers', description: 'We *dye*' });
    const settings = await owner.ok('GET', '/server_settings');
    assert.deepEqual([settings.realm_name, settings.realm_description], ['Dyers', '<p>We <em>dye</em></p>']);
  });

  test('another process knows a change as soon as the request returns', async () => {
    const other = await startTestServer({ shared: server.shared });
    try {
      const there = await other.sameUser(owner);
      await set(there, { require_unique_names: true, name: 'Elsewhere' });
      await set(owner, { enable_guest_user_indicator: false });
      const state = await stateOf(owner);
      assert.deepEqual([state.realm_require_unique_names, state.realm_name], [true, 'Elsewhere']);
    } finally {
      await other.stop();
    }
  });
});

test('code blocks without a language use the organization’s default language', async () => {
  const rendered = async (content: string) => {
    const id = await owner.send('general', 'code', content);
    return (await owner.ok('GET', `/messages/${id}`)).message.content;
  };
  await set(owner, { default_code_block_language: 'python' });
  assert.match(await rendered('```\nx = 1\n```'), /data-code-language="Python"/);
  assert.match(await rendered('```text\nx = 1\n```'), /data-code-language="Text only"/);
  assert.doesNotMatch(await rendered('    x = 1'), /data-code-language/);
  await set(owner, { default_code_block_language: '' });
  assert.doesNotMatch(await rendered('```\nx = 1\n```'), /data-code-language/);
});
