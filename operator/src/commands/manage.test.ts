import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { openPool } from '@heddle/server/db/pool.ts';
import { Visitor } from '@heddle/server/testing/clients/visitor.ts';
import { type TestDatabase, testDatabase, testPool } from '@heddle/server/testing/database/database.ts';
import { runCommand, type ServeCommand, startServe } from '@heddle/server/testing/server/command-line.ts';
import { temporaryDataDirectory } from '@heddle/server/testing/server/data-directory.ts';
import { until } from '@heddle/server/testing/server/until.ts';
import { HEDDLE_VERSION } from '@heddle/server/version.ts';
import { sql } from 'kysely';
import { pino } from 'pino';

let database: TestDatabase;
let data: Awaited<ReturnType<typeof temporaryDataDirectory>>;
let place: Readonly<Record<string, string>>;

before(async () => {
  [data, database] = await Promise.all([temporaryDataDirectory(), testDatabase('empty')]);
  place = { HEDDLE_DATA_DIR: data.path, HEDDLE_DATABASE_URL: database.url };
});
after(async () => {
  await database.drop();
  await data.remove();
});

/** Runs a command that succeeds, and returns its JSON output. */
async function heddle(...args: readonly string[]) {
  const { code, out, err } = await runCommand([...args, '--json'], place);
  assert.equal(code, 0, `${args.join(' ')}: ${err}`);
  return JSON.parse(out);
}

/** Runs a command that fails, and returns its error output. */
async function complaint(...args: readonly string[]): Promise<string> {
  const { code, out, err } = await runCommand(args, place);
  assert.deepEqual({ code, out }, { code: 1, out: '' }, err);
  return err;
}

/** Adds two failed jobs, and returns their ids. */
async function failTwoJobs(): Promise<readonly [number, number]> {
  const { db, close } = openPool(database.connection, pino({ enabled: false }));
  const { rows } = await sql<{ id: number }>`
    INSERT INTO jobs (kind, payload, failed_at, last_error) VALUES ('remind', '{}', now(), 'no'), ('remind', '{}', now(), 'no')
    RETURNING id`.execute(db);
  await close();
  return [rows[0]?.id ?? 0, rows[1]?.id ?? 0];
}

function authorization(email: string, key: string) {
  return { authorization: `Basic ${btoa(`${email}:${key}`)}` };
}

async function logIn(url: string, username: string, password: string): Promise<number> {
  const body = new URLSearchParams({ username, password });
  return (await fetch(`${url}/api/v1/fetch_api_key`, { method: 'POST', body })).status;
}

describe('without a running server', () => {
  test('migrate creates the tables, and then the database is up to date', async () => {
    const { migrations } = await heddle('migrate');
    assert.ok(migrations.length > 0);
    assert.deepEqual(await heddle('migrate'), { migrations: [], version: HEDDLE_VERSION });
    const { out } = await runCommand(['migrate'], place);
    assert.equal(out, `The database is up to date (version ${HEDDLE_VERSION}).\n`);
  });

  test('a database of a newer version is refused with one sentence that names the version', async () => {
    const pool = testPool(database);
    await pool.query("UPDATE server_facts SET value = '9.8.7' WHERE key = 'heddle_version'");
    await pool.query("INSERT INTO kysely_migration VALUES ('9999-of-the-future', '2099-01-01')");
    const refusal = `This database needs Heddle 9.8.7 (it has the migration 9999-of-the-future), but this is Heddle ${HEDDLE_VERSION}.\n`;
    for (const command of [['org', 'list'], ['migrate'], ['serve']]) assert.equal(await complaint(...command), refusal);
    await pool.query("DELETE FROM kysely_migration WHERE name = '9999-of-the-future'");
    await pool.end();
  });

  test('each migration is logged with its name and duration', async () => {
    const empty = await testDatabase('empty');
    const { err } = await runCommand(['migrate'], {
      ...place,
      HEDDLE_DATABASE_URL: empty.url,
      HEDDLE_LOG_LEVEL: 'debug',
    });
    await empty.drop();
    const [first = '{}'] = err.split('\n');
    const { migration, milliseconds, msg } = JSON.parse(first);
    assert.deepEqual([migration, typeof milliseconds, msg], ['0001-initial', 'number', 'ran a migration']);
  });

  test('org create creates an organization, and user api-key returns the owner’s key', async () => {
    const root = ['--subdomain', '', '--name', 'Root', '--owner-email', 'ada@example.com', '--owner-name', 'Ada'];
    const created = await heddle('org', 'create', ...root, '--owner-password', 'analytical engine');
    assert.equal(created.url, 'http://localhost:9991');
    assert.equal(created.owner_password, undefined);
    const { api_key: key } = await heddle('user', 'api-key', '--email', 'ada@example.com');
    assert.equal(key, created.api_key);
    assert.match(await complaint('org', 'create', ...root), /There is an organization at the root domain already/);
  });

  test('org create generates and prints a password if none is given', async () => {
    const args = ['--subdomain', 'other', '--name', 'Other', '--owner-email', 'ada@example.com', '--owner-name', 'Ada'];
    assert.match((await heddle('org', 'create', ...args)).owner_password, /^[\w-]{20}$/);
  });

  test('org list shows every organization', async () => {
    const listed: { subdomain: string; url: string; users: number }[] = await heddle('org', 'list');
    assert.deepEqual(
      listed.map(({ subdomain, url, users }) => [subdomain, url, users]),
      [
        ['', 'http://localhost:9991', 1],
        ['other', 'http://other.localhost:9991', 1],
      ],
    );
    const { out } = await runCommand(['org', 'list'], place);
    assert.match(out, /^ID +SUBDOMAIN +NAME.*\n\d+ +\(root\) +Root .*\n\d+ +other +Other /);
  });

  test('restored starts a new epoch, which ends the queues of earlier ones', async () => {
    const pool = testPool(database);
    const epochs = async () => (await pool.query('SELECT epoch FROM logs')).rows;
    const before = await epochs();
    await heddle('restored');
    assert(before.length > 0);
    assert.notDeepEqual(await epochs(), before);
    await pool.end();
  });

  test('a failed job is listed, retried and dropped', async () => {
    const [first, second] = await failTwoJobs();
    const listed: { id: number; kind: string; reason: string }[] = await heddle('job', 'failed');
    assert.deepEqual(
      listed.map(({ id, kind, reason }) => [id, kind, reason]),
      [
        [second, 'remind', 'no'],
        [first, 'remind', 'no'],
      ],
    );
    assert.deepEqual(await heddle('job', 'retry', '--id', String(first)), { id: first });
    assert.match(await complaint('job', 'retry', '--id', String(first)), /There is no failed job \d+/);
    assert.deepEqual(await heddle('job', 'drop', '--id', String(second)), { id: second });
    assert.deepEqual(await heddle('job', 'failed'), []);
  });

  test('user create prints user_id, email and api_key, for the given organization', async () => {
    const args = ['--email', 'bob@example.com', '--name', 'Bob', '--role', 'guest', '--subdomain', 'other'];
    const { code, out } = await runCommand(['user', 'create', ...args], place);
    assert.equal(code, 0);
    assert.match(out, /^user_id: \d+\nemail: bob@example\.com\napi_key: \w{32}\n$/);
    assert.match(await complaint('user', 'create', ...args), /already in use/);
    assert.match(await complaint('user', 'api-key', '--email', 'bob@example.com'), /No such user/);
  });

  test('user list shows every user with their role, and which are deactivated', async () => {
    const other = ['--subdomain', 'other'];
    await heddle('user', 'deactivate', '--email', 'bob@example.com', ...other);
    const listed: { email: string; role: string; is_active: boolean }[] = await heddle('user', 'list', ...other);
    assert.deepEqual(
      listed.map(({ email, role, is_active: isActive }) => [email, role, isActive]),
      [
        ['ada@example.com', 'owner', true],
        ['bob@example.com', 'guest', false],
      ],
    );
    const { out } = await runCommand(['user', 'list', ...other], place);
    assert.match(
      out,
      /^ID +EMAIL +NAME +ROLE\n\d+ +ada@example\.com +Ada +owner\n\d+ +bob@example\.com +Bob +guest +deactivated\n$/,
    );
  });

  test('user reactivate reactivates a user, with an API key', async () => {
    const bob = ['--email', 'bob@example.com', '--subdomain', 'other'];
    assert.match(await complaint('user', 'api-key', ...bob), /is deactivated/);
    const { code, out } = await runCommand(['user', 'reactivate', ...bob], place);
    assert.deepEqual([code, out], [0, 'bob@example.com is active again.\n']);
    assert.match((await heddle('user', 'api-key', ...bob)).api_key, /^\w{32}$/);
  });

  test('org rename changes the name of an organization', async () => {
    const { code, out } = await runCommand(['org', 'rename', '--subdomain', 'other', '--name', 'Others'], place);
    assert.deepEqual([code, out], [0, 'Other is now called Others.\n']);
    const listed: { name: string }[] = await heddle('org', 'list');
    assert.deepEqual(
      listed.map(({ name }) => name),
      ['Root', 'Others'],
    );
    assert.match(await complaint('org', 'rename', '--name', ' '), /cannot be blank/);
  });

  test('user allow grants a permission that only the operator can grant, and user forbid revokes it', async () => {
    const pool = testPool(database);
    const powers = async () => {
      const { rows } = await pool.query(
        "SELECT can_create_users, can_change_user_emails FROM users WHERE email = 'bob@example.com'",
      );
      return Object.values(rows[0]);
    };
    const bob = ['--email', 'bob@example.com', '--subdomain', 'other', '--what'];
    const { out } = await runCommand(['user', 'allow', ...bob, 'create-users'], place);
    assert.equal(out, 'bob@example.com can now create users.\n');
    assert.deepEqual(await powers(), [true, false]);
    await heddle('user', 'allow', ...bob, 'change-addresses');
    await heddle('user', 'forbid', ...bob, 'create-users');
    assert.deepEqual(await powers(), [false, true]);
    await pool.end();
  });

  test('an unknown organization, user or role is reported', async () => {
    assert.match(
      await complaint('user', 'api-key', '--email', 'bob@example.com', '--subdomain', 'nowhere'),
      /There is no organization at 'nowhere'/,
    );
    assert.match(await complaint('user', 'deactivate', '--email', 'eve@example.com'), /No such user/);
    const args = ['user', 'create', '--email', 'eve@example.com', '--name', 'Eve', '--role', 'king'];
    const { code, err } = await runCommand(args, place);
    assert.equal(code, 2);
    assert.match(err, /'king' is invalid\. Allowed choices are owner, administrator, moderator, member, guest\./);
  });
});

describe('beside a running server', () => {
  let server: ServeCommand;
  let owner: { authorization: string };
  before(async () => {
    server = await startServe(place);
    const { email, api_key: key } = await heddle('user', 'api-key', '--email', 'ada@example.com');
    owner = authorization(email, key);
  });
  after(async () => {
    assert.equal((await server.stop()).code, 0);
  });

  /** Returns the events of one poll, which waits for the first event. */
  async function nextEvents(
    queueId: string,
    last: number,
  ): Promise<{ id: number; type: string; op?: string; person?: object }[]> {
    const query = new URLSearchParams({ queue_id: queueId, last_event_id: String(last) });
    const answer = await fetch(`${server.url}/api/v1/events?${query}`, { headers: owner });
    return (await answer.json()).events;
  }

  test('a user created by the command line is sent to waiting clients, and can be used at once', async () => {
    const body = new URLSearchParams({ event_types: '["realm_user"]' });
    const registered = await fetch(`${server.url}/api/v1/register`, { method: 'POST', headers: owner, body });
    const { queue_id: queueId, last_event_id: last } = await registered.json();
    const waiting = nextEvents(queueId, last);
    const args = ['--email', 'carol@example.com', '--name', 'Carol', '--password', 'difference engine'];
    const carol = await heddle('user', 'create', ...args);
    const [event] = await waiting;
    assert.deepEqual([event?.type, event?.op], ['realm_user', 'add']);

    const headers = authorization(carol.email, carol.api_key);
    const me = await fetch(`${server.url}/api/v1/users/me`, { headers });
    assert.deepEqual([me.status, (await me.json()).user_id], [200, carol.user_id]);
    assert.equal(await logIn(server.url, 'carol@example.com', 'difference engine'), 200);
  });

  test('a password set by the command line, also from standard input, replaces the old one and ends sessions', async () => {
    const set = ['user', 'set-password', '--email', 'carol@example.com', '--password', '-'];
    const browser = new Visitor(server.url);
    await browser.logIn('carol@example.com', 'difference engine');
    assert.equal((await browser.get('/json/users/me')).status, 200);
    assert.equal((await runCommand(set, place, 'a second password\n')).code, 0);
    assert.equal((await browser.get('/json/users/me')).status, 401);
    assert.equal(await logIn(server.url, 'carol@example.com', 'difference engine'), 401);
    assert.equal(await logIn(server.url, 'carol@example.com', 'a second password'), 200);
    assert.match(await complaint(...set.slice(0, -1), 'short'), /at least 8 characters/);
    assert.match(await complaint(...set.slice(0, -1), 'carol@example.com'), /contains your name/);
    const account = ['--email', 'weak@example.com', '--name', 'Weak', '--password', '12345678'];
    assert.match(await complaint('user', 'create', ...account), /easy to guess/);
    const organization = [
      '--subdomain',
      'weak',
      '--name',
      'Weak',
      '--owner-email',
      'o@example.com',
      '--owner-name',
      'O',
    ];
    assert.match(await complaint('org', 'create', ...organization, '--owner-password', '12345678'), /easy to guess/);
  });

  test('a role set by the command line is sent to clients, and the only owner keeps their role', async () => {
    const body = new URLSearchParams({ event_types: '["realm_user"]' });
    const registered = await fetch(`${server.url}/api/v1/register`, { method: 'POST', headers: owner, body });
    const { queue_id: queueId, last_event_id: last } = await registered.json();
    const waiting = nextEvents(queueId, last);
    const args = ['user', 'set-role', '--email', 'carol@example.com', '--role'];
    const { user_id, role } = await heddle(...args, 'moderator');
    const [event] = await waiting;
    assert.deepEqual([role, event?.type, event?.op], ['moderator', 'realm_user', 'update']);
    assert.deepEqual(event?.person, { user_id, role: 300 });
    const { code, out } = await runCommand([...args, 'member'], place);
    assert.deepEqual([code, out], [0, 'carol@example.com now has the role member.\n']);
    assert.match(await complaint('user', 'set-role', '--email', 'ada@example.com', '--role', 'guest'), /only .* owner/);
    assert.match((await runCommand([...args, 'king'], place)).err, /'--role <R>' argument 'king' is invalid/);
  });

  test('a rename of the organization and a reactivation are sent to clients', async () => {
    const body = new URLSearchParams({ event_types: '["realm", "realm_user"]' });
    const registered = await fetch(`${server.url}/api/v1/register`, { method: 'POST', headers: owner, body });
    const { queue_id: queueId, last_event_id: last } = await registered.json();
    const carol = ['--email', 'carol@example.com'];
    await heddle('org', 'rename', '--name', 'Roots');
    await heddle('user', 'deactivate', ...carol);
    await heddle('user', 'reactivate', ...carol);
    const events: { id: number; type: string; value?: string; person?: { is_active?: boolean } }[] = [];
    await until(async () => {
      events.push(...(await nextEvents(queueId, events.at(-1)?.id ?? last)));
      return events.length >= 3;
    }, 'three events');
    assert.deepEqual(
      events.map(({ type, value, person }) => [type, value ?? person?.is_active]),
      [
        ['realm', 'Roots'],
        ['realm_user', false],
        ['realm_user', true],
      ],
    );
  });

  test('a new API key from the command line replaces the old one at once, also for waiting clients', async () => {
    const dora = await heddle('user', 'create', '--email', 'dora@example.com', '--name', 'Dora');
    const me = async (key: string) =>
      (await fetch(`${server.url}/api/v1/users/me`, { headers: authorization(dora.email, key) })).status;
    await until(async () => (await me(dora.api_key)) === 200, 'the server to know the new account');
    const headers = authorization(dora.email, dora.api_key);
    const body = new URLSearchParams({ event_types: '["message"]' });
    const registered = await fetch(`${server.url}/api/v1/register`, { method: 'POST', headers, body });
    const { queue_id: queueId, last_event_id: last } = await registered.json();
    const waiting = fetch(`${server.url}/api/v1/events?queue_id=${queueId}&last_event_id=${last}`, { headers });
    const { api_key: key } = await heddle('user', 'new-api-key', '--email', dora.email);
    assert.equal((await (await waiting).json()).code, 'BAD_EVENT_QUEUE_ID');
    await until(async () => (await me(key)) === 200, 'the server to know the new key');
    assert.equal(await me(dora.api_key), 401);
    // A reactivation gives the account its key back, so a leaked key can be replaced before it.
    await heddle('user', 'deactivate', '--email', dora.email);
    const { api_key: next } = await heddle('user', 'new-api-key', '--email', dora.email);
    await heddle('user', 'reactivate', '--email', dora.email);
    await until(async () => (await me(next)) === 200, 'the server to know the reactivated account');
    assert.equal(await me(key), 401);
  });

  test('a user deactivated by the command line is refused', async () => {
    const { email, api_key: key } = await heddle('user', 'api-key', '--email', 'carol@example.com');
    const registered = await fetch(`${server.url}/api/v1/register`, {
      method: 'POST',
      headers: owner,
      body: new URLSearchParams({ event_types: '["realm_user"]' }),
    });
    const { queue_id: queueId, last_event_id: last } = await registered.json();
    const waiting = nextEvents(queueId, last);
    await heddle('user', 'deactivate', '--email', email);
    assert.equal((await waiting)[0]?.type, 'realm_user');
    const me = await fetch(`${server.url}/api/v1/users/me`, { headers: authorization(email, key) });
    assert.deepEqual([me.status, (await me.json()).code], [401, 'USER_DEACTIVATED']);
    assert.match(await complaint('user', 'api-key', '--email', email), /is deactivated/);
  });

  test('an organization created by the command line is served at its subdomain', async () => {
    const args = ['--subdomain', 'third', '--name', 'Third', '--owner-email', 'ada@example.com', '--owner-name', 'Ada'];
    await heddle('org', 'create', ...args);
    const { hostname, port } = new URL(server.url);
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { host: `third.localhost:${port}` };
      get({ hostname, port, headers, path: '/api/v1/server_settings' }, resolve).on('error', reject);
    });
    assert.equal(JSON.parse(await text(answer)).realm_name, 'Third');
  });

  test('openapi prints the document that the server serves', async () => {
    const served = await (await fetch(`${server.url}/api/v1/openapi.json`)).json();
    assert.deepEqual(sortedPaths(await heddle('openapi')), sortedPaths(served));
  });
});

/** Returns the document with sorted paths and tags, because their order has no meaning. */
function sortedPaths(document: { paths: object; tags: { name: string }[] }): object {
  const paths = Object.fromEntries(Object.entries(document.paths).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { ...document, paths, tags: document.tags.map(({ name }) => name).sort() };
}
