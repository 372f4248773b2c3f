import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Fields, TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
let bot: TestClient;
let other: TestClient;
before(async () => {
  server = await startTestServer();
  const made = async (short_name: string) => {
    await server.owner.ok('POST', '/bots', { full_name: `Bot ${short_name}`, short_name });
    return server.sameUser({ email: `${short_name}-bot@localhost` } as TestClient);
  };
  bot = await made('keeper');
  other = await made('other');
});
after(() => server.stop());

const put = (storage: Fields) => bot.ok('PUT', '/bot_storage', { storage });
const get = async (client: TestClient, keys?: readonly string[]): Promise<Json> =>
  (await client.ok('GET', '/bot_storage', { keys })).storage;
const refused = async (method: string, fields: Fields) => (await bot.fails(method, '/bot_storage', fields)).msg;

// rules: bots-21
test('values are stored by key per user, until they are replaced or removed', async () => {
  await put({ colour: 'red', size: 'large' });
  await put({ colour: 'blue', '': 'empty key', emoji: '🧵' });
  assert.deepEqual(await get(bot), { '': 'empty key', colour: 'blue', emoji: '🧵', size: 'large' });
  assert.deepEqual(await get(bot, ['size', 'colour', 'size']), { colour: 'blue', size: 'large' });
  assert.deepEqual(await get(bot, []), await get(bot));
  assert.deepEqual(await get(other), {});
  await bot.ok('DELETE', '/bot_storage', { keys: ['size', ''] });
  assert.deepEqual(await get(bot), { colour: 'blue', emoji: '🧵' });
  await bot.ok('DELETE', '/bot_storage');
  assert.deepEqual(await get(bot), {});
});

// rules: bots-21
test('an unknown key is refused, and then nothing is removed', async () => {
  await put({ there: 'yes' });
  assert.equal(await refused('GET', { keys: ['there', 'not'] }), 'Key does not exist.');
  assert.equal(await refused('DELETE', { keys: ['there', 'not'] }), 'Key does not exist.');
  assert.deepEqual(await get(bot), { there: 'yes' });
});

// rules: bots-21
test('storage is bounded in characters, entries and key length; a refused request changes nothing', async () => {
  await bot.ok('DELETE', '/bot_storage');
  await put({ large: 'x'.repeat(999_990) });
  assert.equal(
    await refused('PUT', { storage: { more: 'seven!!', large: 'x'.repeat(999_990) } }),
    'Request exceeds storage limit by 6 characters. The limit is 1000000 characters.',
  );
  await put({ large: 'x'.repeat(999_989), more: 'ok' });
  assert.equal(await refused('PUT', { storage: { ['k'.repeat(501)]: '' } }), 'Keys have at most 500 characters.');
  await bot.ok('DELETE', '/bot_storage');
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`${index}`, '']));
  await put(many);
  assert.equal(await refused('PUT', { storage: { another: '' } }), 'Too many entries (limit: 10000)');
  await bot.fails('PUT', '/bot_storage', { storage: { 'null\0': 'a' } });
  await bot.fails('PUT', '/bot_storage', { storage: { number: 5 } });
  assert.equal(Object.keys(await get(bot)).length, 10_000);
});

// rules: bots-21
test('keys like __proto__ and constructor are stored like others', async () => {
  await bot.ok('DELETE', '/bot_storage');
  const { status } = await bot.call('PUT', '/bot_storage', {
    storage: JSON.parse('{"__proto__": "a", "constructor": "b"}'),
  });
  assert.equal(status, 200);
  assert.equal((await get(bot)).constructor, 'b');
});
