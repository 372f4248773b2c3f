import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Fields, TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
let member: TestClient;
let other: TestClient;
let generalId: number;
/** Ten messages of one topic, with other messages between them. */
const ids: number[] = [];
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.user();
  other = await server.user();
  await owner.subscribe('plain', { principals: [owner.userId, member.userId, other.userId] });
  await owner.subscribe('elsewhere');
  generalId = (await owner.ok('GET', '/get_stream_id', { stream: 'plain' })).stream_id;
  for (let n = 0; n < 10; n++) {
    ids.push(await owner.send('plain', 'history', `number ${n}`));
    await owner.send('elsewhere', 'a', 'in between');
  }
});
after(() => server.stop());

const topic = [
  { operator: 'channel', operand: 'plain' },
  { operator: 'topic', operand: 'history' },
];

async function get(fields: Fields, client = member): Promise<Json> {
  return client.ok('GET', '/messages', { num_before: 0, num_after: 0, narrow: topic, ...fields });
}

/** Returns the messages as indexes of `ids`. */
const places = (answer: Json): number[] => answer.messages.map((message: Json) => ids.indexOf(message.id));

// rules: message-fields-8, fetch-1, versions-2
test('GET /messages/{message_id} returns HTML by default, Markdown with apply_markdown=false, and always raw_content as Markdown', async () => {
  const id = await owner.send('plain', 'a', '**bold**');
  const html = await member.ok('GET', `/messages/${id}`);
  assert.deepEqual([html.message.content, html.message.content_type], ['<p><strong>bold</strong></p>', 'text/html']);
  assert.equal(html.raw_content, '**bold**');
  const raw = await member.ok('GET', `/messages/${id}`, { apply_markdown: false });
  assert.deepEqual([raw.message.content, raw.message.content_type], ['**bold**', 'text/x-markdown']);
  assert.equal(raw.raw_content, '**bold**');
});

// rules: message-fields-6, message-fields-7, message-fields-11
test('a channel message names its channel and topic; a direct message names its participants instead', async () => {
  const shape = ({ type, stream_id, subject, display_recipient }: Json) => [
    type,
    stream_id,
    subject,
    display_recipient,
  ];
  const channel = await owner.ok('GET', `/messages/${ids[0]}`);
  assert.deepEqual(shape(channel.message), ['stream', generalId, 'history', 'plain']);
  const { message } = await owner.ok('GET', `/messages/${await owner.direct([member.userId], 'x', { topic: 'none' })}`);
  const participants = [owner, member].map(({ userId: id, email, name: full_name }) => {
    return { id, email, full_name, is_mirror_dummy: false };
  });
  assert.deepEqual(shape(message), ['private', undefined, '', participants]);
  assert.equal('stream_id' in message, false);
});

// rules: fetch-3
test('GET /messages/{message_id} refuses a missing message with BAD_REQUEST', async () => {
  for (const id of [0, 99_999_999, Number.MAX_SAFE_INTEGER]) {
    const body = await member.fails('GET', `/messages/${id}`);
    assert.deepEqual([body.code, body.msg], ['BAD_REQUEST', 'Invalid message(s)']);
  }
});

// rules: message-fields-2, fetch-5
test('a message as anchor is returned with its neighbors before and after', async () => {
  const answer = await get({ anchor: ids[4], num_before: 2, num_after: 3 });
  assert.deepEqual(places(answer), [2, 3, 4, 5, 6, 7]);
  const { anchor, found_anchor, found_oldest, found_newest, history_limited } = answer;
  assert.deepEqual(
    { anchor, found_anchor, found_oldest, found_newest, history_limited },
    { anchor: ids[4], found_anchor: true, found_oldest: false, found_newest: false, history_limited: false },
  );
});

test('an anchor between messages is not found and does not count', async () => {
  const between = (ids[4] ?? 0) + 1;
  const answer = await get({ anchor: between, num_before: 2, num_after: 2 });
  assert.deepEqual(places(answer), [3, 4, 5, 6]);
  assert.deepEqual([answer.anchor, answer.found_anchor], [between, false]);
});

test('include_anchor=false excludes the anchor at an end of the range, and is refused inside it', async () => {
  const before = await get({ anchor: ids[4], num_before: 2, include_anchor: false });
  assert.deepEqual([places(before), before.found_anchor], [[2, 3], false]);
  const after = await get({ anchor: ids[4], num_after: 2, include_anchor: false });
  assert.deepEqual(places(after), [5, 6]);
  const inside = { anchor: ids[4], num_before: 1, num_after: 1, include_anchor: false };
  const { code, msg } = await member.fails('GET', '/messages', inside);
  assert.deepEqual([code, msg], ['BAD_REQUEST', 'The anchor can only be excluded at an end of the range']);
});

// rules: fetch-5
test('newest and oldest are the ends, and found_newest and found_oldest tell when they are reached', async () => {
  const newest = await get({ anchor: 'newest', num_before: 3 });
  assert.deepEqual(places(newest), [7, 8, 9]);
  assert.deepEqual([newest.anchor, newest.found_newest, newest.found_oldest], [10_000_000_000_000_000, true, false]);
  const oldest = await get({ anchor: 'oldest', num_after: 3 });
  assert.deepEqual(places(oldest), [0, 1, 2]);
  assert.deepEqual([oldest.anchor, oldest.found_newest, oldest.found_oldest], [0, false, true]);
  const all = await get({ anchor: ids[4], num_before: 5, num_after: 6 });
  assert.deepEqual([places(all).length, all.found_oldest, all.found_newest], [10, true, true]);
  const exactly = await get({ anchor: ids[4], num_before: 4, num_after: 5 });
  assert.deepEqual([places(exactly).length, exactly.found_oldest, exactly.found_newest], [10, false, false]);
});

// rules: fetch-5
test('first_unread is the first unread message of the narrow, or its end, like the older use_first_unread_anchor', async () => {
  await other.ok('POST', '/messages/flags', { messages: ids.slice(0, 6), op: 'add', flag: 'read' });
  const answer = await get({ anchor: 'first_unread', num_before: 1, num_after: 1 }, other);
  assert.deepEqual([answer.anchor, places(answer)], [ids[6], [5, 6, 7]]);
  const older = await get({ use_first_unread_anchor: true, num_before: 1, num_after: 1 }, other);
  assert.deepEqual(places(older), [5, 6, 7]);
  await other.ok('POST', '/messages/flags', { messages: ids, op: 'add', flag: 'read' });
  const none = await get({ anchor: 'first_unread', num_before: 1, num_after: 1 }, other);
  assert.deepEqual([none.anchor, places(none), none.found_newest], [10_000_000_000_000_000, [9], true]);
});

test('anchors can be digits, quoted digits, too small or too large; other words are refused', async () => {
  for (const anchor of [`${ids[4]}`, `"${ids[4]}"`]) {
    assert.deepEqual(places(await get({ anchor, num_before: 1 })), [3, 4], anchor);
  }
  assert.deepEqual(places(await get({ anchor: '"newest"', num_before: 1 })), [9]);
  assert.equal((await get({ anchor: -7, num_after: 1 })).anchor, 0);
  for (const anchor of ['10000000000000000', '99999999999999999999']) {
    assert.deepEqual(places(await get({ anchor, num_before: 1 })), [9], anchor);
  }
  const wrong = await member.fails('GET', '/messages', { anchor: 'latest', num_before: 1, num_after: 1 });
  assert.equal(wrong.code, 'BAD_REQUEST');
});

// rules: fetch-5
test('anchor is required without message_ids; num_before and num_after default to 0 and are limited', async () => {
  const whole = { anchor: 'newest', num_before: 1, num_after: 1 };
  const missing = await member.fails('GET', '/messages', { ...whole, anchor: undefined });
  assert.deepEqual([missing.code, missing.msg], ['BAD_REQUEST', "Missing 'anchor' argument."]);
  const around = async (query: Fields) => places(await member.ok('GET', '/messages', { anchor: ids[4], ...query }));
  assert.deepEqual(
    [await around({}), await around({ num_before: 2 }), await around({ num_after: 2 })],
    [[4], [2, 3, 4], [4, 5, 6]],
  );
  await member.fails('GET', '/messages', { ...whole, num_before: -1 });
  await member.fails('GET', '/messages', { ...whole, num_after: 1.5 });
  await member.ok('GET', '/messages', { ...whole, num_before: 4999 });
  await member.ok('GET', '/messages', { ...whole, narrow: 'null' });
  const body = await member.fails('GET', '/messages', { ...whole, num_before: 5000 });
  assert.equal(body.msg, 'Too many messages requested (maximum 5000).');
});

// rules: fetch-7
test('message_ids returns the existing messages within the narrow, without their neighbors', async () => {
  const wanted = [ids[3], ids[1], ids[3], 987_654];
  const answer = await member.ok('GET', '/messages', { message_ids: wanted });
  assert.deepEqual(places(answer), [1, 3]);
  const { found_anchor, found_newest, found_oldest, history_limited } = answer;
  assert.deepEqual([found_anchor, found_newest, found_oldest, history_limited], [false, false, false, false]);
  assert.equal('anchor' in answer, false);
  const narrow = [{ operator: 'id', operand: ids[3] }];
  assert.deepEqual(places(await member.ok('GET', '/messages', { message_ids: wanted, narrow })), [3]);
  assert.deepEqual(
    places(await member.ok('GET', '/messages', { message_ids: wanted, num_before: 0, num_after: 0 })),
    [1, 3],
  );
  const both = await member.fails('GET', '/messages', { message_ids: wanted, num_before: 1 });
  assert.equal(
    both.msg,
    'Unsupported parameter combination: num_before, num_after, anchor, message_ids, include_anchor, use_first_unread_anchor',
  );
});

// rules: conventions-9, fetch-2
test('apply_markdown, client_gravatar and allow_empty_topic_name change the message format', async () => {
  const id = await owner.send('plain', '', '*plain*');
  const one = async (query: Fields) =>
    (await member.ok('GET', '/messages', { message_ids: [id], ...query })).messages[0];
  const usual = await one({});
  assert.deepEqual(
    [usual.content, usual.content_type, usual.avatar_url, usual.subject],
    ['<p><em>plain</em></p>', 'text/html', null, 'general chat'],
  );
  const changed = await one({ apply_markdown: false, client_gravatar: false, allow_empty_topic_name: true });
  assert.deepEqual([changed.content, changed.content_type, changed.subject], ['*plain*', 'text/x-markdown', '']);
  assert.match(changed.avatar_url, /^https:/);
});

/** Returns the indexes in `all` of the messages in a narrow. */
async function narrowed(client: TestClient, all: readonly number[], narrow: Json): Promise<number[]> {
  const answer = await client.ok('GET', '/messages', { anchor: 'newest', num_before: 100, num_after: 0, narrow });
  return answer.messages.map((message: Json) => all.indexOf(message.id)).filter((place: number) => place >= 0);
}

// rules: fetch-8
test('narrows accept every operator, its older names, objects and pairs, and negation', async () => {
  const reader = await server.user();
  await owner.subscribe('plain', { principals: [reader.userId] });
  await owner.subscribe('birds', { principals: [reader.userId] });
  const birds = (await owner.ok('GET', '/get_stream_id', { stream: 'birds' })).stream_id;
  const all = [
    await owner.send('plain', 'Lunch', 'zero'),
    await other.send('plain', 'dinner', `one @**${reader.name}**`),
    await owner.send('birds', 'lunch', 'two'),
    await owner.direct([reader.userId], 'three'),
    await other.direct([reader.userId, owner.userId], 'four'),
    await reader.direct([reader.userId], 'five', { read_by_sender: true }),
    await owner.send('plain', '', 'six'),
  ];
  await reader.ok('POST', '/messages/flags', { messages: [all[2], all[3]], op: 'add', flag: 'starred' });
  await reader.ok('POST', '/messages/flags', { messages: [all[0], all[3]], op: 'add', flag: 'read' });
  const everything = [0, 1, 2, 3, 4, 5, 6];
  const cases: [string, Json, number[]][] = [
    ['channel', 'plain', [0, 1, 6]],
    ['stream', 'PLAIN', [0, 1, 6]],
    ['channel', birds, [2]],
    ['channel', `${birds}`, [2]],
    ['topic', 'lunch', [0, 2]],
    ['subject', 'LUNCH', [0, 2]],
    ['topic', '', [6]],
    ['topic', 'general chat', [6]],
    ['dm', [owner.userId], [3]],
    ['dm', owner.email, [3]],
    ['pm-with', owner.email, [3]],
    ['pm_with', `${owner.email}, ${other.email}`, [4]],
    ['dm', [other.userId, owner.userId, reader.userId], [4]],
    ['dm', [other.userId], []],
    ['dm', [], []],
    ['dm', [reader.userId], [5]],
    ['dm-including', owner.userId, [3, 4]],
    ['dm-including', other.email, [4]],
    ['group-pm-with', other.email, [4]],
    ['group-pm-with', owner.email, [4]],
    ['sender', other.email, [1, 4]],
    ['sender', other.userId, [1, 4]],
    ['from', other.email, [1, 4]],
    ['id', all[3], [3]],
    ['id', `${all[3]}`, [3]],
    ['near', all[3], everything],
    ['is', 'dm', [3, 4, 5]],
    ['is', 'private', [3, 4, 5]],
    ['is', 'unread', [1, 2, 4, 6]],
    ['is', 'read', [0, 3, 5]],
    ['is', 'starred', [2, 3]],
    ['is', 'mentioned', [1]],
  ];
  for (const [operator, operand, expected] of cases) {
    const what = `${operator}:${JSON.stringify(operand)}`;
    assert.deepEqual(await narrowed(reader, all, [{ operator, operand }]), expected, what);
    if (typeof operand === 'string')
      assert.deepEqual(await narrowed(reader, all, [[operator, operand]]), expected, what);
    if (operator === 'near') continue;
    const others = everything.filter((place) => !expected.includes(place));
    assert.deepEqual(await narrowed(reader, all, [{ operator, operand, negated: true }]), others, `not ${what}`);
  }
  const both = [
    { operator: 'channel', operand: 'plain' },
    { operator: 'topic', operand: 'lunch', negated: true },
    { operator: 'sender', operand: other.userId },
  ];
  assert.deepEqual(await narrowed(reader, all, both), [1]);
});

// rules: fetch-8
test('an unknown narrow is BAD_NARROW with a reason in desc, and a malformed one BAD_REQUEST', async () => {
  const hidden = await owner.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'hidden' }],
    invite_only: true,
  });
  assert.equal(hidden.result, 'success');
  const bad: Json[] = [
    ['colour', 'red'],
    ['constructor', 'red'],
    ['channel', 'nowhere'],
    ['channel', 'hidden'],
    ['channel', 987_654],
    ['channel', true],
    ['topic', 7],
    ['dm', [987_654]],
    ['dm', 'nobody@example.com'],
    ['dm', true],
    ['dm-including', [1, 2]],
    ['sender', 'nobody@example.com'],
    ['id', 'seven'],
    ['near', 'here'],
    ['is', 'nice'],
    ['is', 'constructor'],
    ['is', 7],
  ].map(([operator, operand]) => ({ operator, operand }));
  const request = { anchor: 'newest', num_before: 1, num_after: 1 };
  for (const term of bad) {
    const body = await member.fails('GET', '/messages', { ...request, narrow: [term] });
    assert.equal(body.code, 'BAD_NARROW', JSON.stringify(term));
    assert.equal(body.msg, `Invalid narrow operator: ${body.desc}`);
  }
  for (const narrow of [
    ['channel'],
    [{ operator: 'id', operand: 1.5 }],
    [{ operator: 'is' }],
    [['is', 'dm', 'x']],
    {},
    '[',
  ]) {
    const body = await member.fails('GET', '/messages', { ...request, narrow });
    assert.equal(body.code, 'BAD_REQUEST', JSON.stringify(narrow));
  }
});

// rules: fetch-8
test('the error of a narrow names what is unknown, in the words of the reference', async () => {
  const words: [string, Json, string][] = [
    ['dm', [987_654, owner.userId], `unknown user in [987654, ${owner.userId}]`],
    ['dm', `nobody@example.com,${owner.email}`, `unknown user in nobody@example.com,${owner.email}`],
    ['dm', ' ,,, ', 'unknown user in  ,,, '],
    ['dm-including', 'nobody@example.com', 'unknown user nobody@example.com'],
    ['sender', 987_654, 'unknown user 987654'],
    ['id', 'seven', 'Invalid message ID'],
  ];
  for (const [operator, operand, desc] of words) {
    const narrow = [{ operator, operand }];
    const body = await member.fails('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0, narrow });
    assert.equal(body.desc, desc);
  }
});

// rules: fetch-8
test('terms for channel messages and for direct messages are refused together, unless they are negated', async () => {
  const term = ([operator, operand]: readonly Json[], negated = false) => ({ operator, operand, negated });
  const ofChannels = [
    ['channel', 'plain'],
    ['channels', 'public'],
    ['topic', 'lunch'],
  ];
  const direct = [
    ['dm', [owner.userId]],
    ['dm-including', owner.userId],
    ['group-pm-with', owner.userId],
    ['is', 'dm'],
  ];
  const request = { anchor: 'newest', num_before: 1, num_after: 0 };
  for (const one of ofChannels) {
    for (const two of direct) {
      const narrows = [
        [term(one), term(two)],
        [term(two), term(one)],
      ];
      for (const narrow of narrows) {
        const { code, msg } = await member.fails('GET', '/messages', { ...request, narrow });
        const words = 'Invalid narrow operator: No message can be both a channel message and direct message';
        assert.deepEqual([code, msg], ['BAD_NARROW', words], JSON.stringify(narrow));
      }
      await member.ok('GET', '/messages', { ...request, narrow: [term(one), term(two, true)] });
    }
  }
  await member.ok('GET', '/messages', { ...request, narrow: [term(['topic', 'lunch'], true), term(['is', 'dm'])] });
  const onlyChannels = term(['is', 'dm'], true);
  await member.fails('GET', '/messages', { ...request, narrow: [onlyChannels, term(['dm', [owner.userId]])] });
});

// rules: fetch-10
test('has: finds messages with links, images and attachments, and is:resolved finds resolved topics', async () => {
  const reader = await server.user();
  await owner.subscribe('plain', { principals: [reader.userId] });
  const all = [
    await owner.send('plain', 'parts', 'example.com <a href="x.png">'),
    await owner.send('plain', 'parts', '[a](https://example.com/a.PNG?b=1) and #**plain**'),
    await owner.send('plain', 'parts', '[file](/user_uploads/1/ab/c.txt)'),
    await owner.send('plain', '✔ parts', '#**plain>parts**'),
  ];
  const cases: [string, string, number[]][] = [
    ['has', 'link', [0, 1, 2, 3]],
    ['has', 'image', [1]],
    ['has', 'attachment', [2]],
    ['is', 'resolved', [3]],
  ];
  for (const [operator, operand, expected] of cases) {
    assert.deepEqual(await narrowed(reader, all, [[operator, operand]]), expected, operand);
    const others = [0, 1, 2, 3].filter((place) => !expected.includes(place));
    assert.deepEqual(await narrowed(reader, all, [{ operator, operand, negated: true }]), others, `not ${operand}`);
  }
});

// rules: fetch-10
test('has:link finds links to channels, topics and messages, in new and in edited messages', async () => {
  const reader = await server.user();
  await owner.subscribe('plain', { principals: [reader.userId] });
  const linked = await owner.send('plain', 'links', 'no link, <a class="stream">');
  const sent = [
    linked,
    await owner.send('plain', 'links', '#**plain**'),
    await owner.send('plain', 'links', '#**plain>links**'),
    await owner.send('plain', 'links', `#**plain>links@${linked}**`),
    await owner.send('plain', 'links', '`#**plain**` and #**nowhere**'),
  ];
  const edited = await owner.send('plain', 'links', 'none');
  await owner.ok('PATCH', `/messages/${edited}`, { content: 'see #**plain**' });
  assert.deepEqual(await narrowed(reader, [...sent, edited], [['has', 'link']]), [1, 2, 3, 5]);
});

// rules: fetch-10
test('with: replaces the named conversation by the message’s current one, and ignores inaccessible messages', async () => {
  const moved = await owner.send('plain', 'old name', 'follow me');
  await owner.ok('PATCH', `/messages/${moved}`, { topic: 'new name', send_notification_to_new_thread: false });
  const beside = await owner.send('plain', 'new name', 'beside it');
  const left = await owner.send('plain', 'old name', 'left behind');
  const all = [moved, beside, left];
  const old = [
    ['channel', 'plain'],
    ['topic', 'old name'],
  ];
  const withMessage = (id: number) => [...old, ['with', `${id}`]];
  assert.deepEqual(await narrowed(member, all, withMessage(moved)), [0, 1]);
  assert.deepEqual(await narrowed(member, all, [{ operator: 'with', operand: moved }]), [0, 1]);
  const direct = await owner.direct([other.userId], 'not for everybody');
  assert.deepEqual(await narrowed(member, [...all, direct], withMessage(direct)), [2]);
  assert.deepEqual(await narrowed(other, [...all, direct], withMessage(direct)), [3]);
  const request = { anchor: 'newest', num_before: 1, num_after: 1 };
  for (const narrow of [[['with', `${direct}`]], [['with', 'x']], [...withMessage(moved), ['with', `${left}`]]]) {
    assert.equal((await member.fails('GET', '/messages', { ...request, narrow })).code, 'BAD_NARROW');
  }
});

test('the combined feed contains only messages sent during a subscription', async () => {
  const reader = await server.user();
  const before = await owner.send('plain', 'feed', 'before');
  await owner.subscribe('plain', { principals: [reader.userId] });
  const during = await owner.send('plain', 'feed', 'during');
  await reader.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['plain'] });
  const between = await owner.send('plain', 'feed', 'between');
  await owner.subscribe('plain', { principals: [reader.userId] });
  const again = await owner.send('plain', 'feed', 'again');
  const all = [before, during, between, again];
  assert.deepEqual(await narrowed(reader, all, []), [1, 3]);
  assert.deepEqual(await narrowed(reader, all, [{ operator: 'sender', operand: owner.userId }]), [1, 3]);
  assert.deepEqual(await narrowed(reader, all, [{ operator: 'channel', operand: generalId }]), [0, 1, 2, 3]);
});

test('a narrow has at most 100 terms, and several dm-including terms must all match', async () => {
  const users = [await server.user(), await server.user(), await server.user()];
  const ids = users.map(({ userId }) => userId);
  const together = await member.direct(ids, 'together');
  await member.direct(ids.slice(1), 'two of them');
  const range = { anchor: 'newest', num_before: 10, num_after: 0 };
  const fetch = async (narrow: readonly Json[]) => {
    const { messages } = await member.ok('GET', '/messages', { ...range, narrow });
    return messages.map(({ id }: Json) => id);
  };
  const including = ids.map((operand) => ({ operator: 'dm-including', operand }));
  assert.deepEqual(await fetch(including), [together]);
  assert.deepEqual(await fetch([...including, ['is', 'dm'], ['sender', member.email]]), [together]);
  const [first] = including;
  const without = (
    await fetch([
      { operator: 'dm-including', operand: ids[1] },
      { ...first, negated: true },
    ])
  ).length;
  assert.equal(without, 1);
  const repeated = Array.from({ length: 100 }, (_, index) => including[index % including.length]);
  assert.deepEqual(await fetch(repeated), [together]);
  const { msg } = await member.fails('GET', '/messages', { ...range, narrow: [...repeated, ['is', 'dm']] });
  assert.equal(msg, 'narrow is too long (limit: 100 items)');
});
