import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ApiError } from '@heddle/api/errors.ts';
import { realmState } from '@heddle/api/state/realm.ts';
import { createHeddleServer } from '../../../app.ts';
import { readConfig } from '../../../config.ts';
import type { Organization } from '../../../directory/organization.ts';
import { Role, SystemGroup, type UserRecord } from '../../../directory/records.ts';
import { ExternalAddress } from '../../../extension/external-address.ts';
import { createLogger } from '../../../http/logging.ts';
import { openApp } from '../../../open-app.ts';
import { checkAnswer } from '../../../testing/clients/contract-check.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { testDatabase } from '../../../testing/database/database.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { until } from '../../../testing/server/until.ts';
import { createOrganization, type NewOrganization } from '../../joining/founding/actions.ts';
import { listOrganizations } from '../organizations/queries.ts';

let server: TestServer;

before(async () => {
  server = await startTestServer();
});
after(() => server.stop());

async function at(subdomain: string): Promise<Organization> {
  const organization = await server.app.organizations.bySubdomain(subdomain);
  assert(organization !== undefined);
  return organization;
}

const order: NewOrganization = {
  subdomain: 'new',
  name: 'New',
  ownerEmail: 'olive@example.com',
  ownerName: 'Olive',
};

describe('creating an organization', () => {
  test('creates its owner, the default channels, and its entry in the list', async () => {
    const created = await createOrganization(server.app, { ...order, subdomain: 'acme', name: ' Acme ' });
    const { directory } = await at('acme');
    assert.deepEqual([created.name, created.owner.role, created.owner.fullName], ['Acme', Role.owner, 'Olive']);
    assert.deepEqual(directory.user(created.owner.id), created.owner);
    const channels = [...directory.channels.values()];
    assert.deepEqual(
      channels.map(({ name, isDefault, isPrivate }) => [name, isDefault, isPrivate]),
      [
        ['general', true, false],
        ['sandbox', true, false],
      ],
    );
    for (const { id } of channels) assert(directory.subscriptions.has(id, created.owner.id));
    const [listed] = (await listOrganizations(server.app)).filter(({ subdomain }) => subdomain === 'acme');
    assert.deepEqual([listed?.id, listed?.name, listed?.users, listed?.isDeactivated], [created.id, 'Acme', 1, false]);
  });

  // rules: user-groups-11
  test('creates the eight system groups, each containing the previous one', async () => {
    await createOrganization(server.app, { ...order, subdomain: 'groups' });
    const { groups } = (await at('groups')).directory;
    assert.deepEqual([...groups.all.values()].map(({ name }) => name).sort(), Object.values(SystemGroup).sort());
    const { owners, administrators, moderators, fullMembers, members, everyone, internet, nobody } = SystemGroup;
    const chain = [owners, administrators, moderators, fullMembers, members, everyone, internet];
    for (const [index, name] of chain.entries()) {
      const inner = chain[index - 1];
      const expected = inner === undefined ? [] : [groups.idOf(inner)];
      assert.deepEqual([...groups.subgroupsOf(groups.idOf(name))], expected, name);
    }
    assert.deepEqual([...groups.subgroupsOf(groups.idOf(nobody))], []);
  });

  // rules: user-groups-11
  test('a role is in its own system group and in those of lower roles, and role:nobody is empty', async () => {
    const { groups } = (await at('')).directory;
    const { owners, administrators, moderators, members, everyone, nobody } = SystemGroup;
    const groupsOf = (role: Role) => {
      const user = { id: 1, role } as UserRecord;
      return [owners, administrators, moderators, members, everyone, nobody].filter((name) =>
        groups.includes(groups.idOf(name), user),
      );
    };
    assert.deepEqual(groupsOf(Role.owner), [owners, administrators, moderators, members, everyone]);
    assert.deepEqual(groupsOf(Role.moderator), [moderators, members, everyone]);
    assert.deepEqual(groupsOf(Role.guest), [everyone]);
  });

  const refused: readonly (readonly [Partial<NewOrganization>, RegExp])[] = [
    [{ subdomain: '' }, /root domain/],
    [{ subdomain: 'Upper' }, /not valid/],
    [{ subdomain: '-dash' }, /not valid/],
    [{ subdomain: 'dot.ted' }, /not valid/],
    [{ subdomain: 'x'.repeat(41) }, /not valid/],
    [{ name: ' ' }, /blank/],
    [{ name: 'x'.repeat(41) }, /too long/],
    [{ name: 'a\nb' }, /invalid characters/],
    [{ ownerEmail: 'nowhere' }, /valid email/],
    [{ ownerName: '' }, /too short/],
    [{ ownerPassword: 'short' }, /at least 8/],
  ];
  for (const [change, message] of refused) {
    test(`with ${JSON.stringify(change).slice(0, 50)} it is refused and stores nothing`, async () => {
      const before = await listOrganizations(server.app);
      await assert.rejects(
        createOrganization(server.app, { ...order, ...change }),
        (error) => error instanceof ApiError && error.code === 'BAD_REQUEST' && message.test(error.message),
      );
      assert.deepEqual(await listOrganizations(server.app), before);
    });
  }

  test('one of two concurrent creations with the same subdomain succeeds', async () => {
    const twice = [1, 2].map(() => createOrganization(server.app, { ...order, subdomain: 'twice' }));
    const results = await Promise.allSettled(twice);
    const [refusal] = results.filter((result) => result.status === 'rejected');
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
    assert.match(refusal?.reason.message, /'twice' already in use/);
  });

  test('it starts with a log of its creation, which its first client does not receive', async () => {
    const owner = await server.organization('fresh');
    const organization = await at('fresh');
    assert(organization.position > 0);
    const queue = await owner.register({ event_types: ['message'] });
    const id = await owner.send('general', 'hello', 'hi');
    const [event] = await queue.take(1);
    assert.equal(event.message.id, id);
  });
});

describe('GET /server_settings', () => {
  // rules: login-3, versions-1, versions-2
  test('returns every documented field, and versions under both names', async () => {
    const settings = await server.owner.ok('GET', '/server_settings');
    assert.equal(settings.zulip_feature_level, 421);
    for (const name of ['feature_level', 'version', 'merge_base']) {
      assert.equal(settings[`service_${name}`], settings[`zulip_${name}`], name);
    }
    assert.match(settings.zulip_version, /^\d+\.\d+/);
    const { push_notifications_enabled, is_incompatible, email_auth_enabled, ...more } = settings;
    assert.deepEqual([push_notifications_enabled, is_incompatible, email_auth_enabled], [false, false, true]);
    assert.deepEqual([more.external_authentication_methods, more.require_email_format_usernames], [[], true]);
    assert.deepEqual([typeof settings.realm_icon, settings.realm_web_public_access_enabled], ['string', false]);
    assert.deepEqual(
      [settings.realm_name, settings.realm_url, settings.realm_uri, settings.realm_description],
      [
        'Organization',
        server.app.address.of(''),
        server.app.address.of(''),
        '<p>The coolest place in the universe.</p>',
      ],
    );
    const { password, email, dev, ...others } = settings.authentication_methods;
    assert.deepEqual({ password, email, dev }, { password: true, email: true, dev: false });
    assert(Object.values(others).every((isEnabled) => isEnabled === false));
  });

  test('at a subdomain returns that organization', async () => {
    const owner = await server.organization('dept');
    const settings = await owner.ok('GET', '/server_settings');
    assert.equal(settings.realm_name, 'Organization dept');
    assert.match(settings.realm_url, /^http:\/\/dept\.localhost:\d+$/);
  });

  // rules: login-3
  test('a root domain without an organization returns only the fields of the server', async () => {
    const rootless = await startRootless();
    try {
      const { realm_name, realm_url, realm_icon, ...settings } = await get(
        rootless.port,
        '/server_settings',
        'localhost',
      );
      assert.deepEqual([realm_name, realm_url, realm_icon], [undefined, undefined, undefined]);
      assert.deepEqual([settings.result, settings.zulip_feature_level], ['success', 421]);
      const other = await get(rootless.port, '/users/me', 'localhost');
      assert.deepEqual(
        [other.code, other.msg],
        ['NONEXISTENT_SUBDOMAIN', "There is no organization at this server's root domain"],
      );
      assert.equal((await get(rootless.port, '/server_settings', 'only.localhost')).realm_name, 'Only');
    } finally {
      await rootless.stop();
    }
  });
});

/** Starts a server whose only organization is at a subdomain. */
async function startRootless() {
  const database = await testDatabase();
  const dataDirectory = await mkdtemp(join(tmpdir(), 'heddle-test-'));
  const environment = { HEDDLE_PORT: '0', HEDDLE_DATA_DIR: dataDirectory, HEDDLE_DATABASE_URL: database.url };
  const { config } = readConfig({ ...environment, HEDDLE_LOG_LEVEL: 'error' });
  const log = createLogger(config.logLevel);
  const app = await openApp({ config, log, connection: database.connection, purpose: 'serve' });
  await createOrganization(app, { ...order, subdomain: 'only', name: 'Only' });
  const server = await createHeddleServer(app, { onAnswer: checkAnswer, recurringJobs: [] });
  return {
    port: await server.listen(),
    async stop() {
      await server.stop(5000);
      await app.close();
      await database.drop();
      await rm(dataDirectory, { recursive: true });
    },
  };
}

function get(port: number, path: string, host: string): Promise<Json> {
  const { promise, resolve, reject } = Promise.withResolvers<Json>();
  const outgoing = request(
    `http://127.0.0.1:${port}/api/v1${path}`,
    { headers: { host }, agent: false },
    async (incoming) => {
      resolve(JSON.parse(Buffer.concat(await incoming.toArray()).toString()));
    },
  );
  outgoing.on('error', reject);
  outgoing.end();
  return promise;
}

describe('the organization in the initial state', () => {
  test('has every documented field', async () => {
    const { state } = await server.owner.register({
      fetch_event_types: ['realm', 'stop_words', 'giphy'],
      event_types: [],
      client_capabilities: { pinned_messages: true, web_push: true },
    });
    const missing = Object.keys(realmState).filter((name) => !(name in state));
    assert.deepEqual(missing, []);
    assert.equal(state.realm_date_created, (await at('')).directory.organization.createdAt);
  });

  test('contains the versions whatever was fetched', async () => {
    const { state } = await server.owner.register({ fetch_event_types: ['message'], event_types: [] });
    assert.deepEqual([state.zulip_feature_level, state.service_feature_level], [421, 421]);
    assert(!('realm_name' in state));
  });

  // rules: organization-settings-4
  test('contains a stored setting, also in the fields of older clients', async () => {
    const owner = await server.organization('strict');
    const organization = await at('strict');
    const queue = await owner.register({ event_types: ['realm'] });
    assert.equal(queue.state.realm_create_private_stream_policy, 1);
    const { groups } = organization.directory;
    await owner.ok('PATCH', '/realm', {
      can_create_private_channel_group: { new: groups.idOf(SystemGroup.administrators) },
      can_mention_many_users_group: { new: { direct_members: [owner.userId], direct_subgroups: [] } },
      topics_policy: 'disable_empty_topic',
    });
    const expected = {
      can_create_private_channel_group: groups.idOf(SystemGroup.administrators),
      create_private_stream_policy: 2,
      can_mention_many_users_group: { direct_members: [owner.userId], direct_subgroups: [] },
      wildcard_mention_policy: 1,
      topics_policy: 'disable_empty_topic',
      mandatory_topics: true,
    };
    const { state } = await owner.register({ fetch_event_types: ['realm'], event_types: [] });
    for (const [name, value] of Object.entries(expected)) assert.deepEqual(state[`realm_${name}`], value, name);

    const [event] = await queue.take(1);
    assert.deepEqual([event.op, event.property, event.data], ['update_dict', 'default', expected]);
    // I7: a client that applies the event to its state has the initial state of a new client.
    const applied: Json = { ...queue.state };
    for (const [name, value] of Object.entries(event.data)) applied[`realm_${name}`] = value;
    const { queue_id: _, last_event_id: __, ...fresh } = state;
    for (const [name, value] of Object.entries(fresh)) assert.deepEqual(applied[name], value, name);
  });

  test('features that are not supported yet are switched off, whatever is stored', async () => {
    const { state } = await server.owner.register({ fetch_event_types: ['realm'], event_types: [] });
    const nobody = (await at('')).directory.groups.idOf(SystemGroup.nobody);
    assert.equal(state.realm_can_summarize_topics_group, nobody);
    assert.equal(state.realm_inline_url_embed_preview, false);
  });
});

test('the external address of an organization is its subdomain before the host of HEDDLE_URL', () => {
  const { config } = readConfig({ HEDDLE_URL: 'https://chat.example.com:8443' });
  const address = new ExternalAddress(config);
  assert.equal(address.of('acme'), 'https://acme.chat.example.com:8443');
});

test('an unknown subdomain is cached until another process announces that it created the organization', async (t) => {
  const server = await startTestServer();
  const other = await startTestServer({ shared: server.shared, environment: { HEDDLE_BUS: 'postgres' } });
  try {
    const { organizations } = server.app;
    // Stop the clock so that the cache entry does not expire.
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
    assert.equal(await organizations.bySubdomain('acme'), undefined);
    assert.equal(organizations.isUnknown('acme'), true);
    const { id } = await createOrganization(other.app, { ...order, subdomain: 'acme' });
    other.app.bus.publish(id);
    await until(() => !organizations.isUnknown('acme'), 'the new organization to be known');
    assert.equal((await organizations.bySubdomain('acme'))?.id, id);
  } finally {
    await other.stop();
    await server.stop();
  }
});
