import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { fc } from '../../../testing/random/property.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { AlertWords } from './alert-words.ts';

let server: TestServer;
let member: TestClient;
let other: TestClient;
before(async () => {
  server = await startTestServer();
  member = await server.user();
  other = await server.user();
  await server.owner.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'looms' }],
    principals: [member.userId, other.userId],
  });
});
after(() => server.stop());

const PATH = '/users/me/alert_words';

async function wordsOf(user: TestClient): Promise<string[]> {
  return (await user.ok('GET', PATH)).alert_words;
}

async function flagsOf(user: TestClient, messageId: number): Promise<string[]> {
  return (await user.ok('GET', `/messages/${messageId}`)).message.flags;
}

function toLooms(content: string): Promise<number> {
  return other.ok('POST', '/messages', { type: 'channel', to: 'looms', topic: 'wool', content }).then(({ id }) => id);
}

test('alert words are added and removed regardless of case, trimmed and unique, and only their user receives events', async () => {
  const person = await server.user();
  const queue = await person.register({ event_types: ['alert_words'] });
  const elsewhere = await other.register({ event_types: ['alert_words'] });
  assert.deepEqual(queue.state.alert_words, []);
  const { alert_words } = await person.ok('POST', PATH, { alert_words: [' Weft ', 'weft', '', 'warp and woof', 'x'] });
  assert.deepEqual(alert_words, ['Weft', 'warp and woof', 'x']);
  assert.deepEqual((await person.ok('POST', PATH, { alert_words: ['WEFT', 'new'] })).alert_words, [
    ...alert_words,
    'new',
  ]);
  assert.deepEqual((await person.ok('DELETE', PATH, { alert_words: ['wEFT', 'never there'] })).alert_words, [
    'warp and woof',
    'x',
    'new',
  ]);
  assert.deepEqual(await wordsOf(person), ['warp and woof', 'x', 'new']);
  const events = await queue.take(3);
  assert.deepEqual(
    events.map(({ alert_words: words }: Json) => words.length),
    [3, 4, 3],
  );
  const { state } = await person.register({ fetch_event_types: ['alert_words'] });
  assert.deepEqual(state.alert_words, ['warp and woof', 'x', 'new']);
  assert.deepEqual(await elsewhere.now(), []);
});

test('an alert word has at most 100 characters, and a user has at most 100 alert words', async () => {
  const person = await server.user();
  const tooLong = await person.fails('POST', PATH, { alert_words: ['fine', 'x'.repeat(101)] });
  assert.match(tooLong.msg, /alert_words\[1\]/);
  await person.ok('POST', PATH, { alert_words: ['x'.repeat(100)] });
  const many = Array.from({ length: 100 }, (_, index) => `word ${index}`);
  assert.equal((await person.fails('POST', PATH, { alert_words: many })).msg, 'Too many alert words (limit: 100)');
  await person.ok('POST', PATH, { alert_words: many.slice(1) });
});

test('a message with an alert word is flagged for its user in events, history and narrows', async () => {
  await member.ok('POST', PATH, { alert_words: ['Shuttle', 'two words'] });
  const queue = await member.register({ event_types: ['message'] });
  const narrowed = await member.register({ event_types: ['message'], narrow: [['is', 'alerted']] });
  const alerting = [await toLooms('the SHUTTLE, again'), await toLooms('these are two words.')];
  const silent = await toLooms('shuttles and twotwo words');
  assert.deepEqual(
    (await queue.take(3)).map(({ flags }: Json) => flags.includes('has_alert_word')),
    [true, true, false],
  );
  assert.deepEqual(
    (await narrowed.take(2)).map(({ message }: Json) => message.id),
    alerting,
  );
  for (const id of alerting) assert((await flagsOf(member, id)).includes('has_alert_word'));
  assert(!(await flagsOf(member, silent)).includes('has_alert_word'));
  assert(!(await flagsOf(server.owner, alerting[0] ?? 0)).includes('has_alert_word'));
  const query = { anchor: 'newest', num_before: 10, num_after: 0, narrow: [{ operator: 'is', operand: 'alerted' }] };
  const found = (await member.ok('GET', '/messages', query)).messages;
  assert.deepEqual(
    found.map(({ id }: Json) => id),
    alerting,
  );
  assert.deepEqual((await other.ok('GET', '/messages', query)).messages, []);
  await member.ok('DELETE', PATH, { alert_words: ['Shuttle', 'two words'] });
  assert(
    !(await flagsOf(member, await toLooms('a shuttle'))).includes('has_alert_word'),
    'a removed word does not alert',
  );
});

test('editing a message adds and removes the flag, only for users who received the message', async () => {
  await member.ok('POST', PATH, { alert_words: ['bobbin'] });
  const late = await server.user();
  await late.ok('POST', PATH, { alert_words: ['bobbin'] });
  const id = await toLooms('nothing yet');
  await late.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'looms' }] });
  const queue = await member.register({ event_types: ['update_message'] });
  await other.ok('PATCH', `/messages/${id}`, { content: 'a bobbin' });
  assert((await flagsOf(member, id)).includes('has_alert_word'));
  assert(!(await flagsOf(late, id)).includes('has_alert_word'));
  await other.ok('PATCH', `/messages/${id}`, { content: 'nothing again' });
  assert(!(await flagsOf(member, id)).includes('has_alert_word'));
  assert.deepEqual(
    (await queue.take(2)).map(({ flags }: Json) => flags.includes('has_alert_word')),
    [true, false],
  );
});

test('fenced code never alerts; text beside it, quotes, spoilers and code spans do', async () => {
  await member.ok('POST', PATH, { alert_words: ['heddle'] });
  const alerts = async (content: string) => (await flagsOf(member, await toLooms(content))).includes('has_alert_word');
  const silent = [
    '```\nheddle\n```',
    'see\n```py\nheddle = 1\n```\nabove',
    '~~~\nheddle\n~~~',
    '````\n```\nheddle\n```\n````',
    '```\r\nheddle',
    '```quote\n```js\nheddle\n```\n```',
    '> ```\n> heddle\n> ```',
    '1. one\n  ```\n  heddle\n  ```',
    '```math\nheddle\n```',
  ];
  for (const content of silent) assert(!(await alerts(content)), content);
  const loud = [
    '```\ncode\n```\nheddle',
    'heddle\n```\nheddle\n```',
    '```quote\nheddle\n```',
    '```spoiler heddle\nx\n```',
    '`heddle`',
    '``` heddle```',
  ];
  for (const content of loud) assert(await alerts(content), content);
  const id = await toLooms('```\nheddle\n```');
  await other.ok('PATCH', `/messages/${id}`, { content: 'heddle' });
  assert((await flagsOf(member, id)).includes('has_alert_word'));
  await other.ok('PATCH', `/messages/${id}`, { content: '```\nheddle\n```' });
  assert(!(await flagsOf(member, id)).includes('has_alert_word'));
});

test('direct messages alert their recipients', async () => {
  await member.ok('POST', PATH, { alert_words: ['treadle'] });
  const id = await other.direct([member.userId], 'Treadle?');
  assert((await flagsOf(member, id)).includes('has_alert_word'));
});

test('messages of the notification bot alert, in channels and directly', async () => {
  await member.ok('POST', PATH, { alert_words: ['resolved', 'selvedge'] });
  await server.emptyChannel(other, 'selvedge');
  const queue = await member.register({ event_types: ['message'] });
  const id = await toLooms('done');
  await other.ok('PATCH', `/messages/${id}`, { topic: '✔ wool', propagate_mode: 'change_one' });
  await other.subscribe('selvedge', { principals: [member.userId] });
  const [, ...notices] = await queue.take(3);
  assert.deepEqual(
    notices.map(({ message, flags }: Json) => [message.type, flags.includes('has_alert_word')]),
    [
      ['stream', true],
      ['private', true],
    ],
  );
  for (const { message } of notices) assert((await flagsOf(member, message.id)).includes('has_alert_word'));
});

test('AlertWords finds the same users as a scan through all words, after any sequence of changes', () => {
  const letters = fc.constantFrom('a', 'b', ' ', '.', '*', 'É', 'ß');
  const word = fc.string({ unit: letters, minLength: 1, maxLength: 4 });
  const change = fc.record({ userId: fc.nat({ max: 3 }), words: fc.array(word, { maxLength: 3 }) });
  fc.assert(
    fc.property(fc.array(change), fc.string({ unit: letters, maxLength: 30 }), (changes, text) => {
      const index = new AlertWords();
      const words = new Map<number, readonly string[]>();
      for (const { userId, words: own } of changes) {
        index.put(userId, own);
        words.set(userId, own);
      }
      const expected = [...words].filter(([, own]) => own.some((one) => standsIn(text, one))).map(([userId]) => userId);
      assert.deepEqual([...index.usersAlertedBy(text)].sort(), expected.sort());
    }),
  );
});

function standsIn(text: string, word: string): boolean {
  const [whole, part] = [text.toLowerCase(), word.toLowerCase()];
  for (let at = whole.indexOf(part); at >= 0; at = whole.indexOf(part, at + 1)) {
    const [before, behind] = [whole[at - 1], whole[at + part.length]];
    if ((before === undefined || ' .*'.includes(before)) && (behind === undefined || ' .*'.includes(behind)))
      return true;
  }
  return false;
}
