import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import type { TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { postWebhook, type Recorded, recorded } from '../../testing/services/webhooks.ts';

let server: TestServer;
let member: TestClient;
let channelId: number;
let bot: Json;
before(async () => {
  server = await startTestServer();
  member = await server.user({ name: 'Member' });
  channelId = await server.emptyChannel(member, 'alerts');
  bot = await member.ok('POST', '/bots', { full_name: 'Hooks', short_name: 'hooks', bot_type: 2 });
});
after(() => server.stop());

type Query = Readonly<Record<string, string>>;

async function post(integration: string, query: Query, body: string, headers: Query = {}) {
  return postWebhook(server, integration, { query, body, headers });
}

async function deliver(integration: string, { body, headers }: Recorded, query: Query = {}, more: Query = {}) {
  const given = { api_key: bot.api_key, stream: 'alerts', ...query };
  return post(integration, given, body, { ...headers, ...more });
}

const SUCCESS = { status: 200, result: 'success', msg: '' };

/** The bot's newest message that the reader has. */
async function newest(reader: TestClient = member): Promise<Json> {
  const range = { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false };
  const narrow = [{ operator: 'sender', operand: bot.user_id }];
  const { messages } = await reader.ok('GET', '/messages', { ...range, narrow });
  return messages[0];
}

async function saysNothing(act: () => Promise<unknown>): Promise<void> {
  const before = await newest();
  await act();
  assert.equal((await newest())?.id, before?.id);
}

describe('the message', () => {
  // rules: webhooks-1
  test('a push to GitHub becomes a message of the bot in the channel, with a topic of the integration', async () => {
    const push = await recorded('github', 'push');
    assert.deepEqual(await deliver('github', push), SUCCESS);
    const message = await newest();
    const { display_recipient, subject, sender_id, client, content } = message;
    assert.deepEqual(
      { display_recipient, subject, sender_id, client },
      {
        display_recipient: 'alerts',
        subject: 'public-repo / main',
        sender_id: bot.user_id,
        client: 'ZulipGitHubWebhook',
      },
    );
    assert.equal(content, push.outcome?.split('\n').slice(3).join('\n').trim());
  });

  // rules: webhooks-1
  test('the URL can name the topic, and the channel by its id', async () => {
    const ping = await recorded('github', 'ping');
    assert.deepEqual(await deliver('github', ping, { stream: String(channelId), topic: 'hooks' }), SUCCESS);
    assert.deepEqual([(await newest()).stream_id, (await newest()).subject], [channelId, 'hooks']);
  });

  // rules: webhooks-1
  test('services of Atlassian escape the channel and the topic twice, and a percent sign stays', async () => {
    await server.emptyChannel(member, 'build room');
    for (const [name, request, stream, topic, shown] of [
      ['jira', 'issue-created', 'build%20room', 'two%20words', 'two words'],
      ['jira', 'issue-created', 'build room', '50% done', '50% done'],
      ['bitbucket2', 'commit-comment', 'build%20room', 'a%2Fb', 'a/b'],
      ['bitbucket3', 'commit-comment', 'build%20room', 'c%2Fd', 'c/d'],
    ] as const) {
      assert.deepEqual(await deliver(name, await recorded(name, request), { stream, topic }), SUCCESS);
      const { display_recipient: channel, subject } = await newest();
      assert.deepEqual([channel, subject], ['build room', shown]);
    }
    const ping = await recorded('github', 'ping');
    assert.equal((await deliver('github', ping, { stream: 'build%20room' })).code, 'STREAM_DOES_NOT_EXIST');
  });

  // rules: webhooks-3
  test('without a channel, the bot writes to its owner', async () => {
    const ping = await recorded('github', 'ping');
    assert.deepEqual(await post('github', { api_key: bot.api_key }, ping.body, ping.headers), SUCCESS);
    const { type, display_recipient } = await newest();
    assert.equal(type, 'private');
    assert.deepEqual(display_recipient.map(({ id }: Json) => id).sort(), [bot.user_id, member.userId].sort());
  });

  // rules: webhooks-1
  test('services can send forms with JSON in the field payload, and JSON with another type', async () => {
    const ping = await recorded('github', 'ping');
    const form = new URLSearchParams({ payload: ping.body }).toString();
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const query = { api_key: bot.api_key, stream: 'alerts' };
    assert.deepEqual(await post('github', { ...query, topic: 'form' }, form, { ...ping.headers, ...type }), SUCCESS);
    assert.equal((await newest()).subject, 'form');
    assert.deepEqual(await post('json', { ...query, topic: 'other' }, '{"a": 1}', type), SUCCESS);
    assert.equal((await newest()).content, '```json\n{\n  "a": 1\n}\n```');
  });

  // rules: webhooks-8
  test('a payload mentions nobody and begins no widget, but Slack’s own syntax mentions everybody', async () => {
    const query = { api_key: bot.api_key, stream: 'alerts', topic: 'slack' };
    const say = async (text: string) => {
      assert.deepEqual(await post('slack_incoming', query, JSON.stringify({ text })), { ...SUCCESS, ok: true });
      const message = await newest();
      return { flags: message.flags, submessages: message.submessages.length };
    };
    const quiet = { flags: [], submessages: 0 };
    for (const text of ['@**all**', 'x @**Member**', '/poll Lunch?\nyes', ' /todo x'])
      assert.deepEqual(await say(text), quiet);
    assert((await say('<!channel> the server is down')).flags.includes('stream_wildcard_mentioned'));
  });

  // rules: webhooks-8
  test('a message that is too long ends at a whole character, with a mark', async () => {
    const query = { api_key: bot.api_key, stream: 'alerts', topic: 'long' };
    const evalMatches = Array.from({ length: 10 }, () => ({ metric: '*'.repeat(250), value: 1 }));
    for (const message of ['', 'a', 'ab', 'abc', 'abcd']) {
      const payload = { state: 'ok', ruleName: 'x', message: `x${message}`, evalMatches };
      assert.deepEqual(await post('grafana', query, JSON.stringify(payload)), SUCCESS);
      assert.match((await newest()).content, /&#42;\n\[message truncated\]$/);
      const text = `${'x'.repeat(9970)}${message}${'&lt;'.repeat(10)}`;
      assert.deepEqual(await post('slack_incoming', query, JSON.stringify({ text })), { ...SUCCESS, ok: true });
      assert.match((await newest()).content, /^x+[a-d]*<*\n\[message truncated\]$/);
    }
  });

  // rules: webhooks-1
  test('a topic that the payload chooses is valid, whatever it contains', async () => {
    const opened = await recorded('github', 'issue-opened');
    const payload = JSON.parse(opened.body);
    payload.issue.title = `a\u0000b\u202e\nc\u{e0fff} ${'long '.repeat(100)}`;
    assert.deepEqual(await deliver('github', { ...opened, body: JSON.stringify(payload) }), SUCCESS);
    const { subject } = await newest();
    assert.match(subject, /^public-repo \/ issue #2 a b c long .*\.\.\.$/);
    assert.equal([...subject].length, 60);
  });
});

// rules: webhooks-1
test('an integration has other names in URLs, and the URLs of both kinds of Bitbucket take the requests of the server', async () => {
  for (const [name, request] of [
    ['bitbucket', await recorded('bitbucket2', 'push')],
    ['bitbucket', await recorded('bitbucket3', 'pr-opened')],
    ['bitbucket_server', await recorded('bitbucket3', 'pr-opened')],
  ] as const) {
    assert.deepEqual(await deliver(name, request), SUCCESS);
    assert.equal((await newest()).content, request.outcome?.split('\n').slice(3).join('\n').trim());
  }
});

// rules: webhooks-12
test('clients of Slack read in the response whether the message was posted, and why not', async () => {
  const text = await recorded('slack_incoming', 'text');
  assert.deepEqual(await deliver('slack_incoming', text), { ...SUCCESS, ok: true });
  const refused = [
    await deliver('slack_incoming', { ...text, body: '{}' }),
    await deliver('slack_incoming', text, { stream: 'nowhere' }),
  ];
  for (const { status, result, msg, ok, error } of refused) {
    assert.deepEqual({ result, ok, error }, { result: 'error', ok: false, error: msg });
    assert(status >= 400 && msg !== '');
  }
  const ping = await recorded('github', 'ping');
  assert.deepEqual(await deliver('github', ping), SUCCESS);
});

// rules: webhooks-17
test('the Zulip app of Zapier learns whose key it has, without a message', async () => {
  const before = (await newest()).id;
  const auth = await recorded('zapier', 'auth');
  const { user } = await member.ok('GET', `/users/${bot.user_id}`);
  const facts = { full_name: user.full_name, email: user.email, id: bot.user_id };
  for (const filter of [{}, { only_events: '["none"]' }])
    assert.deepEqual(await deliver('zapier', auth, filter), { ...SUCCESS, ...facts });
  assert.equal((await newest()).id, before);
  assert.equal((await post('zapier', { api_key: member.apiKey }, auth.body)).status, 401);
  for (const name of ['zapier', 'ifttt'] as const)
    assert.deepEqual(await deliver(name, await recorded(name, 'message')), SUCCESS);
});

describe('credentials', () => {
  // rules: webhooks-2
  test('the key in the URL must be that of an active bot; keys of people are refused', async () => {
    const { body, headers } = await recorded('github', 'ping');
    for (const [api_key, problem] of [
      ['', 'Malformed API key'],
      ['x', 'Malformed API key'],
      [member.apiKey, 'Invalid API key'],
      [server.owner.apiKey, 'Invalid API key'],
    ] as const) {
      const { status, code, msg } = await post('github', { api_key }, body, headers);
      assert.deepEqual([status, code, msg], [401, 'UNAUTHORIZED', problem]);
    }
    const missing = await post('github', {}, body, headers);
    assert.deepEqual([missing.status, missing.code], [401, 'UNAUTHORIZED']);
    const other = await member.ok('POST', '/bots', { full_name: 'Gone', short_name: 'gone', bot_type: 2 });
    await member.ok('DELETE', `/bots/${other.user_id}`);
    const gone = await post('github', { api_key: other.api_key }, body, headers);
    assert.deepEqual([gone.status, gone.code], [401, 'USER_DEACTIVATED']);
  });

  // rules: webhooks-2
  test('a new key ends the old URL at once, and generic bots can have URLs, too', async () => {
    const { body, headers } = await recorded('github', 'ping');
    const generic = await member.ok('POST', '/bots', { full_name: 'Generic', short_name: 'generic' });
    assert.deepEqual(await post('github', { api_key: generic.api_key }, body, headers), SUCCESS);
    const { api_key } = await member.ok('POST', `/bots/${generic.user_id}/api_key/regenerate`);
    assert.equal((await post('github', { api_key: generic.api_key }, body, headers)).status, 401);
    assert.deepEqual(await post('github', { api_key }, body, headers), SUCCESS);
  });

  // rules: webhooks-2
  test('the key of a bot counts in its own organization only, and its credentials can be in a header instead', async () => {
    const { body, headers } = await recorded('github', 'ping');
    const stranger = await server.organization('strangers');
    const theirs = await stranger.ok('POST', '/bots', { full_name: 'Theirs', short_name: 'theirs', bot_type: 2 });
    const elsewhere = await post('github', { api_key: theirs.api_key, stream: 'alerts' }, body, headers);
    assert.deepEqual([elsewhere.status, elsewhere.code], [401, 'UNAUTHORIZED']);
    const { user } = await member.ok('GET', `/users/${bot.user_id}`);
    const address = user.email;
    const authorization = `Basic ${Buffer.from(`${address}:${bot.api_key}`).toString('base64')}`;
    const answer = await post('github', { stream: 'alerts', topic: 'by header' }, body, { ...headers, authorization });
    assert.deepEqual(answer, SUCCESS);
    assert.equal((await newest()).subject, 'by header');
    const wrong = `Basic ${Buffer.from(`${address}:${member.apiKey}`).toString('base64')}`;
    assert.equal((await post('github', { stream: 'alerts' }, body, { ...headers, authorization: wrong })).status, 401);
  });

  // rules: webhooks-2
  test('no error repeats the key of the URL', async () => {
    const { body, headers } = await recorded('github', 'ping');
    const api_key = bot.api_key;
    const answers = [
      await post('github', { api_key, stream: 'nowhere' }, body, headers),
      await post('unknown', { api_key }, body, headers),
      await post('github', { api_key, only_events: 'no list' }, body, headers),
      await post('github', { api_key, topic: 'x'.repeat(5000) }, body, headers),
      await post('json', { api_key, webhook_secret: 'x' }, '{}'),
      await post('github', { api_key: `${api_key}x` }, body, headers),
    ];
    for (const answer of answers) {
      assert.notEqual(answer.status, 200);
      assert(!JSON.stringify(answer).includes(api_key), JSON.stringify(answer));
    }
  });

  // rules: webhooks-2
  test('the key of a bot in a URL opens no other endpoint', async () => {
    for (const path of ['messages', 'users', 'users/me', 'register']) {
      const response = await fetch(`${server.url}/api/v1/${path}?api_key=${bot.api_key}`, {
        method: path === 'register' ? 'POST' : 'GET',
      });
      assert.equal(response.status, 401, path);
    }
  });

  // rules: webhooks-1
  test('the bot posts only where it may', async () => {
    await server.emptyChannel(server.owner, 'secrets', { invite_only: true });
    const ping = await recorded('github', 'ping');
    for (const stream of ['secrets', 'nowhere', '999999']) {
      const { status, code } = await deliver('github', ping, { stream });
      assert.deepEqual([status, code], [400, 'STREAM_DOES_NOT_EXIST'], stream);
    }
  });
});

describe('filters', () => {
  // rules: webhooks-4
  test('only_events and exclude_events choose the events, and a star stands for any characters', async () => {
    const push = await recorded('github', 'push');
    const passes = [
      { only_events: '["push_commits", "issues"]' },
      { only_events: '["push*"]' },
      { only_events: '["*_comm*s"]' },
      { only_events: '[]' },
      { exclude_events: '["issues", "push_tags", "push"]' },
      { only_events: '["push*"]', exclude_events: '["*tags"]' },
    ];
    for (const [index, filter] of passes.entries()) {
      assert.deepEqual(await deliver('github', push, { ...filter, topic: `passes ${index}` }), SUCCESS);
      assert.equal((await newest()).subject, `passes ${index}`);
    }
    const stops = [
      { only_events: '["push"]' },
      { only_events: '["issues", "pull*"]' },
      { exclude_events: '["push*"]' },
      { only_events: '["push*"]', exclude_events: '["push_commits"]' },
      { exclude_events: `["${'*a'.repeat(50)}", "*"]` },
    ];
    for (const filter of stops) {
      await saysNothing(async () => assert.deepEqual(await deliver('github', push, filter), SUCCESS));
    }
  });

  // rules: webhooks-6
  test('an event that the integration does not know is refused by name, and one that it ignores on purpose succeeds', async () => {
    const ping = await recorded('github', 'ping');
    const ofJira = { ...ping, body: '{"webhookEvent": "sprint_flown"}' };
    const ofStripe = { ...ping, body: '{"type": "spindle.created", "data": {"object": {"id": "sp_1"}}}' };
    await saysNothing(async () => {
      for (const [event, answer] of [
        ['loom', await deliver('github', ping, {}, { 'x-github-event': 'loom' })],
        ['sprint_flown', await deliver('jira', ofJira)],
        ['spindle.created', await deliver('stripe', ofStripe)],
      ] as const) {
        const msg = `The integration does not know the event '${event}'`;
        assert.deepEqual(answer, { status: 400, result: 'error', code: 'BAD_REQUEST', msg });
      }
      assert.deepEqual(await deliver('github', await recorded('github', 'issue-pinned')), SUCCESS);
    });
  });
});

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');
const now = () => Math.floor(Date.now() / 1000);

describe('signatures', () => {
  const secret = 'our secret';
  const signers: readonly (readonly [name: string, payload: string, sign: (body: string, key: string) => Query])[] = [
    ['github', 'push', (body, key) => ({ 'x-hub-signature-256': `sha256=${hmac(key, body)}` })],
    ['gitlab', 'push', (_, key) => ({ 'x-gitlab-token': key })],
    ['gitea', 'push', (body, key) => ({ 'x-gitea-signature': hmac(key, body) })],
    ['bitbucket2', 'push', (body, key) => ({ 'x-hub-signature': `sha256=${hmac(key, body)}` })],
    ['bitbucket3', 'pr-opened', (body, key) => ({ 'x-hub-signature': `sha256=${hmac(key, body)}` })],
    ['jira', 'issue-created', (body, key) => ({ 'x-hub-signature': `sha256=${hmac(key, body)}` })],
    ['sentry', 'event-alert', (body, key) => ({ 'sentry-hook-signature': hmac(key, body) })],
    ['grafana', 'firing', (body, key) => ({ 'x-grafana-alerting-signature': hmac(key, body) })],
    ['alertmanager', 'alerts', (_, key) => ({ authorization: `Bearer ${key}` })],
    [
      'pagerduty',
      'triggered',
      (body, key) => ({ 'x-pagerduty-signature': `v1=${hmac('old', body)},v1=${hmac(key, body)}` }),
    ],
    [
      'stripe',
      'charge-succeeded',
      (body, key) => {
        const at = now();
        return { 'stripe-signature': `t=${at},v1=${hmac(key, `${at}.${body}`)},v0=x` };
      },
    ],
  ];
  for (const [name, payload, sign] of signers) {
    // rules: webhooks-5
    test(`${name}: with a secret in the URL, only signed requests are accepted`, async () => {
      const request = await recorded(name, payload);
      const query = { webhook_secret: secret, topic: `signed ${name}` };
      assert.deepEqual(await deliver(name, request, query, sign(request.body, secret)), SUCCESS);
      assert.equal((await newest()).subject, `signed ${name}`);
      const wrong = [{}, sign(request.body, 'another secret')];
      // A token says nothing about the body.
      if (name !== 'gitlab' && name !== 'alertmanager') wrong.push(sign(`${request.body} `, secret));
      for (const headers of wrong) {
        const { status, msg } = await deliver(name, request, query, headers);
        assert.deepEqual([status, msg], [400, 'Webhook signature verification failed.']);
      }
    });
  }

  // rules: webhooks-5
  test('an empty secret in the URL is refused by every service that signs', async () => {
    for (const [name, payload, sign] of signers) {
      const signed = await recorded(name, payload);
      for (const headers of [{}, sign(signed.body, '')]) {
        const { status, msg } = await deliver(name, signed, { webhook_secret: '' }, headers);
        assert.deepEqual([status, msg], [400, 'webhook_secret must not be empty'], name);
      }
    }
  });

  // rules: webhooks-5
  test('a request of Stripe that is older than five minutes is refused', async () => {
    const { body } = await recorded('stripe', 'charge-succeeded');
    const old = now() - 400;
    const headers = { 'stripe-signature': `t=${old},v1=${hmac(secret, `${old}.${body}`)}` };
    const query = { api_key: bot.api_key, webhook_secret: secret };
    assert.equal((await post('stripe', query, body, headers)).status, 400);
  });

  // rules: webhooks-5
  test('Grafana: a timestamp header is part of the signature, and old requests are refused', async () => {
    const request = await recorded('grafana', 'firing');
    const query = { webhook_secret: secret };
    const signed = (at: number) => hmac(secret, `${at}:${request.body}`);
    for (const name of ['x-grafana-alerting-signature-timestamp', 'x-grafana-alerting-timestamp']) {
      const headers = (at: number, signature: string) => ({
        [name]: `${at}`,
        'x-grafana-alerting-signature': signature,
      });
      const status = async (given: Query) => (await deliver('grafana', request, query, given)).status;
      const at = now();
      assert.equal(await status(headers(at, signed(at))), 200);
      // The time is signed: another one, an old one, none, or a signature without it.
      assert.equal(await status(headers(at + 60, signed(at))), 400);
      assert.equal(await status(headers(at - 400, signed(at - 400))), 400);
      assert.equal(await status({ 'x-grafana-alerting-signature': signed(at) }), 400);
      assert.equal(await status(headers(at, hmac(secret, request.body))), 400);
    }
  });

  // rules: webhooks-5
  test('a secret for a service that does not sign is refused', async () => {
    for (const name of ['jenkins', 'slack_incoming', 'json']) {
      const { status, msg } = await post(name, { api_key: bot.api_key, webhook_secret: secret }, '{}');
      assert.equal(status, 400);
      assert.match(msg, /does not sign its requests/);
    }
  });
});

describe('malformed requests', () => {
  // rules: webhooks-7
  test('they are refused with the reason', async () => {
    const query = { api_key: bot.api_key, stream: 'alerts' };
    const cases: readonly (readonly [string, string, Query, RegExp])[] = [
      ['github', '{}', {}, /Missing the HTTP event header 'X-GitHub-Event'/],
      ['github', '{}', { 'x-github-event': 'push' }, /Malformed payload: 'ref' is missing/],
      ['github', '{"issue": 1, "action": "opened"}', { 'x-github-event': 'issues' }, /'issue' is missing/],
      ['json', 'no json', {}, /the body is not JSON/],
      ['json', '', {}, /the body is not JSON/],
      ['slack_incoming', '{"text": " "}', {}, /'text', 'blocks' or 'attachments' is missing/],
      ['alertmanager', '{"alerts": []}', {}, /'alerts' is missing/],
    ];
    for (const [name, body, headers, reason] of cases) {
      const { status, code, msg } = await post(name, query, body, headers);
      assert.deepEqual([status, code], [400, 'BAD_REQUEST'], `${name} ${body}`);
      assert.match(msg, reason);
    }
    const unknown = await post('unknown', query, '{}');
    assert.deepEqual([unknown.status, unknown.msg], [404, "No integration is called 'unknown'"]);
  });

  // rules: webhooks-7
  test('a body of more than 2 MB is refused, and a deep one is harmless', async () => {
    const query = { api_key: bot.api_key, stream: 'alerts' };
    const large = JSON.stringify({ text: 'a'.repeat(2 * 1024 * 1024) });
    assert.equal((await post('json', query, large)).code, 'PAYLOAD_TOO_LARGE');
    const deep = await post('json', query, '['.repeat(200_000) + ']'.repeat(200_000));
    assert(deep.status === 200 || deep.status === 400, JSON.stringify(deep));
    const fields = await post('json', query, 'a&'.repeat(2000), {
      'content-type': 'application/x-www-form-urlencoded',
    });
    assert.equal(fields.msg, 'Malformed payload: too many fields');
  });

  // rules: webhooks-7
  test('many requests of one bot at the same time all arrive', async () => {
    const query = { api_key: bot.api_key, stream: 'alerts', topic: 'many' };
    const answers = await Promise.all(Array.from({ length: 25 }, (_, index) => post('json', query, `[${index}]`)));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  });

  // rules: webhooks-7
  test('bodies that arrive slowly do not delay the requests of other owners', async () => {
    const keys = await Promise.all(
      Array.from({ length: 4 }, async (_, index) => {
        const [owner, name] = [await server.user(), `slow-${index}`];
        return (await owner.ok('POST', '/bots', { full_name: name, short_name: name, bot_type: 2 })).api_key;
      }),
    );
    const begun = async (key: string) => {
      const outgoing = request(`${server.url}/api/v1/external/json?api_key=${key}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', expect: '100-continue' },
      });
      outgoing.flushHeaders();
      await once(outgoing, 'continue');
      return { outgoing, answered: once(outgoing, 'response') };
    };
    const open = await Promise.all([...keys, ...keys].map(begun));
    assert.deepEqual(await post('json', { api_key: bot.api_key }, '{}'), SUCCESS);
    for (const { outgoing, answered } of open) {
      outgoing.end('{}');
      const [incoming] = await answered;
      assert.equal(incoming.statusCode, 200);
      incoming.resume();
    }
  });
});
