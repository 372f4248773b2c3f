/** Another process takes a right away while a request that needs it waits for the organization lock. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Role } from '../../../directory/records.ts';
import type { TestAnswer, TestClient } from '../../../testing/clients/client.ts';
import { type Holding, holding } from '../../../testing/database/lock-waits.ts';
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

// rules: bots-18
test('a bot that gets another owner meanwhile is not deactivated by the former one', async () => {
  const { scene, answer } = await answerBehind(async () => {
    const [former, next] = [await server.user(), await server.user()];
    made += 1;
    const { user_id: bot } = await former.ok('POST', '/bots', { full_name: `Bot ${made}`, short_name: `bot${made}` });
    return {
      bot,
      change: () => owner.ok('PATCH', `/bots/${bot}`, { bot_owner_id: next.userId }),
      request: () => former.call('DELETE', `/bots/${bot}`),
    };
  });
  assert.deepEqual([answer.status, answer.body.msg], [400, 'Insufficient permission']);
  assert.equal(await isActive(scene.bot), true);
});
