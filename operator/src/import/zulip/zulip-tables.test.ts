import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { movingPicture } from '@heddle/server/testing/access/access-scene.ts';
import type { TestClient } from '@heddle/server/testing/clients/client.ts';
import type { Json } from '@heddle/server/testing/clients/json.ts';
import { startTestServer, type TestServer } from '@heddle/server/testing/server/server.ts';
import { archiveDirectory, exportTo, importedClient, importForeign } from '../../testing/imported.ts';
import { writeTar } from '../../testing/tar-archives.ts';
import { BO, zulipMessages, zulipTables } from '../../testing/zulip-tables.ts';
import type { Imported } from '../importing.ts';
import { readZulipArchive } from './zulip-archive.ts';

let server: TestServer;
let directory: Awaited<ReturnType<typeof archiveDirectory>>;
let imported: Imported;
let ada: TestClient;
let bo: TestClient;
let cy: TestClient;

before(async () => {
  directory = await archiveDirectory();
  server = await startTestServer();
  const path = join(directory.path, 'zulip-export.tar.gz');
  await writeTar(path, [
    { path: 'zulip-export', type: 'Directory' },
    { path: 'zulip-export/realm.json', content: JSON.stringify(zulipTables, undefined, 2) }, // wire name: its file
    { path: 'zulip-export/messages-000001.json', content: JSON.stringify(zulipMessages) },
    { path: 'zulip-export/analytics.json', content: JSON.stringify({ analytics_usercount: [{ id: 1 }] }) },
    {
      path: 'zulip-export/uploads/records.json',
      content: JSON.stringify([{ path: '2/ab/unlinked.txt', user_profile_id: BO }]),
    },
    { path: 'zulip-export/uploads/2/ab/unlinked.txt', content: 'nobody links to this' },
    { path: 'zulip-export/uploads/2/ab/unnamed.txt', content: 'no record names this' },
    { path: 'zulip-export/realm_icons/2/icon.original', content: await movingPicture() }, // wire name: its folder
    { path: 'zulip-export/link', type: 'SymbolicLink', linkpath: '/etc/passwd' },
  ]);
  imported = await importForeign(server, path, readZulipArchive, { subdomain: 'zulip' });
  [ada, bo, cy] = (await Promise.all(
    ['ada', 'bo', 'cy'].map((name) => importedClient(server, 'zulip', `${name}@example.com`)),
  )) as [TestClient, TestClient, TestClient];
});
after(async () => {
  await server.stop();
  await directory.remove();
});

test('settings of the organization and of users are imported, and those that are not valid have their defaults', async () => {
  const state = await ada.ok('POST', '/register');
  assert.deepEqual(
    [
      ...[state.realm_invite_required, state.realm_waiting_period_threshold, state.realm_topics_policy],
      ...[state.realm_message_content_edit_limit_seconds, state.realm_default_language],
      ...[state.realm_new_stream_announcements_stream_id, state.realm_icon_source], // wire name: the API's
    ],
    [false, 3, 'disable_empty_topic', null, 'en', 1, 'U'],
  );
  const groups = state.realm_user_groups; // wire name: the API's
  const idOf = (name: string) => groups.find((group: Json) => group.name === name)?.id;
  assert.equal(state.realm_can_create_groups, idOf('role:administrators'));
  assert.deepEqual(state.realm_can_invite_users_group, {
    direct_members: [cy.userId],
    direct_subgroups: [idOf('spinners')],
  });
  assert.deepEqual([state.user_settings.enter_sends, state.user_settings.web_font_size_px], [true, 16]);
  const { realm_user_settings_defaults: defaults } = state; // wire name: the API's
  assert.deepEqual([defaults.enter_sends, defaults.web_font_size_px], [true, 14]);
  assert.deepEqual(
    (await ada.ok('GET', '/realm/linkifiers')).linkifiers.map(({ pattern, url_template: url }: Json) => [pattern, url]),
    [['#(?P<id>[0-9]+)', 'https://example.com/{id}']],
  );
  assert.deepEqual(
    state.realm_playgrounds.map(({ name }: Json) => name),
    ['Play'],
  );
  assert.deepEqual(state.realm_domains, [{ domain: 'example.com', allow_subdomains: true }]);
});

test('groups contain groups without cycles, and permissions name the new groups', async () => {
  const { user_groups: groups } = await ada.ok('GET', '/user_groups');
  const [weavers, spinners] = ['weavers', 'spinners'].map((name) => groups.find((group: Json) => group.name === name));
  assert.deepEqual([weavers.members, weavers.direct_subgroup_ids], [[bo.userId], [spinners.id]]);
  assert.deepEqual(spinners.direct_subgroup_ids, []);
  assert.deepEqual(weavers.can_manage_group, { direct_members: [cy.userId], direct_subgroups: [spinners.id] });
  assert.equal(spinners.can_mention_group, weavers.id);
  const { streams: channels } = await ada.ok('GET', '/streams', { include_all: true }); // wire name: the API's
  const [square, attic] = ['square', 'attic'].map((name) => channels.find((channel: Json) => channel.name === name));
  assert.deepEqual(
    [square.can_send_message_group, square.message_retention_days, square.topics_policy, square.folder_id],
    [weavers.id, 30, 'allow_empty_topic', 1],
  );
  assert.equal(square.rendered_description, '<p>For <strong>all</strong></p>');
  assert.deepEqual(attic.can_administer_channel_group, {
    direct_members: [cy.userId],
    direct_subgroups: [spinners.id],
  });
});

test('subscriptions keep their colors and choices', async () => {
  const { subscriptions } = await ada.ok('GET', '/users/me/subscriptions');
  const square = subscriptions.find(({ name }: Json) => name === 'square');
  assert.deepEqual(
    [square.color, square.is_muted, square.pin_to_top, square.push_notifications],
    ['#112233', true, true, true],
  );
});

test('subscribers of a channel with protected history read what they received, and nothing from their absence', async () => {
  const textsOf = async (client: TestClient) => {
    const query = { anchor: 'oldest', num_before: 0, num_after: 100, apply_markdown: false };
    const narrow = JSON.stringify([{ operator: 'channel', operand: 'attic' }]);
    return (await client.ok('GET', '/messages', { ...query, narrow })).messages.map(({ content }: Json) => content);
  };
  assert.deepEqual(await textsOf(cy), ['first of the attic', 'after Cy came back', 'the last one']);
  assert.deepEqual(await textsOf(bo), ['first of the attic', 'while Cy was away']);
  const { unread_msgs: unread } = await cy.ok('POST', '/register');
  assert.equal(unread.count, 1);
});

test('what users keep for themselves is imported with the new ids', async () => {
  const state = await ada.ok('POST', '/register');
  assert.deepEqual(
    state.drafts.map(({ to, topic, content }: Json) => [to, topic, content]),
    [
      [[bo.userId], '', 'to Bo'],
      [[1], 'warp', 'a draft'],
    ],
  );
  assert.deepEqual(
    state.user_topics.map(({ stream_id: id, topic_name: topic, visibility_policy: policy }: Json) => [
      id,
      topic,
      policy,
    ]), // wire name: the API's
    [[1, 'warp', 3]],
  );
  assert.deepEqual(
    state.muted_users.map(({ id }: Json) => id),
    [cy.userId],
  );
  assert.deepEqual(state.alert_words, ['shuttle']);
  assert.deepEqual(
    state.scheduled_messages.map(({ content }: Json) => content),
    ['later'],
  );
  assert.deepEqual(
    state.reminders.map(({ reminder_target_message_id: id }: Json) => id),
    [1],
  );
  assert.deepEqual(
    state.saved_snippets.map(({ content }: Json) => content),
    [`Hi @**Bo|${bo.userId}**`],
  );
  assert.deepEqual(
    state.navigation_views.map(({ fragment }: Json) => fragment),
    ['narrow/channel/1-square'],
  );
  assert.deepEqual(state.user_status[bo.userId]?.status_text, 'weaving');
  assert(!state.onboarding_steps.some(({ name }: Json) => name === 'intro_inbox_view_modal'));
  const { user: profile } = await bo.ok('GET', `/users/${ada.userId}`, { include_custom_profile_fields: true });
  assert.deepEqual(
    Object.values(profile.profile_data).map((one) => (one as Json).value),
    ['[11]', '*weaver*'],
  );
});

test('messages keep their moves, reactions, polls and clients, and bots their owners', async () => {
  const query = { anchor: 'oldest', num_before: 0, num_after: 100, apply_markdown: false };
  const { messages: all } = await bo.ok('GET', '/messages', query);
  const [first, poll] = all;
  assert.deepEqual([first.content, first.client], ['hello @*weavers* #7', 'website']);
  assert.deepEqual(
    first.reactions.map(({ emoji_name: name }: Json) => name),
    ['heart', 'zulip', 'tada'],
  );
  const { message_history: history } = await ada.ok('GET', '/messages/1/history');
  assert.deepEqual(
    history.map(({ content, topic }: Json) => [topic, content]),
    [
      ['weft', 'Hallo'],
      ['weft', 'hello @*weavers* #7'],
      ['warp', 'hello @*weavers* #7'],
    ],
  );
  assert.deepEqual(
    poll.submessages.map(({ sender_id: sender }: Json) => sender),
    [ada.userId, bo.userId],
  );
  const { members } = await ada.ok('GET', '/users');
  assert.equal(members.find(({ full_name: name }: Json) => name === 'Robot').bot_owner_id, bo.userId);
});

test('the report has a line for each table and field that is not imported', () => {
  assert.deepEqual(
    new Map(imported.lines.map(({ what, count }) => [what, count])),
    new Map([
      ['Values of zerver_realm.giphy_rating: Heddle does not have this', 1],
      ['Fields that this version does not know: zerver_realm.looms', 1],
      ['Values of zerver_userprofile.can_forge_sender: only operators of this server can grant it', 1],
      ['Values of zerver_stream.email_token: it belongs to the old server', 1],
      ['Rows of zerver_realmauditlog: Heddle keeps its own log of changes', 2],
      ['Rows of a table that this version does not know: zerver_novelty', 1],
      ['Rows of import_source: it names the program that wrote the archive', 1],
      ['Rows of analytics_usercount: Heddle has no statistics', 1],
      ['Symbolic links and special files', 1],
      ['Files about the old server', 1],
      ['Files of the archive that no object names, or that this version does not know', 1],
      ['Settings of users that are not valid here: they have their defaults', 1],
      ['Settings of the organization that are not valid here: they have their defaults', 1],
      ['Linkifiers whose pattern or address does not work here, or too many', 1],
      ['Domains that are not valid, or too many', 1],
      ['Groups that would contain themselves', 1],
      ['Profile fields that are not valid here, or too many', 1],
      ['Values of profiles that are not valid here', 1],
      ['Muted, unmuted and followed topics of unknown users, that are not valid, or too many', 1],
      ['Alert words of unknown users, that are not valid, or too many', 1],
      ['Parts of polls and to-do lists that are not valid, or too many', 1],
    ]),
  );
});

test('an organization that was imported can be exported', async () => {
  await exportTo(server, join(directory.path, 'again.zip'), 'zulip');
});
