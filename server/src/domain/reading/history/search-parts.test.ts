import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { indexMessages } from './indexing.ts';

let server: TestServer;
let owner: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  await server.emptyChannel(owner, 'loom');
});
after(() => server.stop());

const page = { anchor: 'newest', num_before: 100, num_after: 0 };

async function search(text: string): Promise<Json[]> {
  return (await owner.ok('GET', '/messages', { ...page, narrow: [['search', text]] })).messages;
}

const index = () => indexMessages(server.app, new AbortController().signal);

/** What the message's text shows as found. */
const marked = ({ match_content }: Json): readonly string[] =>
  [...match_content.matchAll(/<span class="highlight">([^<]*)<\/span>/g)].map(([, words]) => words);

/** The search finds these messages and marks these words, before and after the messages are indexed. */
async function finds(text: string, ids: readonly number[], words: readonly string[]): Promise<void> {
  const found = await search(text);
  assert.deepEqual(
    found.map(({ id }) => id),
    ids,
    text,
  );
  if (found[0] !== undefined) assert.deepEqual(marked(found[0]), words, text);
}

async function beforeAndAfterIndexing(check: () => Promise<void>): Promise<void> {
  await sql`TRUNCATE message_words, indexed_messages`.execute(server.app.db);
  await check();
  await index();
  await check();
}

// rules: fetch-16
test('search finds parts of addresses, paths and names, whose order counts', async () => {
  const send = (text: string) => owner.send('loom', 'parts', text);
  const address = await send('https://loomworks.example.org/shuttle-parts/treadle_42');
  const name = await send('call `sess.crate_types()` first, +49 171');
  const path = await send('in /etc/loom/config.yaml');
  const reversed = await send('yaml, then config; types of a crate');
  const mail = await send('to bea.weaver+warp@looms.example.net, 3.14-rc2');
  await beforeAndAfterIndexing(async () => {
    await finds('loomworks', [address], ['loomworks']);
    await finds('treadle', [address], ['treadle']);
    await finds('shuttle-parts', [address], ['shuttle', 'parts']);
    await finds('loomworks.example.org', [address], ['loomworks', 'example', 'org']);
    await finds(
      'https://loomworks.example.org/shuttle-parts/treadle_42',
      [address],
      ['https', 'loomworks', 'example', 'org', 'shuttle', 'parts', 'treadle', '42'],
    );
    await finds('crate_types', [name], ['crate', 'types']);
    await finds('crate', [name, reversed], ['crate']);
    await finds('49', [name], ['49']);
    await finds('config.yaml', [path], ['config', 'yaml']);
    await finds('/etc/loom', [path], ['etc', 'loom']);
    await finds('yaml config', [path, reversed], ['config', 'yaml']);
    await finds('weaver', [mail], ['weaver']);
    await finds('warp@looms', [mail], ['warp', 'looms']);
    await finds('3.14', [mail], ['3', '14']);
    await finds('"config.yaml"', [path], ['config', 'yaml']);
    await finds('strong', [], []);
  });
});

// rules: fetch-16
test('search finds words inside of sentences without spaces', async () => {
  const send = (text: string) => owner.send('loom', 'sentences', text);
  const chinese = await send('我们今天在织布机上工作。');
  const japanese = await send('新しい織機で布を織っています。カタカナのテスト');
  const korean = await send('새로운 베틀에서 천을 짜고 있습니다');
  const thai = await send('เราทอผ้าด้วยกี่ทอผ้าใหม่');
  const mixed = await send('Heddle是一个聊天服务器');
  const swapped = await send('机布织');
  await beforeAndAfterIndexing(async () => {
    await finds('织布', [chinese], ['织布']);
    await finds('织布机', [chinese], ['织布机']);
    await finds('今天 工作', [chinese], ['今天', '工作']);
    await finds('机', [chinese, swapped], ['机']);
    await finds('織機', [japanese], ['織機']);
    await finds('テスト', [japanese], ['テスト']);
    await finds('"布を織"', [japanese], ['布を織']);
    await finds('베틀', [korean], ['베틀']);
    await finds('천', [korean], ['천']);
    await finds('ทอผ้า', [thai], ['ทอผ้า', 'ทอผ้า']);
    await finds('ใหม่', [thai], ['ใหม่']);
    await finds('heddle', [mixed], ['Heddle']);
    await finds('Heddle聊天', [mixed], ['Heddle', '聊天']);
    await finds('服务器', [mixed], ['服务器']);
    await finds('器服', [], []);
  });
});

// rules: fetch-16
test('messages of an earlier version become findable by parts of words, and can be found by whole ones before', async () => {
  const id = await owner.send('loom', 'old', 'selvage.batten');
  const last = await owner.send('loom', 'old', 'selvage');
  await index();
  const { db } = server.app;
  await sql`UPDATE message_words SET words = to_tsvector('english', 'selvagebatten') WHERE message_id = ${id}`.execute(
    db,
  );
  await sql`UPDATE indexed_messages SET old_words_through = through - 1`.execute(db);
  assert.deepEqual(
    (await search('selvagebatten')).map((message) => message.id),
    [id],
  );
  await index();
  await finds('batten', [id], ['batten']);
  await finds('selvage', [id, last], ['selvage']);
  const { rows } = await sql`SELECT FROM indexed_messages WHERE old_words_through > 0`.execute(db);
  assert.equal(rows.length, 0);
});
