import assert from 'node:assert/strict';
import { bringArchive, storeConversations, storedConversations } from '../../testing/archive-in-page.ts';
import { browserWorld } from '../../testing/browser-world.ts';

const world = browserWorld();

const MEGABYTE = 1024 * 1024;

world.test('the conversations that were stored first leave a full archive, which has at most 40 MB', async () => {
  const ada = await world.user({ name: 'Ada' });
  const page = await world.open(ada, '#inbox');
  await bringArchive(page);
  const { userId } = ada.client;
  const store = (keys: readonly string[]) =>
    storeConversations(page, { userId, keys, messages: 100, textLength: 12_000 });
  const conversations = Array.from({ length: 40 }, (_, index) => `conversation ${index}`);
  await store(conversations.slice(0, 30));
  // It was stored first, and is stored again.
  await store(conversations.slice(0, 1));
  const early = await storedConversations(page, userId);
  assert.deepEqual(early.keys, [...conversations.slice(1, 30), 'conversation 0']);
  await store(conversations.slice(30));
  const { listed, keys, bytes } = await storedConversations(page, userId);
  // What is listed is there, and nothing else.
  assert.deepEqual(keys, listed);
  const all = [...conversations.slice(1, 30), 'conversation 0', ...conversations.slice(30)];
  assert.deepEqual(keys, all.slice(-keys.length));
  assert(keys.length < all.length && bytes <= 40 * MEGABYTE && bytes > 38 * MEGABYTE, `${bytes} bytes`);
});
