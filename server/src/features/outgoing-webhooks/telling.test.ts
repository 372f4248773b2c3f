import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Fields, TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { LOCAL_SERVICES, TestBotService } from '../../testing/services/bot-service.ts';
import { outgoingOf } from './running.ts';

let server: TestServer;
let service: TestBotService;
let owner: TestClient;
let other: TestClient;
before(async () => {
  service = await TestBotService.start();
  server = await startTestServer({ environment: LOCAL_SERVICES });
  owner = await server.user({ name: 'Owner of bots' });
  other = await server.user({ name: 'Somebody' });
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
  readonly client: TestClient;
  readonly token: string;
}

async function newBot(more: Fields = {}): Promise<Bot> {
  made += 1;
  const name = `Spinner ${made}`;
  const fields = {
    full_name: name,
    short_name: `spinner${made}`,
    bot_type: 3,
    payload_url: JSON.stringify(service.url),
  };
  const { user_id: id } = await owner.ok('POST', '/bots', { ...fields, ...more });
  const { state } = await owner.register({ fetch_event_types: ['realm_bot'] });
  const [{ token }] = state.realm_bots.find((one: Json) => one.user_id === id).services;
  const client = await server.sameUser({ email: `spinner${made}-bot@localhost` } as TestClient);
  return { id, name, mention: `@**${name}**`, client, token };
}

/** Returns the requests that the service received during the action. */
async function requestsDuring(act: () => Promise<unknown>): Promise<readonly Json[]> {
  const before = service.calls.length;
  await act();
  await outgoingOf(server.app).settled();
  return service.calls.slice(before).map(({ body }) => body);
}

/** Returns the newest messages of a narrow with their senders' names. */
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

describe('calls to the service', () => {
  // rules: bots-8
  test('a personal mention in a channel calls the service in the documented format', async () => {
    const bot = await newBot();
    const content = `${bot.mention} is it *done*?`;
    let id = 0;
    const [body, ...others] = await requestsDuring(async () => {
      id = await other.send('general', 'weaving', content);
    });
    assert.equal(others.length, 0);
    const { message } = await owner.ok('GET', `/messages/${id}`, { apply_markdown: false });
    const { message: shown } = await owner.ok('GET', `/messages/${id}`);
    const { flags: _, ...fields } = message;
    assert.deepEqual(body, {
      bot_email: bot.client.email,
      bot_full_name: bot.name,
      data: content,
      message: { ...fields, rendered_content: shown.content, avatar_url: body.message.avatar_url },
      token: bot.token,
      trigger: 'mention',
    });
    assert.match(body.message.avatar_url, /^https:\/\/secure\.gravatar\.com\//, 'the service need not compute the URL');
    assert.equal(body.message.display_recipient, 'general');
    assert.equal(body.message.type, 'stream');
    assert.match(bot.token, /^[A-Za-z0-9]{32}$/);
    const { headers } = service.calls.at(-1) ?? assert.fail();
    assert.match(`${headers['user-agent']}`, /^ZulipOutgoingWebhook\//);
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(headers.authorization, undefined);
    assert.equal(headers.cookie, undefined);
  });

  // rules: bots-8
  test('a direct message calls the service, also in a group with the bot', async () => {
    const bot = await newBot();
    const bodies = await requestsDuring(async () => {
      await other.direct([bot.id], 'hello');
      await other.direct([bot.id, owner.userId], 'hello both');
    });
    const seen = bodies.map(({ trigger, data, message }) => [
      trigger,
      data,
      message.type,
      message.display_recipient.length,
    ]);
    assert.deepEqual(seen.toSorted(), [
      ['direct_message', 'hello both', 'private', 3],
      ['direct_message', 'hello', 'private', 2],
    ]);
  });

  // rules: bots-8
  test('silent mentions, wildcard mentions, and names in code and quotes do not call the service', async () => {
    const bot = await newBot();
    await owner.subscribe('general', { principals: [bot.id] });
    const bodies = await requestsDuring(async () => {
      for (const content of [
        `@_**${bot.name}** silently`,
        '@**all** at once',
        '@**topic** at once',
        `\`${bot.mention}\``,
        `\`\`\`\n${bot.mention}\n\`\`\``,
        `\`\`\`quote\n${bot.mention}\n\`\`\``,
        'nothing at all',
      ]) {
        await owner.send('general', 'quiet', content);
      }
    });
    assert.deepEqual(bodies, []);
  });

  // rules: bots-8
  test('messages of bots call no service: two bots that mention each other stop after the first reply', async () => {
    const [one, two] = [await newBot(), await newBot()];
    service.answering = ({ body }) => ({
      content: `${body.bot_full_name === one.name ? two.mention : one.mention} you?`,
    });
    const bodies = await requestsDuring(async () => {
      await other.send('general', 'echo', `${one.mention} begin`);
      await one.client.direct([two.id], 'a word between bots');
    });
    service.answering = () => ({ response_not_required: true });
    assert.deepEqual(
      bodies.map(({ bot_full_name: name }) => name),
      [one.name],
    );
    assert.deepEqual(await messagesIn(owner, topic('echo')), [[one.name, `${two.mention} you?`]]);
  });

  // rules: bots-8
  test('in a private channel, a mention calls the service only if the bot or its owner has access', async () => {
    const bot = await newBot();
    const shared = await server.emptyChannel(other, 'loft', { invite_only: true, principals: [owner.userId] });
    const foreign = await server.emptyChannel(other, 'vault', { invite_only: true });
    const bodies = await requestsDuring(async () => {
      await other.send(shared, 'topic', `${bot.mention} one`);
      await other.send(foreign, 'topic', `${bot.mention} two`);
    });
    assert.deepEqual(
      bodies.map(({ data }) => data),
      [`${bot.mention} one`],
    );
    await other.subscribe('vault', { principals: [bot.id] });
    assert.equal((await requestsDuring(() => other.send(foreign, 'topic', `${bot.mention} three`))).length, 1);
  });

  // rules: bots-8
  test('a mention in another organization does not call the service', async () => {
    const bot = await newBot();
    const outsider = await server.organization('outsiders');
    await outsider.subscribe('elsewhere');
    assert.deepEqual(await requestsDuring(() => outsider.send('elsewhere', 'topic', bot.mention)), []);
  });
});

describe('responses of the service', () => {
  const answers: readonly (readonly [string, Json, string | undefined])[] = [
    ['content', { content: '**done**' }, '**done**'],
    ['the older response_string', { response_string: 'done' }, 'done'],
    ['both, of which the older one counts', { response_string: 'older', content: 'newer' }, 'older'],
    ['content that is no text', { content: 5 }, '5'],
    ['response_not_required', { response_not_required: true, content: 'never' }, undefined],
    ['nothing to say', {}, undefined],
    ['null', { content: null, widget_content: null }, undefined],
    ['blank content', { content: ' \n ' }, undefined],
    ['an empty text, as older services do', '', undefined],
  ];
  for (const [what, answer, expected] of answers) {
    // rules: bots-10
    test(`${what}: ${expected === undefined ? 'the bot posts nothing' : 'the bot replies in the topic'}`, async () => {
      const bot = await newBot();
      service.answering = () => answer;
      const content = `${bot.mention} ${what}`;
      await requestsDuring(() => other.send('general', what, content));
      assert.deepEqual(await messagesIn(other, topic(what)), [
        expected === undefined ? [other.name, content] : [bot.name, expected],
      ]);
      service.answering = () => ({ response_not_required: true });
    });
  }

  // rules: bots-10
  test('in a direct conversation the bot replies to all participants', async () => {
    const bot = await newBot();
    service.answering = () => ({ content: 'hello all' });
    await requestsDuring(() => other.direct([bot.id, owner.userId], 'hello'));
    await requestsDuring(() => owner.direct([bot.id], 'hello'));
    assert.deepEqual(await messagesIn(other, [{ operator: 'dm', operand: [bot.id, owner.userId] }], 2), [
      [other.name, 'hello'],
      [bot.name, 'hello all'],
    ]);
    assert.deepEqual(await messagesIn(owner, withBot(bot)), [[bot.name, 'hello all']]);
    service.answering = () => ({ response_not_required: true });
  });

  // rules: bots-10
  test('a reply that is too long is truncated like any message', async () => {
    const bot = await newBot();
    service.answering = () => ({ content: 'x'.repeat(20_000) });
    await requestsDuring(() => other.send('general', 'long', bot.mention));
    const [[name, content]] = (await messagesIn(other, topic('long'))) as [[string, string]];
    assert.deepEqual([name, content.length], [bot.name, 10_000]);
    assert.match(content, /\[message truncated\]$/);
    service.answering = () => ({ response_not_required: true });
  });

  // rules: bots-10
  test('widget_content adds a widget to the message', async () => {
    const bot = await newBot();
    const widget = {
      widget_type: 'zform',
      extra_data: {
        type: 'choices',
        heading: 'Which?',
        choices: [{ type: 'multiple_choice', short_name: 'A', long_name: 'First', reply: 'a' }],
      },
    };
    for (const widget_content of [widget, JSON.stringify(widget)]) {
      service.answering = () => ({ content: 'choose', widget_content });
      await requestsDuring(() => other.direct([bot.id], 'what is there?'));
      const query = { anchor: 'newest', num_before: 1, num_after: 0, narrow: withBot(bot) };
      const [message] = (await other.ok('GET', '/messages', query)).messages;
      assert.deepEqual(JSON.parse(message.submessages[0].content), widget);
    }
    service.answering = () => ({ response_not_required: true });
  });

  // rules: bots-10
  test('the reply is the bot’s own message, with the client name of the reference', async () => {
    const bot = await newBot();
    service.answering = () => ({ content: 'mine' });
    const queue = await other.register({ event_types: ['message'] });
    await requestsDuring(() => other.send('general', 'own', bot.mention));
    const events = await queue.now();
    const answer = events.map(({ message }) => message).find(({ sender_id: id }) => id === bot.id);
    assert.equal(answer.client, 'OutgoingWebhookResponse');
    service.answering = () => ({ response_not_required: true });
  });
});

describe('a service with the Slack format', () => {
  // rules: bots-8
  test('receives a mention as a form, and replies with text', async () => {
    const bot = await newBot({ interface_type: 2 });
    service.answering = () => ({ text: 'from there' });
    let id = 0;
    const [body] = await requestsDuring(async () => {
      id = await other.send('general', 'slack', `${bot.mention} hello`);
    });
    const { message } = await other.ok('GET', `/messages/${id}`);
    const { state } = await other.register();
    assert.deepEqual(body, {
      token: bot.token,
      team_id: body.team_id,
      team_domain: 'localhost',
      channel_id: `C${message.stream_id}`,
      channel_name: 'general',
      thread_ts: `${message.timestamp}`,
      timestamp: `${message.timestamp}`,
      user_id: `U${other.userId}`,
      user_name: other.name,
      text: `${bot.mention} hello`,
      trigger_word: 'mention',
      service_id: `${bot.id}`,
    });
    assert.match(body.team_id, /^T\d+$/);
    assert.equal(typeof state.realm_uri, 'string');
    assert.deepEqual(await messagesIn(other, topic('slack')), [[bot.name, 'from there']]);
    service.answering = () => ({ response_not_required: true });
  });

  // rules: bots-8
  test('does not support direct messages, and the bot says so', async () => {
    const bot = await newBot({ interface_type: 2 });
    assert.deepEqual(await requestsDuring(() => other.direct([bot.id], 'hello')), []);
    assert.deepEqual(await messagesIn(other, withBot(bot)), [
      [bot.name, "Failure! Slack outgoing webhooks don't support direct messages."],
    ]);
  });
});
