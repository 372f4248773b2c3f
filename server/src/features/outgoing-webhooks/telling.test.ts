import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { LOCAL_SERVICES, TestBotService } from '../../testing/bot-service.ts';
import type { Fields, TestClient } from '../../testing/client.ts';
import type { Json } from '../../testing/json.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
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

/** What the service was told while something was done, and what that led to. */
async function told(act: () => Promise<unknown>): Promise<readonly Json[]> {
  const before = service.calls.length;
  await act();
  await outgoingOf(server.app).settled();
  return service.calls.slice(before).map(({ body }) => body);
}

/** The newest messages of a narrow, with the senders' names. */
async function said(client: TestClient, narrow: readonly Json[], count = 1): Promise<readonly Json[]> {
  const query = { anchor: 'newest', num_before: count, num_after: 0, narrow, apply_markdown: false };
  const { messages } = await client.ok('GET', '/messages', query);
  return messages.map((one: Json) => [one.sender_full_name, one.content]);
}

const topic = (name: string) => [
  { operator: 'channel', operand: 'general' },
  { operator: 'topic', operand: name },
];
const withBot = ({ id }: Bot) => [{ operator: 'dm', operand: [id] }];

describe('who is told', () => {
  // rules: bots-8
  test('a mention by name in a channel is told in the documented form', async () => {
    const bot = await newBot();
    const content = `${bot.mention} is it *done*?`;
    let id = 0;
    const [body, ...others] = await told(async () => {
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
    assert.match(body.message.avatar_url, /^https:\/\/secure\.gravatar\.com\//, 'services need not compute it');
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
  test('a direct message is told, also in a group of which the bot is one', async () => {
    const bot = await newBot();
    const bodies = await told(async () => {
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
  test('silent mentions, mentions of everybody, and names in code and quotes are told nobody', async () => {
    const bot = await newBot();
    await owner.subscribe('general', { principals: [bot.id] });
    const bodies = await told(async () => {
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
  test('what a bot writes is told nobody: two that mention each other are silent after the first answer', async () => {
    const [one, two] = [await newBot(), await newBot()];
    service.answering = ({ body }) => ({
      content: `${body.bot_full_name === one.name ? two.mention : one.mention} you?`,
    });
    const bodies = await told(async () => {
      await other.send('general', 'echo', `${one.mention} begin`);
      await one.client.direct([two.id], 'a word between bots');
    });
    service.answering = () => ({ response_not_required: true });
    assert.deepEqual(
      bodies.map(({ bot_full_name: name }) => name),
      [one.name],
    );
    assert.deepEqual(await said(owner, topic('echo')), [[one.name, `${two.mention} you?`]]);
  });

  // rules: bots-8
  test('in a private channel a bot is told where it reads, or its owner does, and nowhere else', async () => {
    const bot = await newBot();
    const shared = await server.emptyChannel(other, 'loft', { invite_only: true, principals: [owner.userId] });
    const foreign = await server.emptyChannel(other, 'vault', { invite_only: true });
    const bodies = await told(async () => {
      await other.send(shared, 'topic', `${bot.mention} one`);
      await other.send(foreign, 'topic', `${bot.mention} two`);
    });
    assert.deepEqual(
      bodies.map(({ data }) => data),
      [`${bot.mention} one`],
    );
    await other.subscribe('vault', { principals: [bot.id] });
    assert.equal((await told(() => other.send(foreign, 'topic', `${bot.mention} three`))).length, 1);
  });

  // rules: bots-8
  test('bots of other organizations are told nothing', async () => {
    const bot = await newBot();
    const stranger = await server.organization('outsiders');
    await stranger.subscribe('elsewhere');
    assert.deepEqual(await told(() => stranger.send('elsewhere', 'topic', bot.mention)), []);
  });
});

describe('what is answered', () => {
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
    test(`${what}: ${expected === undefined ? 'nothing is said' : 'the bot says so in the topic'}`, async () => {
      const bot = await newBot();
      service.answering = () => answer;
      const content = `${bot.mention} ${what}`;
      await told(() => other.send('general', what, content));
      assert.deepEqual(await said(other, topic(what)), [
        expected === undefined ? [other.name, content] : [bot.name, expected],
      ]);
      service.answering = () => ({ response_not_required: true });
    });
  }

  // rules: bots-10
  test('in a conversation the bot says it there, to all in it', async () => {
    const bot = await newBot();
    service.answering = () => ({ content: 'hello all' });
    await told(() => other.direct([bot.id, owner.userId], 'hello'));
    await told(() => owner.direct([bot.id], 'hello'));
    assert.deepEqual(await said(other, [{ operator: 'dm', operand: [bot.id, owner.userId] }], 2), [
      [other.name, 'hello'],
      [bot.name, 'hello all'],
    ]);
    assert.deepEqual(await said(owner, withBot(bot)), [[bot.name, 'hello all']]);
    service.answering = () => ({ response_not_required: true });
  });

  // rules: bots-10
  test('a text that is too long is cut like anybody’s', async () => {
    const bot = await newBot();
    service.answering = () => ({ content: 'x'.repeat(20_000) });
    await told(() => other.send('general', 'long', bot.mention));
    const [[name, content]] = (await said(other, topic('long'))) as [[string, string]];
    assert.deepEqual([name, content.length], [bot.name, 10_000]);
    assert.match(content, /\[message truncated\]$/);
    service.answering = () => ({ response_not_required: true });
  });

  // rules: bots-10
  test('widget_content makes a widget of the message', async () => {
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
      await told(() => other.direct([bot.id], 'what is there?'));
      const query = { anchor: 'newest', num_before: 1, num_after: 0, narrow: withBot(bot) };
      const [message] = (await other.ok('GET', '/messages', query)).messages;
      assert.deepEqual(JSON.parse(message.submessages[0].content), widget);
    }
    service.answering = () => ({ response_not_required: true });
  });

  // rules: bots-10
  test('the bot’s message is one of its own, by the program that the reference names', async () => {
    const bot = await newBot();
    service.answering = () => ({ content: 'mine' });
    const queue = await other.register({ event_types: ['message'] });
    await told(() => other.send('general', 'own', bot.mention));
    const events = await queue.now();
    const answer = events.map(({ message }) => message).find(({ sender_id: id }) => id === bot.id);
    assert.equal(answer.client, 'OutgoingWebhookResponse');
    service.answering = () => ({ response_not_required: true });
  });
});

describe('a service that speaks Slack', () => {
  // rules: bots-8
  test('is told a mention as a form, and answers with text', async () => {
    const bot = await newBot({ interface_type: 2 });
    service.answering = () => ({ text: 'from there' });
    let id = 0;
    const [body] = await told(async () => {
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
    assert.deepEqual(await said(other, topic('slack')), [[bot.name, 'from there']]);
    service.answering = () => ({ response_not_required: true });
  });

  // rules: bots-8
  test('has no form for direct messages, and the bot says so', async () => {
    const bot = await newBot({ interface_type: 2 });
    assert.deepEqual(await told(() => other.direct([bot.id], 'hello')), []);
    assert.deepEqual(await said(other, withBot(bot)), [
      [bot.name, "Failure! Slack outgoing webhooks don't support direct messages."],
    ]);
  });
});
