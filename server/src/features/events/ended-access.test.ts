import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { pino } from 'pino';
import { deactivateUser, setPassword } from '../../domain/accounts/accounts/actions.ts';
import { beginSession, MAX_SESSIONS_PER_ACCOUNT } from '../../domain/credentials/sessions.ts';
import { LISTENER_NAME } from '../../log/bus/confirmations.ts';
import type { Fields, TestClient, TestQueue } from '../../testing/clients/client.ts';
import { Visitor } from '../../testing/clients/visitor.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { until } from '../../testing/server/until.ts';

const PASSWORD = 'correct horse battery';
const SESSIONS = '/accounts/sessions/';

/** Two processes on one database. Access ends at the first; polls are held by both. */
let one: TestServer;
let two: TestServer;

before(async () => {
  const environment = { HEDDLE_BUS: 'postgres' };
  one = await startTestServer({ environment });
  two = await startTestServer({ environment, shared: one.shared });
});
after(async () => {
  await two.stop();
  await one.stop();
});

async function organizationOf(server: TestServer) {
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  return organization;
}

/** A person with a private channel, a session, and a queue. */
interface Scene {
  readonly person: TestClient;
  readonly channel: string;
  readonly browser: Visitor;
  readonly queue: TestQueue;
}

let made = 0;

async function scene(): Promise<Scene> {
  made += 1;
  const person = await one.user();
  await setPassword(await organizationOf(one), person.userId, PASSWORD);
  const channel = `secret ${made}`;
  await one.owner.subscribe(channel, { principals: [person.userId, one.owner.userId], invite_only: true });
  const queue = await person.register({ event_types: ['message'] });
  return { person, channel, browser: await loggedIn(person), queue };
}

async function loggedIn(person: TestClient): Promise<Visitor> {
  const browser = new Visitor(one.url);
  assert.equal((await browser.logIn(person.email, PASSWORD)).status, 303);
  return browser;
}

/** The same browser at the other process. */
function there(browser: Visitor): Visitor {
  const other = new Visitor(two.url, browser.host);
  for (const [name, value] of browser.jar) other.jar.set(name, value);
  return other;
}

const polled = (browser: Visitor, queue: TestQueue) =>
  browser.get(`/json/events?queue_id=${queue.id}&last_event_id=${queue.lastEventId}`);

/** Polls with the session of the scene at both processes. Two polls of a queue end each other only within a process. */
async function heldByBoth({ browser, queue }: Scene) {
  const polls = [polled(browser, queue), polled(there(browser), queue)];
  for (const server of [one, two]) await held(server, queue);
  return polls;
}

/** Waits until the process holds a poll of the queue. */
async function held(server: TestServer, { id }: TestQueue): Promise<void> {
  const { id: organizationId, polls } = await organizationOf(server);
  await until(() => {
    const queue = server.app.queues.inMemory(organizationId, id);
    return queue !== undefined && polls.isHeld(queue);
  }, 'the held poll');
}

/** The same account at the other process, which knows it already. */
async function atTwo(person: TestClient): Promise<TestClient> {
  await (await organizationOf(two)).catchUp();
  return two.sameUser(person);
}

async function writes(browser: Visitor, method: string, path: string): Promise<void> {
  await browser.get(SESSIONS);
  assert.equal((await browser.send(method, path, {}, { 'x-csrftoken': browser.csrfToken })).status, 200);
}

/** All ways in which others or the person end a session. */
const ENDINGS: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  'a logout': async ({ browser }) => {
    await browser.get(SESSIONS);
    return browser.submit('/accounts/logout/');
  },
  'a logout of all sessions in another browser': async ({ person }) => {
    const other = await loggedIn(person);
    await other.get(SESSIONS);
    return other.submit('/accounts/logout/everywhere/');
  },
  'another browser that ends this session': async ({ person, browser }) => {
    const other = await loggedIn(person);
    const { json } = await browser.get('/json/users/me/sessions');
    const { session_id: id } = json.sessions.find(({ is_current: isCurrent }: Fields) => isCurrent);
    return writes(other, 'DELETE', `/json/users/me/sessions/${id}`);
  },
  'another browser that ends all other sessions': async ({ person }) =>
    writes(await loggedIn(person), 'DELETE', '/json/users/me/sessions'),
  'a password that an operator sets': async ({ person }) =>
    setPassword(await organizationOf(one), person.userId, 'shuttle over warp'),
  'a changed password': async ({ person }) =>
    person.ok('PATCH', '/settings', { old_password: PASSWORD, new_password: 'shuttle over warp' }),
  'a deactivation': async ({ person }) => deactivateUser(one.app, await organizationOf(one), person.userId),
  'too many later sessions': async ({ person }) => {
    const organization = await organizationOf(one);
    const origin = { userAgent: undefined, remoteAddress: '203.0.113.7' };
    for (let index = 0; index < MAX_SESSIONS_PER_ACCOUNT; index += 1) {
      await beginSession(one.app, organization, { userId: person.userId, passwordHash: undefined, origin });
    }
  },
};

describe('the end of a session ends its polls in all processes', () => {
  for (const [ending, end] of Object.entries(ENDINGS)) {
    // rules: login-12
    test(`${ending} ends the polls of the session`, async () => {
      const ended = await scene();
      const polls = await heldByBoth(ended);
      await end(ended);
      await one.owner.send(ended.channel, 'plans', 'for members only');
      for (const poll of polls) {
        const { status, json } = await poll;
        assert(status === 401 || json.code === 'BAD_EVENT_QUEUE_ID', `${status} ${json.code}`);
        assert.equal(json.events, undefined);
      }
      for (const browser of [ended.browser, there(ended.browser)]) {
        assert.equal((await polled(browser, ended.queue)).status, 401);
      }
    });
  }

  // rules: login-12
  test('the other sessions and the programs of the account keep their polls', async () => {
    const ended = await scene();
    const other = await loggedIn(ended.person);
    const [polls, queue, ofProgram] = [
      await heldByBoth(ended),
      await ended.person.register({ event_types: ['message'] }),
      await ended.person.register({ event_types: ['message'] }),
    ];
    const waiting = [polled(other, queue), ofProgram.next().then((events) => events)];
    for (const kept of [queue, ofProgram]) await held(one, kept);
    await ENDINGS['a logout']?.(ended);
    for (const poll of polls) assert.equal((await poll).status, 401);
    await one.owner.send(ended.channel, 'plans', 'for members only');
    const [ofSession, events] = await Promise.all(waiting);
    assert.equal((ofSession as Awaited<ReturnType<typeof polled>>).json.events[0].message.content, 'for members only');
    assert.equal((events as Awaited<ReturnType<TestQueue['next']>>)[0].message.content, 'for members only');
  });

  // rules: login-12
  test('a browser that changes the password continues with another session; the old one receives nothing', async () => {
    const changed = await scene();
    await changed.browser.get(SESSIONS);
    const polls = await heldByBoth(changed);
    const old = there(changed.browser);
    const fields = { old_password: PASSWORD, new_password: 'shuttle over warp' };
    const headers = { 'x-csrftoken': changed.browser.csrfToken };
    assert.equal((await changed.browser.send('PATCH', '/json/settings', fields, headers)).status, 200);
    await one.owner.send(changed.channel, 'plans', 'for members only');
    for (const poll of polls) assert.deepEqual([(await poll).status, (await poll).json.events], [200, []]);
    assert.equal((await polled(old, changed.queue)).status, 401);
    const { json } = await polled(changed.browser, changed.queue);
    assert.equal(json.events[0].message.content, 'for members only');
  });
});

describe('a replaced API key', () => {
  // rules: login-5
  test('is refused by other processes as soon as the new one is returned', async () => {
    const person = await one.user();
    const calls: readonly [method: string, path: string, fields: Fields][] = [
      ['GET', '/users/me', {}],
      ['GET', '/users', {}],
      ['GET', '/streams', {}],
      ['GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 }],
      ['POST', '/messages', { type: 'direct', to: [person.userId], content: 'hello' }],
    ];
    for (let round = 0; round < 4; round += 1) {
      const clients = await Promise.all(calls.map(() => atTwo(person)));
      const queue = await person.register({ event_types: ['message'] });
      const headers = { authorization: `Basic ${btoa(`${person.email}:${person.apiKey}`)}` };
      await person.ok('POST', '/users/me/api_key/regenerate');
      const answers = await Promise.all([
        ...calls.map(([method, path, fields], index) => clients[index]?.call(method, path, fields, headers)),
        clients[0]?.call('GET', '/events', { queue_id: queue.id, last_event_id: -1, dont_block: true }, headers),
      ]);
      for (const answer of answers) assert.deepEqual([answer?.status, answer?.body.msg], [401, 'Invalid API key']);
    }
  });

  // rules: login-5
  test('does not read the messages of a batch that contains its end', async () => {
    const person = await one.user();
    await one.owner.subscribe('shared', { principals: [person.userId] });
    const queue = await person.register({ event_types: ['message'] });
    const fields = { queue_id: queue.id, last_event_id: queue.lastEventId };
    const poll = (await atTwo(person)).call('GET', '/events', fields);
    await held(two, queue);
    await person.ok('POST', '/users/me/api_key/regenerate');
    await one.owner.send('shared', 'topic', 'after the end');
    const { status, body } = await poll;
    assert.deepEqual([status, body.code], [400, 'BAD_EVENT_QUEUE_ID']);
  });

  // rules: login-5
  test('is returned although another process does not confirm, and the log says so', async (t) => {
    const lines: { readonly msg: string }[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const three = await startTestServer({ environment: { HEDDLE_BUS: 'postgres' }, shared: one.shared, log });
    t.after(() => three.stop());
    const silent = new pg.Client({ connectionString: one.shared.url, application_name: LISTENER_NAME });
    await silent.connect();
    const person = await three.user();
    await person.ok('POST', '/users/me/api_key/regenerate');
    const late = lines.filter(({ msg }) => msg === 'other processes did not confirm an event in time');
    assert.equal(late.length, 1);
    await silent.end();
  });

  test('is refused by other processes when its account is closed', async () => {
    const person = await one.user();
    const at = await atTwo(person);
    await deactivateUser(one.app, await organizationOf(one), person.userId);
    for (const path of ['/users', '/streams', '/users/me']) {
      const { status, body } = await at.call('GET', path, {});
      assert.deepEqual([status, body.code], [401, 'USER_DEACTIVATED']);
    }
  });
});

test('a registration that waits gets nothing, and leaves no queue, if its account is closed meanwhile', async (t) => {
  const person = await one.user();
  const holder = new pg.Client({ connectionString: one.shared.url });
  await holder.connect();
  t.after(() => holder.end());
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE drafts IN ACCESS EXCLUSIVE MODE');
  const registration = person.call('POST', '/register', { fetch_event_types: ['drafts'] });
  await until(async () => {
    const { rowCount } = await one.app.pool.query(
      `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%INSERT INTO queues%'`,
    );
    return rowCount === 1;
  }, 'the registration to wait');
  await deactivateUser(one.app, await organizationOf(one), person.userId);
  await holder.query('ROLLBACK');
  const { status, body } = await registration;
  assert.deepEqual([status, body.code], [401, 'USER_DEACTIVATED']);
  const { rowCount } = await one.app.pool.query('SELECT FROM queues WHERE user_id = $1', [person.userId]);
  assert.equal(rowCount, 0);
});
