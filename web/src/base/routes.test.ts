import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashOf, type Route, routeOf } from './routes.ts';

const lookups = {
  channelIdOf: () => undefined,
  userIdOf: () => undefined,
  channelName: () => 'design',
  userName: () => 'Ada',
};

test('each view has a fragment that leads back to it', () => {
  const routes: readonly Route[] = [
    { view: 'inbox' },
    { view: 'feed' },
    { view: 'narrow', narrow: [{ operator: 'channel', operand: 5 }] },
    { view: 'topics', channelId: 5 },
    { view: 'new-message' },
    { view: 'search' },
    { view: 'share', what: 'text', text: 'read this: https://example.com/a?b=1#c 100 %' },
    { view: 'share', what: 'files', text: 'a photo' },
    { view: 'share', what: 'kept', text: '' },
    { view: 'channels', tab: 'available' },
    { view: 'channel', channelId: 5, tab: 'subscribers' },
    { view: 'groups', tab: 'all' },
    { view: 'group', groupId: 9 },
    { view: 'user', userId: 3 },
    { view: 'settings', section: 'profile' },
    { view: 'settings', section: 'integrations', tab: 'github' },
    { view: 'organization', section: '' },
    { view: 'organization', section: 'users', tab: 'deactivated' },
  ];
  for (const route of routes) assert.deepEqual(routeOf(hashOf(route, lookups), lookups), route);
});

test('fragments of older clients show the same views', () => {
  assert.deepEqual(routeOf('#all_messages', lookups), { view: 'feed' });
  assert.deepEqual(routeOf('#streams/5/design', lookups), { view: 'channel', channelId: 5, tab: 'general' });
  assert.deepEqual(routeOf('#streams/all', lookups), { view: 'channels', tab: 'available' });
  assert.deepEqual(routeOf('#channels/notsubscribed', lookups), { view: 'channels', tab: 'available' });
  assert.deepEqual(routeOf('#settings/display-settings', lookups), { view: 'settings', section: 'preferences' });
  assert.deepEqual(routeOf('#settings/bots', lookups), { view: 'settings', section: 'your-bots' });
  assert.deepEqual(routeOf('#organization/bots/your-bots', lookups), { view: 'settings', section: 'your-bots' });
  assert.deepEqual(routeOf('#organization/bot-list-admin', lookups), { view: 'organization', section: 'bots' });
  assert.deepEqual(routeOf('#organization/users/invitations', lookups), { view: 'invite' });
  assert.deepEqual(routeOf('#organization/linkifier-settings', lookups), {
    view: 'organization',
    section: 'linkifier-settings',
  });
  assert.deepEqual(routeOf('#user-profile/3', lookups), { view: 'user', userId: 3 });
  assert.deepEqual(routeOf('#user-profile/3-Ada/', lookups), { view: 'user', userId: 3 });
  assert.deepEqual(routeOf('#user/3/channels', lookups), { view: 'user', userId: 3 });
  assert.deepEqual(routeOf('#settings/your-account', lookups), { view: 'settings', section: 'account-and-privacy' });
  assert.deepEqual(routeOf('#settings/user-list-admin', lookups), { view: 'organization', section: 'users' });
  assert.deepEqual(routeOf('#administration/organization-profile', lookups), {
    view: 'organization',
    section: 'organization-profile',
  });
  assert.deepEqual(routeOf('#streams/subscribed/', lookups), { view: 'channels', tab: 'subscribed' });
  assert.deepEqual(routeOf('#home', lookups), { view: 'feed' });
  const ofChannel = { view: 'narrow', narrow: [{ operator: 'channel', operand: 5 }] };
  assert.deepEqual(routeOf('#narrow/stream/5-design', lookups), ofChannel);
  assert.deepEqual(routeOf('#narrow/pm-with/3-user/', lookups), {
    view: 'narrow',
    narrow: [{ operator: 'dm', operand: [3] }],
  });
  assert.equal(routeOf('', lookups), undefined);
  assert.deepEqual(routeOf('#share', lookups), { view: 'share', what: 'kept', text: '' });
  assert.deepEqual(routeOf('#share/text/%E0%A4%A', lookups), { view: 'share', what: 'text', text: '' });
  assert.deepEqual(routeOf('#nothing', lookups), { view: 'unknown', hash: '#nothing' });
});
