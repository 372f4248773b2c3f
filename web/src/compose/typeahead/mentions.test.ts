import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { narrowOfPlace } from '@heddle/client/model/messages/narrow.ts';
import { directPlace, type Place, topicPlace } from '@heddle/client/model/messages/places.ts';
import type { TestClient } from '@heddle/server/testing/clients/client.ts';
import { startTestServer, type TestServer } from '@heddle/server/testing/server/server.ts';
import { ModelClient } from '../../../../client/testing/model-client.ts';
import { mentionSuggestions } from './mentions.ts';

let server: TestServer;
let people: Readonly<Record<'writer' | 'subscriber' | 'correspondent' | 'stranger', TestClient>>;
let app: ModelClient;
let place: Place;
let channelId: number;
before(async () => {
  server = await startTestServer();
  // In the order of their names, the least relevant comes first.
  const stranger = await server.user({ name: 'Ann Alder' });
  const correspondent = await server.user({ name: 'Ann Birch' });
  const subscriber = await server.user({ name: 'Ann Cedar' });
  const writer = await server.user({ name: 'Ann Dogwood' });
  people = { writer, subscriber, correspondent, stranger };
  const principals = [subscriber.userId, writer.userId];
  channelId = await server.emptyChannel(server.owner, 'trees', { principals });
  await writer.send(channelId, 'oaks', 'hello');
  await correspondent.direct([server.owner.userId], 'hello');
  place = topicPlace(channelId, 'oaks');
  app = await ModelClient.start(server.owner, server.url);
  await app.model.cache.recent.load();
  app.model.channels.setSubscribers(channelId, [...principals, server.owner.userId]);
});
after(() => server.stop());

const labels = (query: string, where: Place | undefined = place) =>
  mentionSuggestions(app.model, where, { kind: 'mention', from: 0, query }).map(({ label }) => label);

test('writers of the topic come first, then subscribers, then correspondents, then others', () => {
  assert.deepEqual(labels('ann'), ['Ann Dogwood', 'Ann Cedar', 'Ann Birch', 'Ann Alder']);
});

test('without a query, the people of the conversation are offered', () => {
  assert.deepEqual(labels('').slice(0, 3), ['Ann Dogwood', 'Ann Cedar', 'Ann Birch']);
  const direct = directPlace([people.stranger.userId], server.owner.userId);
  assert.equal(labels('', direct)[0], 'Ann Alder');
});

test('wildcards are offered by their beginning; topics have one of their own', () => {
  assert.deepEqual(labels('al').slice(0, 1), ['all']);
  assert.deepEqual(labels('top'), ['topic']);
  assert.deepEqual(labels('top', directPlace([people.stranger.userId], server.owner.userId)), []);
});

test('people with the same name are told apart by their ids', async () => {
  const [one] = [await server.user({ name: 'Tom Twin' }), await server.user({ name: 'Tom Twin' })];
  await app.catchUp();
  const found = mentionSuggestions(app.model, place, { kind: 'mention', from: 0, query: 'tom' });
  assert(found.some(({ insert }) => insert === `@**Tom Twin|${one?.userId}** `));
});

test('groups are offered to those who may mention them', async () => {
  await server.owner.ok('POST', '/user_groups/create', { name: 'anglers', description: 'fish', members: [] });
  await app.catchUp();
  const found = mentionSuggestions(app.model, place, { kind: 'mention', from: 0, query: 'angl', isSilent: true });
  assert.deepEqual(
    found.map(({ insert }) => insert),
    ['@_*anglers* '],
  );
});

test('a name that begins with the query comes before a writer whose other names do', async () => {
  const [writer, stranger] = [await server.user({ name: 'Zed Elm' }), await server.user({ name: 'Elm Last' })];
  await writer.subscribe('trees');
  await writer.send(channelId, 'oaks', 'me too');
  await app.catchUp();
  assert.deepEqual(labels('elm'), ['Elm Last', 'Zed Elm']);
  // The newest writer is the first who is offered.
  assert.deepEqual(labels('').slice(0, 2), ['Zed Elm', 'Ann Dogwood']);
  assert(!labels('').includes('Elm Last'), String(stranger.userId));
});

test('the writers of an old topic are those of its messages that the app shows', async () => {
  const narrow = narrowOfPlace(place, server.owner.userId);
  const fresh = await ModelClient.start(server.owner, server.url);
  const offered = () => mentionSuggestions(fresh.model, place, { kind: 'mention', from: 0, query: '' });
  assert.notEqual(offered()[0]?.label, 'Zed Elm');
  await fresh.model.cache.windows.of(narrow).open('newest');
  assert.deepEqual(
    offered()
      .slice(0, 2)
      .map(({ label }) => label),
    ['Zed Elm', 'Ann Dogwood'],
  );
});
