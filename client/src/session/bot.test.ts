import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestClient } from '../../../server/src/testing/clients/client.ts';
import { type HttpProxy, startHttpProxy } from '../../../server/src/testing/faults/http-proxy.ts';
import { startTestServer, type TestServer } from '../../../server/src/testing/server/server.ts';
import { until } from '../../../server/src/testing/server/until.ts';
import { ApiError } from '../calls/errors.ts';
import { type BotOptions, type RunningBot, runBot } from './bot.ts';

let server: TestServer;
let proxy: HttpProxy;
let account: TestClient;
before(async () => {
  server = await startTestServer();
  proxy = await startHttpProxy(server.url);
  account = await server.user();
  await account.subscribe('looms');
  await server.owner.subscribe('looms');
});
after(async () => {
  await proxy.close();
  await server.stop();
});

async function run(options: BotOptions, more = {}): Promise<RunningBot> {
  const { email, apiKey } = account;
  const bot = runBot({ url: proxy.url, email, apiKey, ...more }, options);
  await until(() => bot.session.status.state === 'live', 'a live session of the bot');
  return bot;
}

async function end(bot: RunningBot): Promise<void> {
  await bot.stop();
  await bot.stopped;
}

/** The contents of a conversation, with who sent them. */
async function conversation(narrow: readonly object[]): Promise<string[]> {
  const query = {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    apply_markdown: false,
    allow_empty_topic_name: true,
  };
  const { messages } = await server.owner.ok('GET', '/messages', { ...query, narrow });
  return messages.map(({ sender_id, content }: { sender_id: number; content: string }) => {
    return `${sender_id === account.userId ? 'bot' : 'other'}: ${content}`;
  });
}

test('a bot answers where the message is: in its topic, also the empty one, and in direct messages', async () => {
  const bot = await run({ onMessage: (message, reply) => reply(`**${message.content}** to you`) });
  const other = await server.user();
  await server.owner.send('looms', 'warp', 'hello');
  await server.owner.send('looms', '', 'general');
  await server.owner.direct([account.userId], 'alone');
  await server.owner.direct([account.userId, other.userId], 'together');
  const narrows = [
    [
      { operator: 'channel', operand: 'looms' },
      { operator: 'topic', operand: 'warp' },
    ],
    [
      { operator: 'channel', operand: 'looms' },
      { operator: 'topic', operand: '' },
    ],
    [{ operator: 'dm', operand: [account.userId] }],
    [{ operator: 'dm', operand: [account.userId, other.userId] }],
  ];
  for (const [index, content] of ['hello', 'general', 'alone', 'together'].entries()) {
    const narrow = narrows[index] ?? [];
    await until(async () => (await conversation(narrow)).length === 2, 'the answer of the bot');
    assert.deepEqual(await conversation(narrow), [`other: ${content}`, `bot: **${content}** to you`]);
  }
  await end(bot);
});

test('an error of onMessage does not end the bot', async () => {
  const errors: unknown[] = [];
  const bot = await run({
    onMessage: ({ content }, reply) => {
      if (content === 'bad') throw new Error('this bot does not like it');
      return reply(content === 'refused' ? '' : 'fine');
    },
    onError: (error, { content }) => errors.push([content, (error as Error).message]),
  });
  for (const content of ['bad', 'refused', 'good']) await server.owner.send('looms', 'errors', content);
  const narrow = [{ operator: 'topic', operand: 'errors' }];
  await until(async () => (await conversation(narrow)).includes('bot: fine'), 'the answer of the bot');
  await end(bot);
  assert.deepEqual(errors, [
    ['bad', 'this bot does not like it'],
    ['refused', 'Message must not be empty'],
  ]);
});

test('an answer whose response was lost is found, and an equal earlier answer does not count for it', async () => {
  const ids: number[] = [];
  const bot = await run({ onMessage: async (_, reply) => ids.push(await reply('same')) });
  let sends = 0;
  proxy.decide = ({ method, path }) => {
    if (method !== 'POST' || !path.endsWith('/messages')) return 'pass';
    sends += 1;
    // The first answer passes, the second is executed without a response, and the third does not reach the server.
    return sends === 2 ? 'cut' : sends === 3 ? 'refuse' : 'pass';
  };
  for (const content of ['one', 'two', 'three']) await server.owner.send('looms', 'equal', content);
  await until(() => ids.length === 3, 'three messages');
  proxy.decide = () => 'pass';
  await end(bot);
  const all = await conversation([{ operator: 'topic', operand: 'equal' }]);
  assert.equal(all.filter((line) => line === 'bot: same').length, 3);
  assert.equal(new Set(ids).size, 3);
  assert.equal(sends, 4);
});

test('after OUTCOME_UNKNOWN, a bot looks for its answer before it sends it again', async () => {
  const outcomes: ('stored' | 'not stored' | 'answered')[] = ['stored', 'not stored', 'answered'];
  const unknown = () =>
    Response.json({ result: 'error', code: 'OUTCOME_UNKNOWN', msg: 'It may be stored or not' }, { status: 503 });
  const sent: string[] = [];
  const bot = await run(
    { onMessage: (message, reply) => reply(`${message.content}!`) },
    {
      async fetch(input: string, init: RequestInit) {
        if (init.method !== 'POST' || !input.endsWith('/messages')) return fetch(input, init);
        const outcome = outcomes.shift() ?? 'answered';
        sent.push(outcome);
        if (outcome === 'not stored') return unknown();
        const response = await fetch(input, init);
        return outcome === 'stored' ? unknown() : response;
      },
    },
  );
  for (const content of ['stored', 'lost']) {
    await server.owner.send('looms', 'unknown', content);
    const answer = [{ operator: 'topic', operand: 'unknown' }];
    await until(async () => (await conversation(answer)).includes(`bot: ${content}!`), 'the answer of the bot');
  }
  await until(() => sent.length === 3, 'three requests');
  await end(bot);
  assert.deepEqual(
    (await conversation([{ operator: 'topic', operand: 'unknown' }])).filter((line) => line.startsWith('bot')),
    ['bot: stored!', 'bot: lost!'],
  );
  assert.deepEqual(sent, ['stored', 'not stored', 'answered']);
});

test('a bot whose key is wrong stops with the reason', async () => {
  const { email } = account;
  const bot = runBot({ url: proxy.url, email, apiKey: 'wrong' }, { onMessage: () => undefined });
  await assert.rejects(bot.stopped, (error) => error instanceof ApiError && error.code === 'UNAUTHORIZED');
  await until(() => bot.session.status.state === 'stopped', 'a stopped session of the bot');
});

test('stop ends the bot while onMessage runs', async () => {
  let isCalled = false;
  const bot = await run({
    onMessage: () => {
      isCalled = true;
      return bot.stop();
    },
  });
  await server.owner.send('looms', 'end', 'stop');
  await bot.stopped;
  assert(isCalled);
  assert.equal(bot.session.status.state, 'stopped');
});
