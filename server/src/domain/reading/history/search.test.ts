import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { allow } from '../../../db/transaction.ts';
import type { Fields, TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { indexMessages } from './indexing.ts';

let server: TestServer;
let owner: TestClient;
let member: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.user();
  await server.emptyChannel(owner, 'loom', { principals: [member.userId] });
});
after(() => server.stop());

const page = { anchor: 'newest', num_before: 100, num_after: 0 };

async function search(client: TestClient, text: string, more: Fields = {}, negated = false): Promise<Json[]> {
  const narrow = [{ operator: 'search', operand: text, negated }];
  return (await client.ok('GET', '/messages', { ...page, narrow, ...more })).messages;
}

const idsOf = (messages: Json[]): number[] => messages.map(({ id }) => id);

/** Indexes messages at once. The job would do so soon after. */
const index = () => indexMessages(server.app, new AbortController().signal);

/** Keeps the job from indexing the messages that are sent meanwhile. */
async function unindexed(act: () => Promise<void>): Promise<void> {
  const client = await server.app.pool.connect();
  const lock = "FROM (SELECT hashtext('message_words') AS words, organization_id AS id FROM logs) AS own";
  try {
    await client.query(`SELECT pg_advisory_lock_shared(words, id) ${lock}`);
    await act();
  } finally {
    await client.query(`SELECT pg_advisory_unlock_shared(words, id) ${lock}`);
    client.release();
  }
}

/** Runs the check before and after the messages are indexed. The result must be the same. */
async function beforeAndAfterIndexing(check: () => Promise<void>): Promise<void> {
  await sql`TRUNCATE message_words, indexed_messages`.execute(server.app.db);
  await check();
  await index();
  await check();
}

// rules: fetch-11
test('search finds all inflected words of texts and topics, and exact phrases', async () => {
  const running = await owner.send('loom', 'patterns', 'running the **big** house');
  const runs = await owner.send('loom', 'Runs', 'she weaves');
  const reversed = await owner.send('loom', 'patterns', 'house big');
  await beforeAndAfterIndexing(async () => {
    assert.deepEqual(idsOf(await search(member, 'run')), [running, runs]);
    assert.deepEqual(idsOf(await search(member, 'run weave')), [runs]);
    assert.deepEqual(idsOf(await search(member, 'houses')), [running, reversed]);
    assert.deepEqual(idsOf(await search(member, '"house big"')), [reversed]);
    assert.deepEqual(idsOf(await search(member, 'the')), []);
    assert.deepEqual(idsOf(await search(member, 'strong')), []);
    const rest = idsOf(await search(member, 'run', {}, true));
    assert.deepEqual([rest.includes(running), rest.includes(reversed)], [false, true]);
  });
});

// rules: fetch-11
test('match_content and match_subject highlight the matches, as HTML', async () => {
  const id = await owner.send('loom', 'Dyes <& colours>', 'a dye & a `dyeing` vat');
  const marked = (word: string) => `<span class="highlight">${word}</span>`;
  const expected = [
    `<p>a ${marked('dye')} &amp; a <code>${marked('dyeing')}</code> vat</p>`,
    `${marked('Dyes')} &lt;&amp; colours&gt;`,
  ];
  const [found] = await search(member, 'dye', { apply_markdown: false });
  assert.deepEqual([found.match_content, found.match_subject], expected);
  assert.equal(found.content, 'a dye & a `dyeing` vat');
  const narrow = [{ operator: 'search', operand: 'dye' }];
  const { messages } = await member.ok('GET', '/messages/matches_narrow', { msg_ids: [id], narrow });
  assert.deepEqual(messages, { [id]: { match_content: expected[0], match_subject: expected[1] } });
  const plain = await member.ok('GET', '/messages', { ...page, narrow: [] });
  assert.equal('match_content' in plain.messages[0], false);
});

// rules: fetch-11
test('search finds edited texts and moved topics only by their new words, and no deleted messages', async () => {
  const id = await owner.send('loom', 'before', 'heddles');
  await index();
  await owner.ok('PATCH', `/messages/${id}`, { content: 'shuttles' });
  assert.deepEqual([idsOf(await search(member, 'heddle')), idsOf(await search(member, 'shuttle'))], [[], [id]]);
  await owner.ok('PATCH', `/messages/${id}`, { topic: 'warp', send_notification_to_new_thread: false });
  assert.deepEqual([idsOf(await search(member, 'before')), idsOf(await search(member, 'warp'))], [[], [id]]);
  await owner.ok('DELETE', `/messages/${id}`);
  assert.deepEqual(idsOf(await search(member, 'warp')), []);
  const { rows } = await sql`SELECT FROM message_words WHERE message_id = ${id}`.execute(server.app.db);
  assert.equal(rows.length, 0);
});

// rules: fetch-11
test('a search returns only readable messages, and those of unsubscribed channels only if the narrow names them', async () => {
  const secret = await server.emptyChannel(owner, 'cellar', { invite_only: true });
  const hidden = await owner.send('cellar', 'a', 'indigo');
  const direct = await owner.direct([member.userId], 'indigo');
  const stranger = await server.user();
  const open = await owner.send('loom', 'a', 'indigo');
  await beforeAndAfterIndexing(async () => {
    assert.deepEqual(idsOf(await search(owner, 'indigo')), [hidden, direct, open]);
    assert.deepEqual(idsOf(await search(member, 'indigo')), [direct, open]);
    assert.deepEqual(idsOf(await search(stranger, 'indigo')), []);
    const inChannel = [
      { operator: 'channel', operand: 'loom' },
      { operator: 'search', operand: 'indigo' },
    ];
    const { messages } = await stranger.ok('GET', '/messages', { ...page, narrow: inChannel });
    assert.deepEqual(idsOf(messages), [open]);
  });
  assert.ok(secret > 0);
});

const ROOT = sql`(SELECT id FROM organizations WHERE subdomain = '')`;

/** Adds the word to many other messages, and updates the planner statistics. */
async function common(word: string): Promise<void> {
  const { db } = server.app;
  await sql`
    INSERT INTO message_words (organization_id, message_id, words)
    SELECT organization_id, 1000000 + n, words_of_message('', ${word})
      FROM indexed_messages, generate_series(1, 2500) AS n WHERE organization_id = ${ROOT}
    ON CONFLICT (organization_id, message_id) DO UPDATE SET words = message_words.words || EXCLUDED.words`.execute(db);
  await sql`ANALYZE message_words`.execute(db);
}

// rules: fetch-11
test('search finds a very common word, page by page', async () => {
  const ids: number[] = [];
  for (let n = 0; n < 6; n++) ids.push(await owner.send('loom', 'many', n % 2 === 0 ? 'madder' : 'weld'));
  await index();
  await common('madder');
  const unindexed = await owner.send('loom', 'many', 'madder root');
  assert.deepEqual(idsOf(await search(member, 'madder')), [ids[0], ids[2], ids[4], unindexed]);
  assert.deepEqual(idsOf(await search(member, 'madder', { num_before: 2 })), [ids[4], unindexed]);
  const both = ['madder', 'root'].map((word) => ['search', word]);
  assert.deepEqual(idsOf((await member.ok('GET', '/messages', { ...page, narrow: both })).messages), [unindexed]);
});

// rules: fetch-11
test('search finds a very common word also where it is rare among the readable messages, from either end', async () => {
  const { db } = server.app;
  const first = await owner.send('loom', 'bare', 'saffron');
  const plain = await owner.send('loom', 'bare', 'lichen');
  // More messages than the search examines one by one.
  await sql`
    WITH taken AS (UPDATE logs SET message_head = message_head + 1200 WHERE organization_id = ${ROOT})
    INSERT INTO messages (organization_id, id, sender_id, channel_id, topic, content, rendered_content, mentions_channel, is_me_message, client, sent_at)
    SELECT organization_id, id + n, sender_id, channel_id, topic, content, rendered_content, false, false, client, sent_at
      FROM messages, generate_series(1, 1200) AS n WHERE id = ${plain}`.execute(db);
  const middle = plain + 600;
  await sql`UPDATE messages SET content = 'saffron', rendered_content = '<p>saffron</p>' WHERE id = ${middle}`.execute(
    db,
  );
  const last = await owner.send('loom', 'bare', 'saffron');
  await index();
  await common('saffron');
  const all = [first, middle, last];
  assert.deepEqual(idsOf(await search(member, 'saffron')), all);
  assert.deepEqual(idsOf(await search(member, '"saffron"')), all);
  const narrow = [
    ['channel', 'loom'],
    ['topic', 'bare'],
    ['search', 'saffron'],
  ];
  const around = { include_anchor: true, narrow };
  const pages = [
    [{ anchor: 'newest', num_before: 2, num_after: 0 }, [middle, last]],
    [{ anchor: 'oldest', num_before: 0, num_after: 2 }, [first, middle]],
    [{ anchor: plain, num_before: 5, num_after: 5 }, all],
    [{ anchor: 'first_unread', num_before: 1, num_after: 0 }, [first]],
  ] as const;
  for (const [request, expected] of pages) {
    const { messages } = await member.ok('GET', '/messages', { ...around, ...request });
    assert.deepEqual(idsOf(messages), expected, JSON.stringify(request));
  }
});

// rules: fetch-11
test('a search without words and a narrow with too many searches are refused', async () => {
  const refused = await member.fails('GET', '/messages', { ...page, narrow: [['search', ' ']] });
  assert.equal(refused.code, 'BAD_REQUEST');
  const many = Array.from({ length: 6 }, (_, n) => ['search', `word${n}`]);
  assert.equal((await member.fails('GET', '/messages', { ...page, narrow: many })).code, 'BAD_NARROW');
});

// rules: fetch-11
test('a search of more than 500 characters is refused', async () => {
  const refused = await member.fails('GET', '/messages', { ...page, narrow: [['search', 'x'.repeat(501)]] });
  assert.equal(refused.code, 'BAD_NARROW');
  await search(member, 'x'.repeat(500));
});

// rules: fetch-11
test('words within URLs, email addresses and names with signs are found and highlighted, in part and whole', async () => {
  const id = await owner.send(
    'loom',
    'signs',
    'read warp_beam-x86 at https://loom.example/reed?x=1 by ann@loom.example',
  );
  await beforeAndAfterIndexing(async () => {
    for (const text of ['warp_beam-x86', 'warp', 'https://loom.example/reed?x=1', 'ann@loom.example', 'ann']) {
      const [found] = await search(member, text);
      assert.equal(found?.id, id, text);
      assert.match(found.match_content, /class="highlight"/, text);
    }
  });
});

// rules: fetch-11
test('texts that are long runs of signs are indexed and searched', async () => {
  const runs = ['a_', 'a1@', 'a-1-', './'].map((run) => run.repeat(10_000 / run.length));
  const ids: number[] = [];
  for (const [n, run] of runs.entries()) ids.push(await owner.send('loom', 'runs', `${run} batten${n}`.slice(-10_000)));
  await beforeAndAfterIndexing(async () => {
    for (const [n, id] of ids.entries()) assert.deepEqual(idsOf(await search(member, `batten${n}`)), [id]);
  });
});

test('a text that PostgreSQL cannot index does not block indexing of other messages', async () => {
  const { db } = server.app;
  let broken = 0;
  let next = 0;
  await unindexed(async () => {
    broken = await owner.send('loom', 'limits', 'selvage');
    next = await owner.send('loom', 'limits', 'selvage too');
    const tooMany = sql`(SELECT string_agg('word' || n, ' ') FROM generate_series(1, 150000) AS n)`;
    await db.transaction().execute(async (transaction) => {
      await allow(transaction, { pause: 60_000, statement: 60_000 });
      // Disable the trigger, which would refuse this text.
      await sql`SET LOCAL session_replication_role = replica`.execute(transaction);
      await sql`UPDATE messages SET rendered_content = ${tooMany} WHERE id = ${broken}`.execute(transaction);
    });
  });
  await index();
  assert.deepEqual(idsOf(await search(member, 'selvage')), [next]);
  await owner.ok('PATCH', `/messages/${broken}`, { content: 'selvage again' });
  assert.deepEqual(idsOf(await search(member, 'selvage')), [broken, next]);
});

test('after the newest message is deleted before indexing, no message is left to index', async () => {
  await owner.ok('DELETE', `/messages/${await owner.send('loom', 'gone', 'fringe')}`);
  await index();
  const { rows } = await sql`
    SELECT FROM logs JOIN indexed_messages indexed ON indexed.organization_id = logs.organization_id
     WHERE indexed.through < logs.message_head`.execute(server.app.db);
  assert.equal(rows.length, 0);
});

// rules: fetch-11
test('at most a thousand matches of a message are highlighted', async () => {
  await owner.send('loom', 'pile', 'tuft '.repeat(1500));
  const [found] = await search(member, 'tuft');
  assert.equal(found.match_content.split('<span class="highlight">').length - 1, 1000);
});

// rules: fetch-11
test('a search does not report found_oldest while the index lags far behind', async () => {
  const { db } = server.app;
  await owner.send('loom', 'lag', 'shed');
  const narrow = [['search', 'shed']];
  assert.equal((await member.ok('GET', '/messages', { ...page, narrow })).found_oldest, true);
  await index();
  await unindexed(async () => {
    const between = await owner.send('loom', 'lag', 'shed');
    const heavy = await owner.send('loom', 'lag', 'heavy');
    const heavyText = sql`repeat('x ', 600 * 1024)`;
    await sql`UPDATE messages SET rendered_content = ${heavyText} WHERE id = ${heavy}`.execute(db);
    const lagging = await member.ok('GET', '/messages', { ...page, narrow });
    assert.deepEqual([lagging.found_oldest, lagging.found_newest, lagging.messages.length], [false, true, 1]);
    assert.ok(lagging.messages[0].id < between);
  });
  await index();
  const all = await member.ok('GET', '/messages', { ...page, narrow });
  assert.deepEqual([all.found_oldest, all.messages.length], [true, 2]);
});
