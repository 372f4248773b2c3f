/** Sessions and bots at a server that is killed and started again. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testDatabase } from '../../../server/src/testing/database/database.ts';
import { accountAt, ownerAccount } from '../../../server/src/testing/faults/command-line-accounts.ts';
import { type HttpProxy, startHttpProxy } from '../../../server/src/testing/faults/http-proxy.ts';
import { KillableServer } from '../../../server/src/testing/faults/killable-server.ts';
import { type Account, StubbornClient } from '../../../server/src/testing/faults/stubborn-clients.ts';
import { temporaryDataDirectory } from '../../../server/src/testing/server/data-directory.ts';
import { until } from '../../../server/src/testing/server/until.ts';
import { Connection } from '../calls/connection.ts';
import { runBot } from './bot.ts';
import { MemoryStore } from './memory-store.ts';
import { Session } from './session.ts';
import { Tabs } from './tabs.ts';

const password = 'a shuttle flies through the shed';

let server: KillableServer;
let proxy: HttpProxy;
let environment: Readonly<Record<string, string>>;
let owner: StubbornClient;
let reader: Account;
const cleanUp: (() => Promise<void>)[] = [];

before(async () => {
  const database = await testDatabase();
  const data = await temporaryDataDirectory();
  environment = {
    HEDDLE_DATABASE_URL: database.url,
    HEDDLE_RATE_LIMITS: 'off',
    HEDDLE_LOG_LEVEL: 'error',
    HEDDLE_OWNER_PASSWORD: password,
  };
  server = new KillableServer(data.path, environment);
  const { url } = await server.listening;
  proxy = await startHttpProxy(url);
  cleanUp.push(
    () => proxy.close(),
    () => server.end(),
    () => database.drop(),
    () => data.remove(),
  );
  owner = new StubbornClient(server, await ownerAccount(url, password));
  reader = await accountAt(server, 'Rita');
});
after(async () => {
  for (const step of cleanUp) await step();
});

async function killAndRestart(): Promise<void> {
  await server.kill();
  const { url } = await server.restart();
  proxy.target = url;
}

const connectionOf = ({ email, apiKey }: Account) => new Connection({ url: proxy.url, credentials: { email, apiKey } });

/** Sends direct messages to the reader until it is stopped, each until the server has acknowledged it. */
function sendAlways(name = 'thread'): { readonly acknowledged: string[]; stop(): Promise<void> } {
  const acknowledged: string[] = [];
  let isStopped = false;
  const sending = (async () => {
    for (let count = 0; !isStopped; count += 1) {
      const content = `${name} ${count}`;
      await owner.insist('POST', '/messages', { type: 'direct', to: [reader.userId], content });
      acknowledged.push(content);
    }
  })();
  return {
    acknowledged,
    stop: () => {
      isStopped = true;
      return sending;
    },
  };
}

/** Leaves out repetitions: a sender without a response sends again, and both messages may be stored. */
const withoutRepetitions = (contents: readonly string[]) =>
  contents.filter((one, index) => contents[index - 1] !== one);

test('a session gets every event once and in order, while the server is killed again and again', async () => {
  const contents: string[] = [];
  const ids: number[] = [];
  let registrations = 0;
  const session = new Session({
    connection: connectionOf(reader),
    registration: { event_types: ['message'], fetch_event_types: [] },
    onState: () => {
      registrations += 1;
    },
    onEvents(events) {
      for (const event of events) {
        ids.push(event.id);
        if (event.type === 'message') contents.push(event.message.content);
      }
    },
  });
  await session.start();
  await until(() => session.status.state === 'live', 'a live session');
  const sender = sendAlways();
  for (let kill = 0; kill < 3; kill += 1) {
    const soFar = contents.length;
    await until(() => contents.length > soFar + 5, 'more than five new messages');
    await killAndRestart();
  }
  const soFar = contents.length;
  await until(() => contents.length > soFar, 'a message after the last fault');
  await sender.stop();
  await until(() => contents.at(-1) === sender.acknowledged.at(-1), 'the last acknowledged message');
  await session.stop();
  assert.deepEqual(withoutRepetitions(contents), sender.acknowledged);
  assert(ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? 0)));
  assert.equal(registrations, 1);
});

test('tabs and a store lose nothing while tabs open and close and the server is killed', async () => {
  const store = new MemoryStore();
  const all: { readonly session: Session; readonly tabs: Tabs; contents: string[] }[] = [];
  const open = async () => {
    const tabs = new Tabs({ url: proxy.url, userId: reader.userId });
    const tab = {
      tabs,
      contents: [] as string[],
      session: new Session({
        connection: connectionOf(reader),
        registration: { event_types: ['message'], fetch_event_types: [], apply_markdown: true },
        // A tab that cannot continue from the store takes the state of the leader, and all events after it.
        onState() {
          tab.contents = [];
        },
        onEvents(events) {
          for (const event of events) {
            if (event.type === 'message') tab.contents.push(event.message.content.replace(/<\/?p>/g, ''));
          }
        },
        store,
        tabs,
      }),
    };
    all.push(tab);
    await tab.session.start();
    return tab;
  };
  const close = async ({ session, tabs }: (typeof all)[number]) => {
    await session.stop();
    tabs.close();
  };
  const first = await open();
  await until(() => first.session.status.state === 'live', 'a live session in the first tab');
  const sender = sendAlways();
  for (let round = 0; round < 3; round += 1) {
    const next = await open();
    await until(() => next.contents.length > round * 5 + 5, 'more than five new messages in the next tab');
    if (round === 1) await killAndRestart();
    const leader = all.find(({ session }) => session.isLeader);
    assert(leader !== undefined);
    await close(leader);
  }
  const last = await open();
  await sender.stop();
  const living = all.filter(({ session }) => session.status.state !== 'stopped');
  for (const { contents } of living)
    await until(() => contents.at(-1) === sender.acknowledged.at(-1), 'the last acknowledged message in each tab');
  // Each tab began with the state of the first one, and its stored events.
  for (const { contents } of living) assert.deepEqual(withoutRepetitions(contents), sender.acknowledged);
  assert(living.includes(last));
  await Promise.all(living.map(close));
});

test('a bot answers each message once, while the server is killed', async () => {
  const { email, apiKey } = reader;
  const bot = runBot(
    { url: proxy.url, email, apiKey },
    { onMessage: ({ content }, reply) => reply(`echo ${content}`) },
  );
  await until(() => bot.session.status.state === 'live', 'a live session of the bot');
  // One response is lost: the bot must find its answer.
  let isLost = false;
  proxy.decide = ({ method, path }) => {
    if (method !== 'POST' || !path.endsWith('/messages') || isLost) return 'pass';
    isLost = true;
    return 'cut';
  };
  const sender = sendAlways('knot');
  const isAnswered = (content: string) => content.startsWith('knot');
  await until(() => sender.acknowledged.length > 5, 'more than five acknowledged messages');
  await killAndRestart();
  const soFar = sender.acknowledged.length;
  await until(() => sender.acknowledged.length > soFar + 5, 'more than five acknowledged messages after the fault');
  await sender.stop();
  const narrow = [{ operator: 'dm', operand: [reader.userId] }];
  const query = { anchor: 'newest', num_before: 1_000, num_after: 0, narrow, apply_markdown: false };
  const stored = async (): Promise<readonly string[]> => {
    const { messages } = await owner.insist('GET', '/messages', query);
    return messages.map((message: { content: string }) => message.content);
  };
  const last = `echo ${sender.acknowledged.at(-1)}`;
  await until(async () => (await stored()).includes(last), 'the last message in the storage');
  await bot.stop();
  await bot.stopped;
  const contents = (await stored()).filter((content) => isAnswered(content) || content.startsWith('echo'));
  // The sender repeats messages whose response it did not get. Each copy has one answer.
  const expected = contents.filter(isAnswered).map((content) => `echo ${content}`);
  assert.deepEqual(contents.filter((content) => content.startsWith('echo')).sort(), expected.sort());
  assert(isLost);
});
