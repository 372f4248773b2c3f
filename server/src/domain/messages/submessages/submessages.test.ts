import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Fields, TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let author: TestClient;
let voter: TestClient;
let channelId: number;
before(async () => {
  server = await startTestServer();
  author = await server.user();
  voter = await server.user();
  channelId = await server.emptyChannel(author, 'polls', { principals: [voter.userId] });
});
after(() => server.stop());

async function fetched(id: number, client = voter): Promise<Json[]> {
  return (await client.ok('GET', `/messages/${id}`)).message.submessages;
}

const attach = (client: TestClient, message_id: number, content: unknown, msg_type = 'widget') =>
  client.call('POST', '/submessage', { message_id, msg_type, content: JSON.stringify(content) });

async function refused(client: TestClient, message_id: number, content: unknown): Promise<string> {
  const { status, body } = await attach(client, message_id, content);
  assert.deepEqual([status, body.code], [400, 'BAD_REQUEST']);
  return body.msg;
}

const poll = (content = '/poll Which yarn?\nWool\nSilk') => author.send(channelId, 'votes', content);

/** Returns the widget of a message, or undefined for an ordinary message. */
async function widget(content: string, more: Fields = {}): Promise<Json> {
  const [first, ...others] = await fetched(await author.send(channelId, 'votes', content, more));
  assert.deepEqual(others, []);
  return first && JSON.parse(first.content);
}

// rules: message-fields-4
test('/poll and /todo attach a widget to the message and its event', async () => {
  const queue = await voter.register({ event_types: ['message'] });
  const id = await poll('/poll What is your favorite color?\n\nRed\nGreen  \n\n   Blue\n - Yellow');
  const [{ message }] = (await queue.take(1)) as [Json];
  const [submessage, ...others] = await fetched(id);
  assert.deepEqual([message.submessages, others], [[submessage], []]);
  const { id: own, content, ...fields } = submessage;
  assert(Number.isSafeInteger(own));
  assert.deepEqual(fields, { message_id: id, sender_id: author.userId, msg_type: 'widget' });
  assert.deepEqual(JSON.parse(content), {
    widget_type: 'poll',
    extra_data: { question: 'What is your favorite color?', options: ['Red', 'Green', 'Blue', 'Yellow'] },
  });
  assert.deepEqual(await widget('/todo Shopping\n- Wool: blue\nNeedles'), {
    widget_type: 'todo',
    extra_data: {
      task_list_title: 'Shopping',
      tasks: [
        { task: 'Wool', desc: 'blue' },
        { task: 'Needles', desc: '' },
      ],
    },
  });
  assert.deepEqual(await widget('/poll'), { widget_type: 'poll', extra_data: { question: '', options: [] } });
  assert.deepEqual(await widget('\n\n/poll B  '), { widget_type: 'poll', extra_data: { question: 'B', options: [] } });
  assert.deepEqual(await widget('/poll\nA'), { widget_type: 'poll', extra_data: { question: '', options: ['A'] } });
});

test('other texts attach no widget', async () => {
  for (const text of ['this is ordinary', '/bogus', '/me shrugs', 'use /poll', '/polls a', '/pollution']) {
    assert.equal(await widget(text), undefined, text);
  }
});

// rules: other-9
test('widget_content attaches only valid forms with choices', async () => {
  const form = {
    widget_type: 'zform',
    extra_data: {
      type: 'choices',
      heading: 'Options:',
      choices: [{ short_name: 'A', long_name: 'Ask', reply: 'ask' }],
    },
  };
  assert.deepEqual(await widget('choose', { widget_content: form }), form);
  const send = (widget_content: unknown) =>
    author.fails('POST', '/messages', { type: 'channel', to: channelId, topic: 't', content: 'x', widget_content });
  const { extra_data } = form;
  for (const [given, msg] of [
    ['{{{{{{', 'API programmer sent invalid JSON content'],
    [JSON.stringify(5), 'widget_content is not a dict'],
    [{}, 'widget_type is not in widget_content'],
    [{ widget_type: 'whatever' }, 'extra_data is not in widget_content'],
    [{ widget_type: 'zform', extra_data: 4 }, 'extra_data is not a dict'],
    [{ widget_type: 'bogus', extra_data: {} }, 'unknown widget type: bogus'],
    [{ widget_type: { toString: 1 }, extra_data: {} }, 'unknown widget type: {"toString":1}'],
    [{ widget_type: 'zform', extra_data: { type: { toString: 1 } } }, 'unknown zform type: {"toString":1}'],
    [{ widget_type: 'zform', extra_data: {} }, 'zform is missing type field'],
    [{ widget_type: 'zform', extra_data: { type: 'bogus' } }, 'unknown zform type: bogus'],
    [{ widget_type: 'zform', extra_data: { type: 'choices' } }, 'heading key is missing from extra_data'],
    [{ ...form, extra_data: { ...extra_data, choices: 99 } }, 'extra_data["choices"] is not a list'],
    [{ ...form, extra_data: { ...extra_data, choices: [99] } }, 'extra_data["choices"][0] is not a dict'],
    [
      { ...form, extra_data: { ...extra_data, choices: [{ long_name: 'x', reply: 'y' }] } },
      'short_name key is missing from extra_data["choices"][0]',
    ],
  ]) {
    assert.equal((await send(given)).msg, `Widgets: ${msg}`);
  }
});

// rules: message-fields-4
test('a vote is attached to the message and sent to its recipients', async () => {
  const id = await poll();
  const outsider = await server.user();
  const types = { event_types: ['submessage', 'message'] };
  const [queue, other] = [
    await author.register(types),
    await outsider.register({ ...types, all_public_streams: true }),
  ];
  const vote = { type: 'vote', key: 'canned,0', vote: 1 };
  assert.equal((await attach(voter, id, vote)).status, 200);
  const [event] = await queue.take(1);
  const [, second] = await fetched(id);
  assert.deepEqual(second, {
    id: event.submessage_id,
    message_id: id,
    sender_id: voter.userId,
    msg_type: 'widget',
    content: JSON.stringify(vote),
  });
  assert.deepEqual(event, {
    id: event.id,
    type: 'submessage',
    msg_type: 'widget',
    message_id: id,
    submessage_id: second.id,
    sender_id: voter.userId,
    content: JSON.stringify(vote),
  });
  await outsider.direct([outsider.userId], 'the only one');
  assert.deepEqual(
    (await other.take(1)).map(({ type }: Json) => type),
    ['message'],
  );
  const { messages } = await voter.ok('GET', '/messages', { anchor: id, num_before: 0, num_after: 0 });
  assert.deepEqual(messages[0].submessages, await fetched(id));
});

// rules: other-9
test('only the sender attaches the first submessage', async () => {
  const id = await author.send(channelId, 'plain', 'no widget');
  assert.equal(await refused(voter, id, { any: 'thing' }), 'You cannot attach a submessage to this message.');
  assert.equal((await attach(author, id, { any: 'thing' }, 'whatever')).status, 200);
  assert.equal((await attach(voter, id, [1, 2, 3], 'whatever')).status, 200);
  const bad = await author.fails('POST', '/submessage', { message_id: id, msg_type: 'whatever', content: 'not json' });
  assert.equal(bad.msg, 'Invalid json for submessage');
});

// rules: other-9
test('polls: all users vote and add options, and only the author edits the question', async () => {
  const id = await poll();
  for (const [client, content] of [
    [voter, { type: 'vote', key: '1,1', vote: -1 }],
    [voter, { type: 'new_option', option: 'Linen', idx: 7 }],
    [author, { type: 'question', question: 'Which, then?' }],
  ] as const) {
    assert.equal((await attach(client, id, content)).status, 200);
  }
  for (const [content, msg] of [
    ['a text', 'poll data is not a dict'],
    [{}, 'type key is missing from poll data'],
    [{ type: 5 }, 'poll data["type"] is not a string'],
    [{ type: 'bogus' }, 'Unknown type for poll data: bogus'],
    [{ type: 'constructor' }, 'Unknown type for poll data: constructor'],
    [{ type: 'vote', vote: 1 }, 'key key is missing from poll data'],
    [{ type: 'vote', key: 'x', vote: 5 }, 'Invalid poll data["vote"]'],
    [{ type: 'vote', key: 'x', vote: 'y' }, 'poll data["vote"] is not an integer'],
    [{ type: 'vote', key: 'x', vote: 1, more: 2 }, 'Unexpected arguments: more'],
    [{ type: 'new_option', option: 'x', idx: -1 }, 'poll data["idx"] is too small'],
    [{ type: 'new_option', option: 'x', idx: 1001 }, 'poll data["idx"] is too large (max 1000)'],
    [{ type: 'question', question: 'mine' }, "You can't edit a question unless you are the author."],
  ] as const) {
    assert.equal(await refused(voter, id, content), msg);
  }
});

// rules: other-9
test('task lists: all users add and strike tasks, and only the author edits the title', async () => {
  const id = await author.send(channelId, 'tasks', '/todo');
  for (const [client, content] of [
    [voter, { type: 'new_task', key: 0, task: 'Spin', desc: '', completed: false }],
    [voter, { type: 'strike', key: '0,1' }],
    [author, { type: 'new_task_list_title', title: 'Weaving' }],
  ] as const) {
    assert.equal((await attach(client, id, content)).status, 200);
  }
  for (const [content, msg] of [
    [{ type: 'new_task', key: 0, task: 'x', desc: '', completed: 'no' }, 'todo data["completed"] is not a boolean'],
    [{ type: 'strike', key: 5 }, 'todo data["key"] is not a string'],
    [{ type: 'bogus' }, 'Unknown type for todo data: bogus'],
    [{ type: 'new_task_list_title', title: 'mine' }, "You can't edit the task list title unless you are the author."],
  ] as const) {
    assert.equal(await refused(voter, id, content), msg);
  }
});

test('the text of a message with a widget cannot be edited', async () => {
  const id = await poll();
  const { msg } = await author.fails('PATCH', `/messages/${id}`, { content: 'changed' });
  assert.equal(msg, 'Widgets cannot be edited.');
  await author.ok('PATCH', `/messages/${id}`, { topic: 'moved', send_notification_to_new_thread: false });
  assert.equal((await fetched(id)).length, 1);
});

test('deleting a message deletes its submessages, also from the log', async () => {
  const id = await poll();
  const queue = await voter.register({ event_types: ['submessage', 'delete_message'] });
  await attach(voter, id, { type: 'vote', key: 'canned,0', vote: 1 });
  await server.owner.subscribe('polls');
  await server.owner.ok('DELETE', `/messages/${id}`);
  assert.deepEqual(
    (await queue.now()).map(({ type }: Json) => type),
    ['delete_message'],
  );
  const rows = await server.app.db.selectFrom('submessages').select('place').where('message_id', '=', id).execute();
  assert.deepEqual(rows, []);
});

// rules: other-10
test('hostile: attaching to an inaccessible or missing message is refused', async () => {
  const closed = await server.emptyChannel(author, 'closed', { invite_only: true });
  const hidden = await author.send(closed, 'votes', '/poll Secret?');
  const direct = await author.direct([author.userId], '/poll Alone?');
  for (const id of [hidden, direct, 999_999, -1]) {
    assert.equal(await refused(voter, id, { type: 'vote', key: 'x', vote: 1 }), 'Invalid message(s)');
  }
});

// rules: other-10
test('nobody attaches to a message of an archived channel', async () => {
  const old = await server.emptyChannel(author, 'old', { principals: [voter.userId] });
  const id = await author.send(old, 'votes', '/poll Which yarn?\nWool');
  await author.ok('DELETE', `/streams/${old}`);
  for (const client of [author, voter]) {
    assert.equal(await refused(client, id, { type: 'vote', key: 'canned,0', vote: 1 }), 'Invalid message(s)');
  }
});

// rules: other-10
test('hostile: a user attaches at most 500 submessages, and concurrent votes are all counted', async () => {
  const id = await poll();
  const votes = Array.from({ length: 520 }, (_, index) => {
    return attach(voter, id, { type: 'vote', key: `canned,${index % 2}`, vote: 1 });
  });
  const statuses = (await Promise.all(votes)).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 200).length, 500);
  const submessages = await fetched(id);
  assert.equal(submessages.length, 501);
  assert.equal(new Set(submessages.map(({ id: own }) => own)).size, 501);
  assert.equal(
    await refused(voter, id, { type: 'vote', key: 'canned,0', vote: 1 }),
    'You have attached 500 submessages to this message already.',
  );
  assert.equal((await attach(author, id, { type: 'vote', key: 'canned,0', vote: 1 })).status, 200);
});
