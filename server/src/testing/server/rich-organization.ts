/** An organization with every kind of data. */
import { uploadAvatar } from '@heddle/api/endpoints/avatars.ts';
import { uploadCustomEmoji } from '@heddle/api/endpoints/custom-emoji.ts';
import { uploadIcon } from '@heddle/api/endpoints/organization-pictures.ts';
import { sql } from 'kysely';
import { Role } from '../../directory/records.ts';
import { presencesOf } from '../../domain/presence/queries.ts';
import { movingPicture } from '../access/access-scene.ts';
import { callAs } from '../access/call-as.ts';
import type { TestClient } from '../clients/client.ts';
import type { Json } from '../clients/json.ts';
import { upload } from '../clients/user-files.ts';
import { HiddenPeople } from './hidden-people.ts';
import type { TestServer } from './server.ts';

/** The owner and Ada consent to the export of their private data; Bo and Cy do not. */
export interface RichOrganization {
  readonly server: TestServer;
  readonly owner: TestClient;
  readonly ada: TestClient;
  readonly bo: TestClient;
  readonly cy: TestClient;
}

/** Fills the organization at the root domain. Every table of an export has rows then. */
export async function richOrganization(server: TestServer): Promise<RichOrganization> {
  const { owner } = server;
  const people = {
    ...{ server, owner, ada: await server.user({ name: 'Ada' }) },
    ...{ bo: await server.user({ name: 'Bo' }), cy: await server.user({ name: 'Cy' }) },
  };
  for (const one of [owner, people.ada]) await one.ok('PATCH', '/settings', { allow_private_data_export: true });
  await furnish(people);
  await fillChannels(people);
  await keepOwnThings(people);
  await server.app.jobs.settled();
  return people;
}

/** Creates data of the organization as a whole. */
async function furnish({ server, owner, bo }: RichOrganization): Promise<void> {
  await callAs(server.url, owner, uploadIcon, {}, await movingPicture());
  await callAs(server.url, owner, uploadCustomEmoji, { emoji_name: 'loom' }, await movingPicture());
  await callAs(server.url, bo, uploadAvatar, {}, await movingPicture());
  await owner.ok('POST', '/realm/filters', { pattern: '#(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' });
  await owner.ok('POST', '/realm/playgrounds', {
    ...{ name: 'Rust', pygments_language: 'Rust', url_template: 'https://play.example.com/?code={code}' },
  });
  await owner.ok('POST', '/realm/domains', { domain: 'example.org', allow_subdomains: false });
  const { id: field } = await owner.ok('POST', '/realm/profile_fields', { name: 'Trade', field_type: 1 });
  await bo.ok('PATCH', '/users/me/profile_data', { data: [{ id: field, value: 'weaver' }] });
  await owner.ok('POST', '/user_groups/create', { name: 'weavers', description: 'at looms', members: [bo.userId] });
  await owner.ok('POST', '/channel_folders/create', { name: 'Looms', description: 'all of them' });
  await owner.ok('POST', '/invites', { invitee_emails: 'new@example.com', stream_ids: [] });
  await bo.ok('POST', '/users/me/status', { status_text: 'at the loom' });
}

/** Texts with `secret` must be in no export. Texts with `private` must be in full exports only. */
async function fillChannels({ server, owner, ada, bo, cy }: RichOrganization): Promise<void> {
  await server.emptyChannel(owner, 'square', { principals: [ada.userId, bo.userId, cy.userId] });
  const square = await ada.send('square', 'warp', 'an open message');
  await ada.ok('PATCH', `/messages/${square}`, { content: 'an open message, edited' });
  await bo.ok('POST', `/messages/${square}/reactions`, { emoji_name: 'octopus' });
  await bo.ok('POST', `/messages/${square}/pin`, { place: 'topic' });
  await bo.send('square', 'warp', '@**all** come to the loom');
  await sql`
    INSERT INTO mass_mentions SELECT organization_id, id, 1, '\\x01' FROM messages WHERE mentions_channel`.execute(
    server.app.db,
  );
  const poll = await bo.send('square', 'poll', '/poll Which?\nwarp\nweft');
  const vote = { type: 'vote', key: 'canned,0', vote: 1 };
  await ada.ok('POST', '/submessage', { message_id: poll, msg_type: 'widget', content: JSON.stringify(vote) });
  await bo.send('square', 'files', `see [notes](${await upload(server.url, bo, 'open file')})`);

  await server.emptyChannel(bo, 'cellar', { principals: [cy.userId], invite_only: true });
  await bo.send('cellar', 'x', `secret of the cellar [x](${await upload(server.url, bo, 'secret file')})`);
  await server.emptyChannel(bo, 'study', {
    ...{ principals: [ada.userId, cy.userId], invite_only: true, history_public_to_subscribers: true },
  });
  await bo.send('study', 'x', `private in the study [x](${await upload(server.url, bo, 'private file')})`);
  const vault = { invite_only: true, history_public_to_subscribers: false };
  await server.emptyChannel(bo, 'vault', { ...vault, principals: [cy.userId] });
  await bo.send('vault', 'x', 'secret before Ada came');
  await bo.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'vault' }], principals: [ada.userId] });
  await bo.send('vault', 'x', 'private while Ada was there');
  await ada.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['square'] });
  await ada.subscribe('square');

  await bo.direct([cy.userId], 'secret between Bo and Cy');
  await bo.direct([ada.userId], 'private for Ada');
  await new HiddenPeople(server).hide(true);
  const guest = await server.user({ role: Role.guest });
  await ada.direct([guest.userId], 'private for a guest');
}

/** Ada and Bo store the same kinds of data: those of Ada are `private`, those of Bo `secret`. */
async function keepOwnThings({ server, ada, bo, cy }: RichOrganization): Promise<void> {
  const { id } = await ada.ok('POST', '/channels/create', { name: 'corner', subscribers: [ada.userId, bo.userId] });
  const at = Math.floor(Date.now() / 1000) + 10_000;
  for (const [one, word] of [
    [ada, 'private'],
    [bo, 'secret'],
  ] as const) {
    const content = `${word} text`;
    await one.ok('POST', '/drafts', { drafts: [{ type: 'stream', to: [id], topic: 'x', content }] });
    await one.ok('POST', '/saved_snippets', { title: 'title', content });
    const scheduled = { type: 'channel', to: id, topic: 'x', content, scheduled_delivery_timestamp: at };
    await one.ok('POST', '/scheduled_messages', scheduled);
    const message = await one.send(Number(id), 'x', 'in the corner');
    await one.ok('POST', '/reminders', { message_id: message, note: content, scheduled_delivery_timestamp: at });
    await one.ok('POST', '/messages/flags', { messages: [message], op: 'add', flag: 'starred' });
    await one.ok('POST', '/users/me/alert_words', { alert_words: [`${word}-word`] });
    await one.ok('POST', `/users/me/muted_users/${cy.userId}`);
    await one.ok('POST', '/navigation_views', { fragment: `narrow/${word}`, is_pinned: true, name: content });
    await one.ok('POST', '/users/me/onboarding_steps', { onboarding_step: 'intro_resolve_topic' });
    await one.ok('POST', '/user_topics', { stream_id: id, topic: `${word} topic`, visibility_policy: 3 });
    await one.ok('POST', '/users/me/presence', { status: 'active' });
    await one.ok('PATCH', '/users/me/quiet_hours', { schedule: [{ days: [1], from: 0, to: 60 }] });
    await upload(server.url, one, `${word} unlinked file`);
    const { user_id: bot, api_key: apiKey } = await one.ok('POST', '/bots', {
      full_name: `Bot of ${one.name}`,
      short_name: one.name,
    });
    const { members } = await one.ok('GET', '/users');
    const { email } = members.find((user: Json) => user.user_id === bot);
    const storage = JSON.stringify({ [content]: content });
    const headers = { authorization: `Basic ${btoa(`${email}:${apiKey}`)}` };
    await fetch(`${server.url}/api/v1/bot_storage`, { method: 'PUT', headers, body: new URLSearchParams({ storage }) });
  }
  const organization = await server.app.organizations.bySubdomain('');
  if (organization !== undefined) await presencesOf(server.app, organization).flush();
}
