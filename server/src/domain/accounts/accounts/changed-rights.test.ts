/** Another process takes a right away while a request that needs it waits for the organization lock. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { Role } from '../../../directory/records.ts';
import { type TestAnswer, TestClient } from '../../../testing/clients/client.ts';
import { type Holding, holding } from '../../../testing/database/lock-waits.ts';
import { inSeconds } from '../../../testing/server/due.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { until } from '../../../testing/server/until.ts';

let server: TestServer;
let other: TestServer;
let owner: TestClient;
let held: Holding;
before(async () => {
  const environment = { HEDDLE_BUS: 'postgres' };
  server = await startTestServer({ environment });
  other = await startTestServer({ environment, shared: server.shared });
  owner = await other.sameUser(server.owner);
  held = await holding(server.shared.url);
});
after(async () => {
  await held.end();
  await other.stop();
  await server.stop();
});

interface Scene {
  /** Runs first, at the other process. */
  change(): Promise<unknown>;
  /** Begins while the change waits for its commit. */
  request(): Promise<TestAnswer>;
}

/** The answer of the request, which waited behind the change. */
async function answerBehind<S extends Scene>(newScene: () => Promise<S>): Promise<{ scene: S; answer: TestAnswer }> {
  return until(async () => {
    const scene = await newScene();
    const answers: TestAnswer[] = [];
    const isDone = await held.behind(scene.change, async () => answers.push(await scene.request()));
    const [answer] = answers;
    return isDone && answer !== undefined && { scene, answer };
  }, 'a request that waits for a change of its rights');
}

async function isActive(userId: number): Promise<boolean> {
  return (await server.owner.ok('GET', `/users/${userId}`)).user.is_active;
}

// rules: users-11
test('an administrator who loses the role meanwhile deactivates nobody', async () => {
  const { scene, answer } = await answerBehind(async () => {
    const administrator = await server.user({ role: Role.administrator });
    const member = await server.user();
    return {
      member,
      change: () => owner.ok('PATCH', `/users/${administrator.userId}`, { role: Role.member }),
      request: () => administrator.call('DELETE', `/users/${member.userId}`),
    };
  });
  assert.deepEqual([answer.status, answer.body.msg], [400, 'Insufficient permission']);
  assert.equal(await isActive(scene.member.userId), true);
});

// rules: users-7, users-11
test('an administrator does not deactivate a member who becomes an owner meanwhile', async () => {
  const { scene, answer } = await answerBehind(async () => {
    const administrator = await server.user({ role: Role.administrator });
    const member = await server.user();
    return {
      member,
      change: () => owner.ok('PATCH', `/users/${member.userId}`, { role: Role.owner }),
      request: () => administrator.call('DELETE', `/users/${member.userId}`),
    };
  });
  assert.deepEqual([answer.status, answer.body.code], [400, 'UNAUTHORIZED_PRINCIPAL']);
  assert.equal(await isActive(scene.member.userId), true);
});

let made = 0;

/** A bot of a new user. */
async function newBot() {
  const former = await server.user();
  made += 1;
  const { user_id: userId, api_key: apiKey } = await former.ok('POST', '/bots', {
    full_name: `Bot ${made}`,
    short_name: `bot${made}`,
  });
  const { email } = (await server.owner.ok('GET', `/users/${userId}`)).user;
  const url = server.url;
  const bot = new TestClient({ url, host: new URL(url).host, email, apiKey, userId, name: `Bot ${made}` });
  return { former, bot };
}

// rules: bots-18
test('a bot that gets another owner meanwhile is not deactivated by the former one', async () => {
  const { scene, answer } = await answerBehind(async () => {
    const [{ former, bot }, next] = [await newBot(), await server.user()];
    return {
      bot,
      change: () => owner.ok('PATCH', `/bots/${bot.userId}`, { bot_owner_id: next.userId }),
      request: () => former.call('DELETE', `/bots/${bot.userId}`),
    };
  });
  assert.deepEqual([answer.status, answer.body.msg], [400, 'Insufficient permission']);
  assert.equal(await isActive(scene.bot.userId), true);
});

// rules: bots-16
test('what the program of the former owner was about to schedule is refused', async () => {
  const { scene, answer } = await answerBehind(async () => {
    const [{ bot }, next] = [await newBot(), await server.user()];
    const fields = { type: 'direct', to: [next.userId], content: 'x', scheduled_delivery_timestamp: inSeconds(86_400) };
    return {
      bot,
      change: () => owner.ok('PATCH', `/bots/${bot.userId}`, { bot_owner_id: next.userId }),
      request: () => bot.call('POST', '/scheduled_messages', fields),
    };
  });
  assert.deepEqual([answer.status, answer.body.msg], [401, 'Invalid API key']);
  const { rows } = await sql`SELECT FROM scheduled_messages WHERE user_id = ${scene.bot.userId}`.execute(server.app.db);
  assert.equal(rows.length, 0);
});
