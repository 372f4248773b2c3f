import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ApiError } from '@heddle/api/errors.ts';
import type { Organization } from '../../../directory/organization.ts';
import { Role } from '../../../directory/records.ts';
import type { TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { becomeBot } from '../../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { createUser, deactivateUser, type NewUser, setPassword } from './actions.ts';

let server: TestServer;
let root: Organization;
let owner: TestClient;
let member: TestClient;
let guest: TestClient;

before(async () => {
  server = await startTestServer();
  const found = await server.app.organizations.bySubdomain('');
  assert(found !== undefined);
  root = found;
  owner = server.owner;
  member = await server.user({ name: 'Mia Member', email: 'Mia@example.com' });
  guest = await server.user({ name: 'Gus Guest', role: Role.guest });
});
after(() => server.stop());

// printf mia@example.com | md5sum
const md5OfMia = '9a4b238bf4ebc0b299b88d66393bd632';

describe('reading users', () => {
  // rules: users-1, users-16
  test('GET /users/{id} returns the documented fields', async () => {
    const { user } = await owner.ok('GET', `/users/${member.userId}`);
    assert.deepEqual(
      { ...user, date_joined: undefined },
      {
        user_id: member.userId,
        delivery_email: 'Mia@example.com',
        email: 'Mia@example.com',
        full_name: 'Mia Member',
        date_joined: undefined,
        is_active: true,
        is_owner: false,
        is_admin: false,
        is_guest: false,
        is_bot: false,
        bot_type: null,
        role: 400,
        timezone: '',
        avatar_url: null,
        avatar_version: 1,
      },
    );
    assert.match(user.date_joined, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
  });

  // rules: conventions-12, users-15
  test('roles show as flags, and an owner is an administrator too', async () => {
    const [administrator, moderator] = [
      await server.user({ role: Role.administrator }),
      await server.user({ role: Role.moderator }),
    ];
    const { members } = await member.ok('GET', '/users');
    const flags = ({ userId }: TestClient) => {
      const { is_owner, is_admin, is_guest, role } = members.find((user: Json) => user.user_id === userId);
      return { is_owner, is_admin, is_guest, role };
    };
    const plain = { is_owner: false, is_admin: false, is_guest: false };
    assert.deepEqual(flags(owner), { ...plain, is_owner: true, is_admin: true, role: 100 });
    assert.deepEqual(flags(administrator), { ...plain, is_admin: true, role: 200 });
    assert.deepEqual(flags(moderator), { ...plain, role: 300 });
    assert.deepEqual(flags(member), { ...plain, role: 400 });
    assert.deepEqual(flags(guest), { ...plain, is_guest: true, role: 600 });
  });

  // rules: users-18
  test('a bot has a bot type and an owner', async () => {
    const bot = await server.user({ name: 'A Bot' });
    await becomeBot(server, bot.userId, member.userId);
    const { user } = await guest.ok('GET', `/users/${bot.userId}`);
    const { is_bot, bot_type, bot_owner_id, delivery_email, email } = user;
    assert.deepEqual([is_bot, bot_type, bot_owner_id], [true, 1, member.userId]);
    assert.deepEqual([delivery_email, email], [bot.email, bot.email]);
  });

  // rules: message-fields-9, users-16
  test('avatar_url is null by default, and with client_gravatar=false the Gravatar of the lower-case email address', async () => {
    const { user } = await owner.ok('GET', `/users/${member.userId}`, { client_gravatar: false });
    assert.notEqual(user.avatar_url, null);
    const url = new URL(user.avatar_url);
    assert.equal(url.origin, 'https://secure.gravatar.com');
    assert.equal(url.pathname, `/avatar/${md5OfMia}`);
    assert.deepEqual(Object.fromEntries(url.searchParams), { d: 'identicon', version: '1' });
  });

  // rules: users-17
  test('profile_data is returned only on request', async () => {
    const { user } = await owner.ok('GET', `/users/${member.userId}`, { include_custom_profile_fields: true });
    assert.deepEqual(user.profile_data, {});
    assert.equal('profile_data' in (await owner.ok('GET', `/users/${member.userId}`)).user, false);
  });

  // rules: users-3
  test('a user is found by email address in any case, or by the placeholder address', async () => {
    for (const address of ['Mia@example.com', 'mia@EXAMPLE.com', `user${member.userId}@localhost`]) {
      const { user } = await guest.ok('GET', `/users/${encodeURIComponent(address)}`);
      assert.equal(user.user_id, member.userId, address);
    }
  });

  // rules: users-2
  test('an unknown id or email address returns "No such user"', async () => {
    for (const name of ['99999999', '9999999999999', 'nobody@example.com', 'user99999999@localhost']) {
      const error = await owner.fails('GET', `/users/${encodeURIComponent(name)}`);
      assert.deepEqual([error.code, error.msg], ['BAD_REQUEST', 'No such user'], name);
    }
  });

  test('users of another organization are not found', async () => {
    const stranger = await server.organization('elsewhere');
    for (const name of [String(stranger.userId), stranger.email, `user${stranger.userId}@localhost`]) {
      assert.equal((await owner.fails('GET', `/users/${encodeURIComponent(name)}`)).msg, 'No such user');
    }
    const ids = (await owner.ok('GET', '/users')).members.map((user: Json) => user.user_id);
    assert(!ids.includes(stranger.userId));
    assert.deepEqual((await owner.ok('GET', '/users', { user_ids: [stranger.userId] })).members, []);
  });

  test('user_ids limits the list, and repeated ids return each user once', async () => {
    const { members } = await owner.ok('GET', '/users', {
      user_ids: [guest.userId, member.userId, guest.userId, 12345678],
    });
    assert.deepEqual(members.map((user: Json) => user.user_id).sort(), [member.userId, guest.userId].sort());
  });

  test('GET /users/me returns the caller, with the id of the newest message they received', async () => {
    const reader = await server.user();
    const self = await reader.ok('GET', '/users/me');
    assert.equal(self.user_id, reader.userId);
    assert.deepEqual(self.profile_data, {});
    const id = await owner.direct([reader.userId], 'hello');
    await owner.direct([member.userId], 'not for the reader');
    assert.equal((await reader.ok('GET', '/users/me')).max_message_id, id);
  });
});

describe('creating users', () => {
  // rules: register-28
  test('all users receive a new user as in the initial state, marked as active', async () => {
    const queue = await member.register({ event_types: ['realm_user'] });
    const added = await createUser(root, { email: 'new@example.com', fullName: ' Nora New ', role: Role.moderator });
    const [event, ...others] = await queue.take(1);
    assert.deepEqual(others, []);
    assert.deepEqual([event.op, event.person.user_id, event.person.full_name], ['add', added.id, 'Nora New']);
    const { state } = await member.register({ event_types: ['realm_user'] });
    const listed = state.realm_users.find((user: Json) => user.user_id === added.id);
    assert.deepEqual(event.person, { ...listed, is_active: true });
  });

  test('the event contains avatar_url for clients without client_gravatar', async () => {
    const queue = await member.register({ event_types: ['realm_user'], client_gravatar: false });
    await createUser(root, { email: 'picture@example.com', fullName: 'Pia Picture' });
    const [event] = await queue.take(1);
    assert.match(
      event.person.avatar_url,
      /^https:\/\/secure\.gravatar\.com\/avatar\/[0-9a-f]{32}\?d=identicon&version=1$/,
    );
  });

  test('a new member is subscribed to the default channels, a guest to none', async () => {
    const names = async (client: TestClient) =>
      (await client.ok('GET', '/users/me/subscriptions')).subscriptions.map((channel: Json) => channel.name).sort();
    assert.deepEqual(await names(await server.user()), ['general', 'sandbox']);
    assert.deepEqual(await names(await server.user({ role: Role.guest })), []);
  });

  const refused: readonly (readonly [Partial<NewUser>, RegExp])[] = [
    [{ email: 'MIA@EXAMPLE.COM' }, /already in use/],
    [{ email: 'no address' }, /valid email/],
    [{ email: 'a:b@example.com' }, /valid email/],
    [{ email: `${'x'.repeat(250)}@example.com` }, /valid email/],
    [{ fullName: '  ' }, /too short/],
    [{ fullName: 'x'.repeat(101) }, /too long/],
    [{ fullName: 'a**b' }, /Invalid characters/],
    [{ fullName: 'line\nbreak' }, /Invalid characters/],
    [{ fullName: 'turned\u202eround' }, /Invalid characters/],
    [{ fullName: 'Ada|12' }, /Invalid format/],
    [{ password: 'short' }, /at least 8/],
    [{ password: '12345678' }, /easy to guess/],
    [{ password: 'Rita-Refused1' }, /contains your name/],
  ];
  for (const [change, message] of refused) {
    test(`creating a user with ${JSON.stringify(change).slice(0, 60)} is refused`, async () => {
      const order = { email: 'refused@example.com', fullName: 'Rita Refused', ...change };
      await assert.rejects(
        createUser(root, order),
        (error) => error instanceof ApiError && message.test(error.message),
      );
      assert.equal(root.directory.userByEmail('refused@example.com'), undefined);
    });
  }

  test('names of any script are accepted', async () => {
    for (const fullName of ['李', 'Зоя', 'Ọlá Adé', 'علي', "O'Brien, Jr.", '👩‍💻 Dev']) {
      const email = `name${fullName.codePointAt(0)}@example.com`;
      assert.equal((await createUser(root, { email, fullName })).fullName, fullName);
    }
  });

  test('concurrent creations with one email address create one account', async () => {
    const order = { email: 'race@example.com', fullName: 'Ray Race' };
    const made = await Promise.allSettled([createUser(root, order), createUser(root, order), createUser(root, order)]);
    assert.equal(made.filter(({ status }) => status === 'fulfilled').length, 1);
  });
});

test('permissions refer to groups of the initial state, and a new user joins the groups of their role', async () => {
  const queue = await member.register({ event_types: ['user_group'], fetch_event_types: ['user_group', 'realm'] });
  const groups = new Map<number, Json>(queue.state.realm_user_groups.map((group: Json) => [group.id, group]));
  assert.equal(groups.get(queue.state.realm_can_add_subscribers_group)?.name, 'role:members');
  const added = await createUser(root, { email: 'joins@example.com', fullName: 'Joe Joins' });
  const events = await queue.take(2);
  const joined = events.map((event) => [event.op, groups.get(event.group_id)?.name, event.user_ids]);
  assert.deepEqual(joined, [
    ['add_members', 'role:fullmembers', [added.id]],
    ['add_members', 'role:members', [added.id]],
  ]);
});

describe('deactivating users', () => {
  test('the API key is refused with USER_DEACTIVATED', async () => {
    const gone = await server.user();
    await deactivateUser(server.app, root, gone.userId);
    assert.equal((await gone.fails('GET', '/users/me', {}, 401)).code, 'USER_DEACTIVATED');
  });

  test('all users receive the event, and applying it yields the new initial state', async () => {
    const gone = await server.user();
    const queue = await member.register({ fetch_event_types: ['realm_user'], event_types: ['realm_user'] });
    await deactivateUser(server.app, root, gone.userId);
    const [event] = await queue.take(1);
    assert.deepEqual([event.op, event.person], ['update', { user_id: gone.userId, is_active: false }]);

    const person = queue.state.realm_users.find((user: Json) => user.user_id === gone.userId);
    const { state } = await member.register({ event_types: ['realm_user'] });
    const now = state.realm_non_active_users.find((user: Json) => user.user_id === gone.userId);
    assert.deepEqual(now, person);
    assert(!state.realm_users.some((user: Json) => user.user_id === gone.userId));
  });

  test('in the initial state, users have no is_active field but system bots do', async () => {
    const gone = await server.user();
    await deactivateUser(server.app, root, gone.userId);
    const { state } = await member.register({ fetch_event_types: ['realm_user'] });
    const { realm_users, realm_non_active_users, cross_realm_bots } = state;
    assert(realm_non_active_users.length > 0);
    for (const user of [...realm_users, ...realm_non_active_users]) assert(!('is_active' in user));
    for (const bot of cross_realm_bots) assert.equal(bot.is_active, true);
  });

  test('other subscribers receive peer_remove', async () => {
    const gone = await server.user();
    const queue = await member.register({ event_types: ['subscription'] });
    await deactivateUser(server.app, root, gone.userId);
    const events = await queue.take(2);
    for (const event of events) assert.deepEqual([event.op, event.user_ids], ['peer_remove', [gone.userId]]);
  });

  // rules: users-14
  test('peers receive peer_remove and then the deactivation, and the server removes the user from groups and permissions', async () => {
    const gone = await server.user();
    const own = { direct_members: [gone.userId, member.userId], direct_subgroups: [] };
    const fields = { name: 'of who goes', description: '', members: [gone.userId, member.userId], can_join_group: own };
    const { group_id } = await owner.ok('POST', '/user_groups/create', fields);
    const permission = { subscriptions: [{ name: 'of who goes' }], can_send_message_group: own };
    await owner.ok('POST', '/users/me/subscriptions', permission);
    const queue = await member.register({ fetch_event_types: ['user_group'] });
    await deactivateUser(server.app, root, gone.userId);
    const events: readonly Json[] = await queue.now();
    assert.deepEqual(
      events.map(({ type, op }) => [type, op]),
      [...Array(events.length - 1).fill(['subscription', 'peer_remove']), ['realm_user', 'update']],
    );
    const { state } = await member.register({ fetch_event_types: ['user_group'] });
    const group = state.realm_user_groups.find(({ id }: Json) => id === group_id);
    assert.deepEqual([group.members, group.can_join_group.direct_members], [[member.userId], [member.userId]]);
  });

  test('deactivation ends the event queues of the account', async () => {
    const gone = await server.user();
    const queue = await gone.register({ event_types: ['message'] });
    const held = gone.call('GET', '/events', { queue_id: queue.id, last_event_id: queue.lastEventId });
    await deactivateUser(server.app, root, gone.userId);
    const { status } = await held;
    assert(status === 400 || status === 401, `responds with status ${status}`);
    const left = await server.app.db.selectFrom('queues').select('id').where('user_id', '=', gone.userId).execute();
    assert.deepEqual(left, []);
  });

  // rules: users-14
  test('the account is still listed and readable, as inactive', async () => {
    const gone = await server.user();
    await deactivateUser(server.app, root, gone.userId);
    assert.equal((await member.ok('GET', `/users/${gone.userId}`)).user.is_active, false);
    const { members } = await member.ok('GET', '/users', { user_ids: [gone.userId] });
    assert.equal(members[0].is_active, false);
  });

  test('the only owner cannot be deactivated', async () => {
    await assert.rejects(deactivateUser(server.app, root, owner.userId), /only organization owner/);
    await owner.ok('GET', '/users/me');
  });

  test('a user of another organization is not found, and a second deactivation changes nothing', async () => {
    const stranger = await server.organization('faraway');
    await assert.rejects(deactivateUser(server.app, root, stranger.userId), /No such user/);
    const gone = await server.user();
    await deactivateUser(server.app, root, gone.userId);
    const { position } = root;
    await deactivateUser(server.app, root, gone.userId);
    assert.equal(root.position, position);
  });
});

test('setting a password refuses a user of another organization', async () => {
  const stranger = await server.organization('abroad');
  await assert.rejects(setPassword(root, stranger.userId, 'correct horse'), /No such user/);
});

test('the initial state describes the current user, with the permission fields of older clients', async () => {
  const { state } = await member.register({ event_types: ['realm_user'] });
  assert.deepEqual(
    {
      user_id: state.user_id,
      email: state.email,
      delivery_email: state.delivery_email,
      full_name: state.full_name,
      flags: [state.is_owner, state.is_admin, state.is_moderator, state.is_guest],
      avatar: [state.avatar_source, typeof state.avatar_url, typeof state.avatar_url_medium],
      may: [state.can_create_public_streams, state.can_create_web_public_streams, state.can_invite_others_to_realm],
    },
    {
      user_id: member.userId,
      email: 'Mia@example.com',
      delivery_email: 'Mia@example.com',
      full_name: 'Mia Member',
      flags: [false, false, false, false],
      avatar: ['G', 'string', 'string'],
      may: [true, false, true],
    },
  );
  const ofOwner = (await server.owner.register({ event_types: ['realm_user'] })).state;
  assert.deepEqual([ofOwner.is_owner, ofOwner.is_admin, ofOwner.is_moderator], [true, true, true]);
  const ofGuest = (await guest.register({ event_types: ['realm_user'], client_gravatar: false })).state;
  assert.deepEqual(
    [ofGuest.is_guest, ofGuest.can_create_streams, ofGuest.can_subscribe_other_users],
    [true, false, false],
  );
  assert.match(ofGuest.avatar_url_medium, /&s=500&/);
});
