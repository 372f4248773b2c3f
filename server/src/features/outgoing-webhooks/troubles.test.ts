import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { Role } from '../../directory/records.ts';
import { OUTGOING_WEBHOOKS } from '../../domain/users/bots/outgoing-webhooks.ts';
import type { Fields, TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { until } from '../../testing/server/until.ts';
import { LOCAL_SERVICES, TestBotService } from '../../testing/services/bot-service.ts';
import { outgoingOf } from './running.ts';
import { lookForDue, MAX_BOTS_PER_LOOK, MAX_STARTS, MAX_WAITING_REQUESTS_PER_BOT } from './waiting.ts';

// A busy machine must neither end a request nor a claim.
const environment = { ...LOCAL_SERVICES, HEDDLE_OUTGOING_TIMEOUT_SECONDS: '60', HEDDLE_LOG_LEVEL: 'silent' };
const SILENT = () => ({ response_not_required: true });

let server: TestServer;
let service: TestBotService;
let owner: TestClient;
let other: TestClient;
before(async () => {
  service = await TestBotService.start();
  server = await startTestServer({ environment });
  owner = await server.user({ name: 'Owner of bots' });
  other = await server.user({ name: 'Somebody' });
});
beforeEach(() => {
  service.answering = SILENT;
  service.calls.length = 0;
});
after(async () => {
  await server.stop();
  await service.stop();
});

let made = 0;

interface Bot {
  readonly id: number;
  readonly name: string;
  readonly mention: string;
}

async function newBot(more: Fields = {}, maker = owner): Promise<Bot> {
  made += 1;
  const name = `Reeler ${made}`;
  const fields = { full_name: name, short_name: `reeler${made}`, bot_type: 3, payload_url: service.url };
  const { user_id: id } = await maker.ok('POST', '/bots', { ...fields, ...more });
  return { id, name, mention: `@**${name}**` };
}

const settled = (at = server) => outgoingOf(at.app).settled();

/** Resolves when no request of the bot is due or running. Its retries wait for `tryAgain`, however slow this machine is. */
async function attempted({ id }: Bot, at = server): Promise<void> {
  await settled(at);
  await sql`UPDATE outgoing_requests SET due_at = now() + interval '1 hour' WHERE bot_id = ${id}`.execute(at.app.db);
}

/** Makes retries of the bot's requests due now. */
async function tryAgain(bot: Bot, at = server): Promise<void> {
  await settled(at);
  await sql`UPDATE outgoing_requests SET due_at = now() WHERE bot_id = ${bot.id}`.execute(at.app.db);
  await attempted(bot, at);
}

async function waitingFor({ id }: Bot): Promise<number> {
  return (await server.app.db.selectFrom('outgoing_requests').select('bot_id').where('bot_id', '=', id).execute())
    .length;
}

/** Waits until the outgoing webhooks have processed the whole log, without waiting for the services. */
async function readAll(): Promise<void> {
  const { db } = server.app;
  await until(async () => {
    const { head } = await db
      .selectFrom('logs')
      .select('head')
      .where('organization_id', '=', 1)
      .executeTakeFirstOrThrow();
    const { position } = await db
      .selectFrom('log_cursors')
      .select('position')
      .where('consumer', '=', OUTGOING_WEBHOOKS)
      .executeTakeFirstOrThrow();
    if (position >= head) return true;
    await server.app.consumers.settled();
    return false;
  }, 'the consumer to read the whole log');
}

async function messagesIn(client: TestClient, narrow: readonly Json[], count = 1): Promise<readonly Json[]> {
  const query = { anchor: 'newest', num_before: count, num_after: 0, narrow, apply_markdown: false };
  const { messages } = await client.ok('GET', '/messages', query);
  return messages.map((one: Json) => [one.sender_full_name, one.content]);
}

const topic = (name: string) => [
  { operator: 'channel', operand: 'general' },
  { operator: 'topic', operand: name },
];
const withBot = ({ id }: Bot) => [{ operator: 'dm', operand: [id] }];

/**
 * Returns the notice that the owner of a bot receives after a mention of it, without the first line, which links the
 * message.
 */
async function notice(
  bot: Bot,
  id: number,
  topicName: string,
  [at, maker] = [server, owner] as const,
): Promise<readonly string[]> {
  const [[name, content]] = (await messagesIn(maker, withBot(bot))) as [[string, string]];
  assert.equal(name, bot.name, 'the notice comes from the bot');
  const [first = '', ...lines] = content.split('\n');
  const path = `/#narrow/channel/1-general/topic/${topicName}/near/${id}`;
  const mention = `@_**${bot.name}|${bot.id}**`;
  assert.equal(first, `[A message](${at.url}${path}) to your bot ${mention} triggered an outgoing webhook.`);
  return lines;
}

describe('a service that fails', () => {
  for (const status of [301, 302, 307, 400, 401, 404, 410]) {
    // rules: bots-11
    test(`with ${status} is called once, and the bot and its owner receive the failure`, async () => {
      const bot = await newBot();
      service.answering = (_, response) => {
        response.statusCode = status;
        response.setHeader('location', `${service.url}/elsewhere`);
        return { why: '```\nnot this' };
      };
      const name = `status${status}`;
      const id = await other.send('general', name, bot.mention);
      await settled();
      assert.equal(service.calls.length, 1, 'the server follows no redirect and does not retry');
      assert.deepEqual(await messagesIn(other, topic(name)), [
        [bot.name, `Failure! Third party responded with ${status}`],
      ]);
      assert.deepEqual(await notice(bot, id, name), [
        `The webhook got a response with status code *${status}*.`,
        'The response contains the following payload:',
        '```',
        JSON.stringify(JSON.stringify({ why: '```\nnot this' })),
        '```',
      ]);
      assert.equal(await waitingFor(bot), 0);
    });
  }

  // rules: bots-11
  test('with 503 is called four times, then the bot and its owner receive the failure', async () => {
    const bot = await newBot();
    service.answering = (_, response) => {
      response.statusCode = 503;
      response.end();
    };
    const id = await other.send('general', 'busy', bot.mention);
    for (let attempt = 1; attempt < 4; attempt++) {
      await attempted(bot);
      assert.equal(service.calls.length, attempt);
      assert.deepEqual(
        await messagesIn(other, topic('busy')),
        [[other.name, bot.mention]],
        'the bot posts nothing before the last attempt',
      );
      await tryAgain(bot);
    }
    assert.equal(service.calls.length, 4);
    assert.deepEqual(await messagesIn(other, topic('busy')), [[bot.name, 'Failure! Third party responded with 503']]);
    assert.deepEqual(await notice(bot, id, 'busy'), ['The webhook got a response with status code *503*.']);
    assert.equal(await waitingFor(bot), 0);
  });

  // rules: bots-11
  test('once and then responds is retried, and its reply is posted', async () => {
    const bot = await newBot();
    service.answering = (_, response) => {
      service.answering = () => ({ content: 'here I am' });
      response.destroy();
    };
    await other.send('general', 'again', bot.mention);
    await tryAgain(bot);
    assert.deepEqual(await messagesIn(other, topic('again'), 2), [
      [other.name, bot.mention],
      [bot.name, 'here I am'],
    ]);
  });

  // rules: bots-11
  test('to accept connections is tried four times', async () => {
    const gone = await TestBotService.start();
    const bot = await newBot({ payload_url: gone.url });
    await gone.stop();
    const id = await other.send('general', 'gone', bot.mention);
    for (let attempt = 1; attempt < 4; attempt++) await tryAgain(bot);
    assert.deepEqual(await messagesIn(other, topic('gone')), [[bot.name, 'Failure! Bot is unavailable']]);
    assert.deepEqual(await notice(bot, id, 'gone'), ['A connection error occurred. Is my bot server down?']);
  });

  // rules: bots-11
  test('to respond, or to end its response, times out four times', async (t) => {
    const impatient = await startTestServer({ environment: { ...environment, HEDDLE_OUTGOING_TIMEOUT_SECONDS: '1' } });
    t.after(() => impatient.stop());
    const [maker, writer] = [await impatient.user(), await impatient.user()];
    for (const [name, answering] of [
      ['mute', () => undefined],
      ['endless', (_: unknown, response: ServerResponse) => void response.write('{"content": "')],
    ] as const) {
      const bot = await newBot({}, maker);
      service.answering = answering;
      const id = await writer.send('general', name, bot.mention);
      for (let attempt = 1; attempt < 4; attempt++) await tryAgain(bot, impatient);
      assert.deepEqual(await messagesIn(writer, topic(name)), [[bot.name, 'Failure! Bot is unavailable']]);
      assert.deepEqual(await notice(bot, id, name, [impatient, maker]), ['Request timed out after 1 seconds.']);
    }
    // The service learns later than the server that a connection has ended.
    await until(() => service.connections === 0, 'the end of all connections');
  });

  // rules: bots-11
  test('by switching protocols is treated as a connection error, and holds no connection', async () => {
    const bot = await newBot();
    service.answering = (_, { socket }) =>
      void socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n');
    const id = await other.send('general', 'upgrade', bot.mention);
    for (let attempt = 1; attempt < 4; attempt++) await tryAgain(bot);
    assert.equal(service.calls.length, 4);
    assert.deepEqual(await messagesIn(other, topic('upgrade')), [[bot.name, 'Failure! Bot is unavailable']]);
    assert.deepEqual(await notice(bot, id, 'upgrade'), ['A connection error occurred. Is my bot server down?']);
    await until(() => service.connections === 0, 'the end of all connections');
  });

  // rules: bots-11
  test('by sending too much is cut off, and not retried', async () => {
    const bot = await newBot();
    let sent = 0;
    service.answering = (_, response) => {
      const pour = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536))) sent += 65_536;
      };
      response.on('drain', pour);
      pour();
    };
    const id = await other.send('general', 'flood', bot.mention);
    await settled();
    assert.equal(service.calls.length, 1);
    assert(sent < 64 * 1024 * 1024, `${sent} bytes were accepted`);
    assert.deepEqual(await messagesIn(other, topic('flood')), [[bot.name, 'Failure! Bot is unavailable']]);
    assert.deepEqual(await notice(bot, id, 'flood'), ['The webhook got a response that is too large.']);
  });

  const wrong: readonly (readonly [string, string, string])[] = [
    ['no JSON', '<html>', 'Invalid JSON in response'],
    ['nothing', '', 'Invalid JSON in response'],
    ['a list', '[{"content": "x"}]', 'Invalid response format'],
    ['null', 'null', 'Invalid response format'],
    ['a null byte', '{"content": "a\\u0000b"}', 'Message must not contain null bytes'],
    ['no widget', '{"content": "x", "widget_content": "poll"}', 'Widgets: API programmer sent invalid JSON content'],
  ];
  for (const [what, text, message] of wrong) {
    // rules: bots-11
    test(`by responding with ${what} makes the bot post the error, and its owner receives the response`, async () => {
      const bot = await newBot();
      service.answering = (_, response) => void response.end(text);
      const name = what.replaceAll(' ', '');
      const id = await other.send('general', name, bot.mention);
      await settled();
      assert.equal(service.calls.length, 1);
      assert.deepEqual(await messagesIn(other, topic(name)), [[bot.name, `Failure! ${message}`]]);
      const lines = await notice(bot, id, name);
      assert.deepEqual(lines.slice(0, 2), [
        'The outgoing webhook server attempted to send a message in Zulip, but that request resulted in the following error:',
        `> ${message}`,
      ]);
    });
  }

  // rules: bots-11
  test('because it has no URL is not called, and its owner receives a notice', async () => {
    const bot = await newBot({ payload_url: undefined });
    const id = await other.send('general', 'nourl', bot.mention);
    await settled();
    assert.deepEqual(await messagesIn(other, topic('nourl')), [[bot.name, 'Failure! Bot is unavailable']]);
    assert.deepEqual(await notice(bot, id, 'nourl'), ['No URL is configured for the webhook.']);
  });

  // rules: bots-11
  test('to post because its bot may not post there yields a notice to the owner only', async () => {
    const announcements = await server.emptyChannel(server.owner, 'announcements', { principals: [other.userId] });
    const administrator = await server.user({ role: Role.administrator });
    const bot = await newBot();
    const only = { direct_members: [administrator.userId, server.owner.userId], direct_subgroups: [] };
    await server.owner.ok('PATCH', `/streams/${announcements}`, { can_send_message_group: { new: only } });
    service.answering = () => ({ content: 'me too' });
    await administrator.send(announcements, 'news', bot.mention);
    await settled();
    const narrow = [{ operator: 'channel', operand: announcements }];
    assert.deepEqual(await messagesIn(other, narrow), [[administrator.name, bot.mention]]);
    const [[, content]] = (await messagesIn(owner, withBot(bot))) as [[string, string]];
    assert.match(content, /> You do not have permission to post in this channel\.\n/);
    assert.match(content, /"me too"/);
  });
});

describe('changes between a message and its request', () => {
  /** Performs an action between a message and the retry of its request. Returns the texts that the retry sends. */
  async function meanwhile(
    bot: Bot,
    send: () => Promise<number>,
    act: (id: number) => Promise<unknown>,
  ): Promise<readonly string[]> {
    service.answering = (_, response) => {
      response.statusCode = 500;
      response.end();
    };
    const id = await send();
    await attempted(bot);
    assert.equal(service.calls.length, 1);
    service.answering = () => ({ content: 'answered' });
    await act(id);
    await tryAgain(bot);
    assert.equal(await waitingFor(bot), 0);
    return service.calls.slice(1).map(({ body }) => body.data);
  }

  // rules: bots-9
  test('a deleted message is not sent', async () => {
    const bot = await newBot();
    const send = () => other.send('general', 'deleted', bot.mention);
    assert.deepEqual(await meanwhile(bot, send, (id) => server.owner.ok('DELETE', `/messages/${id}`)), []);
  });

  // rules: bots-9
  test('an edited message is sent as edited, and is not sent if it no longer mentions the bot', async () => {
    const bot = await newBot();
    const send = () => other.send('general', 'edited', `${bot.mention} one`);
    const edit = (content: string) => (id: number) => other.ok('PATCH', `/messages/${id}`, { content });
    assert.deepEqual(await meanwhile(bot, send, edit(`${bot.mention} two`)), [`${bot.mention} two`]);
    service.calls.length = 0;
    assert.deepEqual(await meanwhile(bot, send, edit('never mind')), []);
  });

  // rules: bots-9
  test('the reply to a moved message goes to its new topic', async () => {
    const bot = await newBot();
    const send = () => other.send('general', 'before', bot.mention);
    await meanwhile(bot, send, (id) => server.owner.ok('PATCH', `/messages/${id}`, { topic: 'after' }));
    assert.deepEqual(await messagesIn(other, topic('after')), [[bot.name, 'answered']]);
  });

  // rules: bots-9
  test('a deactivated bot, and a bot of a deactivated owner, gets no request', async () => {
    const bot = await newBot();
    const send = () => other.direct([bot.id], 'hello');
    assert.deepEqual(await meanwhile(bot, send, () => owner.ok('DELETE', `/bots/${bot.id}`)), []);
    service.calls.length = 0;
    const leaver = await server.user();
    const left = await newBot({}, leaver);
    const write = () => other.direct([left.id], 'hello');
    assert.deepEqual(await meanwhile(left, write, () => server.owner.ok('DELETE', `/users/${leaver.userId}`)), []);
  });

  // rules: bots-9
  test('a bot that lost access to the channel gets no request', async () => {
    const bot = await newBot();
    const channel = await server.emptyChannel(other, 'cloister', { invite_only: true, principals: [bot.id] });
    const send = () => other.send(channel, 'topic', bot.mention);
    const out = { subscriptions: ['cloister'], principals: [bot.id] };
    assert.deepEqual(await meanwhile(bot, send, () => server.owner.ok('DELETE', '/users/me/subscriptions', out)), []);
  });

  // rules: bots-9
  test('a changed URL is used for the request', async () => {
    const bot = await newBot();
    const send = () => other.direct([bot.id], 'hello');
    const url = `${service.url}/new?place=1`;
    await meanwhile(bot, send, () => owner.ok('PATCH', `/bots/${bot.id}`, { service_payload_url: url }));
    assert.equal(service.calls.at(-1)?.path, '/new?place=1');
  });
});

describe('a service that hangs', () => {
  /** Holds the service's responses to this bot until `letGo` releases them. */
  function holding(bot: Bot): { readonly held: readonly ServerResponse[]; letGo(): void } {
    const held: ServerResponse[] = [];
    service.answering = ({ body }, response) => {
      if (body.bot_full_name !== bot.name) return { content: 'at once' };
      held.push(response);
      return undefined;
    };
    return {
      held,
      letGo() {
        service.answering = SILENT;
        for (const response of held) response.end('{}');
      },
    };
  }

  // rules: bots-12
  test('does not delay other bots of any owner, and receives few concurrent requests', async () => {
    const [slow, quick] = [await newBot(), await newBot()];
    const { held, letGo } = holding(slow);
    for (let count = 0; count < 5; count++) await other.direct([slow.id], `question ${count}`);
    await service.call(({ body }) => body.bot_full_name === slow.name);
    const queue = await other.register({ event_types: ['message'], apply_markdown: false });
    await other.direct([quick.id], 'and you?');
    const events = await queue.take(2);
    assert.deepEqual(
      events.map(({ message }) => message.content),
      ['and you?', 'at once'],
    );
    assert(held.length <= 2, `${held.length} concurrent requests`);
    letGo();
    await tryAgain(slow);
  });

  // rules: bots-12
  test('has a bounded number of pending requests: further messages are not sent', async () => {
    const bot = await newBot();
    const { letGo } = holding(bot);
    const more = MAX_WAITING_REQUESTS_PER_BOT + 20;
    await Promise.all(Array.from({ length: more }, (_, count) => other.direct([bot.id], `question ${count}`)));
    await service.call(({ body }) => body.bot_full_name === bot.name);
    await readAll();
    assert.equal(await waitingFor(bot), MAX_WAITING_REQUESTS_PER_BOT);
    letGo();
    await tryAgain(bot);
    assert.equal(new Set(service.calls.map(({ body }) => body.message.id)).size, MAX_WAITING_REQUESTS_PER_BOT);
  });
});

// rules: bots-12
test('a lookup finds every bot with due requests, even if earlier ones exceed its limit', async () => {
  const { db } = server.app;
  const bot = await newBot();
  // The server does not see these rows, so it claims none of them meanwhile.
  const transaction = await db.startTransaction().execute();
  await sql`
    WITH crowd AS (
      INSERT INTO users (organization_id, email, delivery_email, full_name, role)
      SELECT 1, 'crowd' || n || '@example.com', 'crowd' || n || '@example.com', 'Crowd ' || n, 400
        FROM generate_series(1, ${MAX_BOTS_PER_LOOK + 50}) n
      RETURNING id)
    INSERT INTO outgoing_requests (organization_id, bot_id, message_id, trigger, due_at)
    SELECT 1, id, 1, 'mention', now() - interval '1 day' FROM crowd
     UNION ALL SELECT 1, ${bot.id}, 1, 'mention', now()`.execute(transaction);
  try {
    let isFound = false;
    for (let look = 0; look < 100 && !isFound; look++) {
      isFound = (await lookForDue(transaction, 1)).some(({ bot_id }) => bot_id === bot.id);
    }
    assert(isFound);
  } finally {
    await transaction.rollback().execute();
  }
});

// rules: bots-12
test('a request that was started too often without a result is dropped', async () => {
  const bot = await newBot();
  service.answering = (_, response) => void response.destroy();
  await other.direct([bot.id], 'hello');
  await attempted(bot);
  await sql`UPDATE outgoing_requests SET attempts = ${MAX_STARTS} WHERE bot_id = ${bot.id}`.execute(server.app.db);
  await tryAgain(bot);
  assert.deepEqual([service.calls.length, await waitingFor(bot)], [1, 0]);
});

// rules: bots-12
test('two processes that share the work call a service once per message', async () => {
  const first = await startTestServer({ environment });
  const second = await startTestServer({ environment, shared: first.shared });
  const bothSettled = () => Promise.all([first, second].map(({ app }) => outgoingOf(app).settled()));
  try {
    const bot = await newBot({}, first.owner);
    const writer = await first.user();
    service.answering = ({ body }) => ({ content: `to ${body.data}` });
    const texts = Array.from({ length: 30 }, (_, index) => `message ${index}`);
    for (const text of texts) {
      await writer.direct([bot.id], text);
      await bothSettled();
    }
    await bothSettled();
    assert.deepEqual(service.calls.map(({ body }) => body.data).toSorted(), texts.toSorted());
    const answers = (await messagesIn(writer, withBot(bot), 100)).flatMap(([name, content]) =>
      name === bot.name ? [content] : [],
    );
    assert.deepEqual(answers.toSorted(), texts.map((text) => `to ${text}`).toSorted());
  } finally {
    await second.stop();
    await first.stop();
  }
});

// rules: bots-12
test('a process that stops releases its unanswered requests, and another process sends them', async () => {
  const first = await startTestServer({ environment });
  const maker = await first.user();
  const { user_id } = await maker.ok('POST', '/bots', {
    full_name: 'Patient',
    short_name: 'patient',
    bot_type: 3,
    payload_url: service.url,
  });
  service.answering = () => undefined;
  await maker.direct([user_id], 'hello');
  await service.call();
  await outgoingOf(first.app).stop(0);
  const [row] = await first.app.db.selectFrom('outgoing_requests').select(['attempts', 'due_at']).execute();
  assert.equal(row?.attempts, 0);
  service.answering = SILENT;
  const second = await startTestServer({ environment, shared: first.shared });
  await outgoingOf(second.app).settled();
  assert.equal(service.calls.length, 2);
  await second.stop();
  await first.stop();
});
