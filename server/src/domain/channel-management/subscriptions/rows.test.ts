import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Json } from '../../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { beginSubscriptions } from './beginning.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.stop());

test('the database refuses subscriptions of unknown or foreign users and channels', async () => {
  const { owner, app } = server;
  const stranger = await server.organization('faraway');
  await stranger.subscribe('far');
  await owner.subscribe('near');
  const channelOf = async (client: typeof owner): Promise<number> => {
    const { subscriptions } = await client.ok('GET', '/users/me/subscriptions');
    return subscriptions.find(({ name }: Json) => name === 'far' || name === 'near').stream_id;
  };
  const organization = await app.organizations.bySubdomain('');
  assert(organization !== undefined);
  const [near, far] = [await channelOf(owner), await channelOf(stranger)];
  const begin = (userId: number, channelId: number, isAgain: boolean) =>
    organization.transact('server', 'exclusive', ({ db, position }) => {
      const begun = [{ userId, channelId, eventId: position.head, color: '#76ce90', isAgain }];
      return beginSubscriptions(db, organization.id, begun, position.messageHead);
    });
  for (const isAgain of [false, true]) {
    await assert.rejects(begin(stranger.userId, near, isAgain), { code: '23503' });
    await assert.rejects(begin(owner.userId, far, isAgain), { code: '23503' });
    await assert.rejects(begin(987_654, near, isAgain), { code: '23503' });
  }
  await begin(owner.userId, near, true);
});
