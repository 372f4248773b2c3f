import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { Role } from '../../../directory/records.ts';
import type { Fields, TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { mailsOf } from '../../../testing/server/mails.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let administrator: TestClient;
let moderator: TestClient;
let member: TestClient;
let guest: TestClient;
before(async () => {
  server = await startTestServer();
  administrator = await server.user({ role: Role.administrator });
  moderator = await server.user({ role: Role.moderator });
  member = await server.user({ name: 'Mia Member' });
  guest = await server.user({ role: Role.guest });
  await allow('create_multiuse_invite_group', 'role:members');
});
after(() => server.stop());

async function allow(permission: string, group: string): Promise<void> {
  const { user_groups } = await server.owner.ok('GET', '/user_groups');
  const { id } = user_groups.find(({ name }: Json) => name === group);
  await server.owner.ok('PATCH', '/realm', { [permission]: { new: id } });
}

const LINK = '/invites/multiuse';
const link = async (client: TestClient, fields: Fields = {}): Promise<string> =>
  (await client.ok('POST', LINK, fields)).invite_link;
const refusal = async (client: TestClient, path: string, fields: Fields = {}, method = 'POST') => {
  const { code, msg } = await client.fails(method, path, fields);
  return [code, msg];
};
const invites = async (client: TestClient): Promise<Json[]> => (await client.ok('GET', '/invites')).invites;
const newest = async (client: TestClient): Promise<Json> => (await invites(client)).at(-1);
const minutes = ({ expiry_date, invited }: Json) => (expiry_date === null ? null : (expiry_date - invited) / 60);
const insufficient = ['BAD_REQUEST', 'Insufficient permission'];

describe('POST /invites/multiuse', () => {
  // rules: invitations-1
  test('returns a new link with a random key', async () => {
    const made = await link(member);
    assert.match(made, new RegExp(`^${server.url}/join/[a-z2-7]{32}/$`));
    assert.notEqual(made, await link(member));
  });

  // rules: invitations-2
  test('the link expires after the given minutes, never with null, and after ten days by default', async () => {
    const expected = [
      [{ invite_expires_in_minutes: 5 }, 5],
      [{ invite_expires_in_minutes: null }, null],
      [{}, 14_400],
    ] as const;
    for (const [fields, least] of expected) {
      await link(member, fields);
      assert.equal(minutes(await newest(member)), least);
    }
    for (const invite_expires_in_minutes of [0, -1, 'soon', 2_147_483_648]) {
      assert.equal((await refusal(member, LINK, { invite_expires_in_minutes }))[0], 'BAD_REQUEST');
    }
  });

  // rules: invitations-3
  test('users cannot invite to a role above their own, and the default role is member', async () => {
    await link(member);
    assert.equal((await newest(member)).invited_as, 400);
    const mayInviteAs: readonly (readonly [TestClient, readonly number[]])[] = [
      [server.owner, [100, 200, 300, 400, 600]],
      [administrator, [200, 300, 400, 600]],
      [moderator, [300, 400, 600]],
      [member, [400, 600]],
    ];
    for (const [client, roles] of mayInviteAs) {
      for (const invite_as of [100, 200, 300, 400, 600]) {
        if (roles.includes(invite_as)) await link(client, { invite_as });
        else {
          const role = invite_as === 100 ? 'owner' : 'administrator';
          const expected = ['BAD_REQUEST', `Must be an organization ${role}`];
          assert.deepEqual(await refusal(client, LINK, { invite_as }), expected);
        }
      }
    }
    for (const invite_as of [0, 150, 500, 1000]) {
      assert.equal((await refusal(server.owner, LINK, { invite_as }))[0], 'BAD_REQUEST');
    }
  });

  // rules: invitations-4
  test('channels must be default channels, or channels to which the caller can subscribe others; hidden ones are not found', async () => {
    const open = await server.emptyChannel(server.owner, 'open');
    const closed = await server.emptyChannel(server.owner, 'closed', { invite_only: true });
    await link(member, { stream_ids: [open] });
    for (const id of [closed, 99_999]) {
      const expected = ['BAD_REQUEST', `Invalid channel ID ${id}. No invites were sent.`];
      assert.deepEqual(await refusal(member, LINK, { stream_ids: [open, id] }), expected);
    }
    await allow('can_add_subscribers_group', 'role:administrators');
    const cannot = ['BAD_REQUEST', 'You do not have permission to subscribe other users to channels.'];
    assert.deepEqual(await refusal(member, LINK, { stream_ids: [open] }), cannot);
    const { streams } = await member.ok('GET', '/streams');
    const general = streams.find(({ name }: Json) => name === 'general').stream_id;
    await link(member, { stream_ids: [general] });
    await allow('can_add_subscribers_group', 'role:members');
  });

  // rules: invitations-5
  test('groups must be such that the caller can add members to them', async () => {
    await server.owner.ok('POST', '/user_groups/create', { name: 'weavers', description: '', members: [] });
    const { user_groups } = await server.owner.ok('GET', '/user_groups');
    const { id } = user_groups.find(({ name }: Json) => name === 'weavers');
    await link(server.owner, { group_ids: [id] });
    assert.deepEqual(await refusal(member, LINK, { group_ids: [id] }), insufficient);
    assert.deepEqual(await refusal(server.owner, LINK, { group_ids: [99_999] }), ['BAD_REQUEST', 'Invalid user group']);
  });

  // rules: invitations-7
  test('only administrators set the welcome bot’s text, of at most 8000 characters', async () => {
    await link(administrator, { welcome_message_custom_text: 'x'.repeat(8000) });
    await link(member, { welcome_message_custom_text: null });
    const expected = ['BAD_REQUEST', 'Must be an organization administrator'];
    assert.deepEqual(await refusal(member, LINK, { welcome_message_custom_text: 'Hi' }), expected);
    assert.deepEqual(await refusal(member, LINK, { welcome_message_custom_text: '' }), expected);
    const long = { welcome_message_custom_text: 'x'.repeat(8001) };
    assert.equal((await refusal(administrator, LINK, long))[0], 'BAD_REQUEST');
  });

  // rules: invitations-1
  test('requires a permission of the organization, and refuses guests', async () => {
    assert.deepEqual(await refusal(guest, LINK), ['BAD_REQUEST', 'Not allowed for guest users']);
    await allow('create_multiuse_invite_group', 'role:administrators');
    assert.deepEqual(await refusal(member, LINK), insufficient);
    await link(administrator);
    await allow('create_multiuse_invite_group', 'role:members');
  });
});

describe('POST /invites', () => {
  const invite = (client: TestClient, invitee_emails: string, fields: Fields = {}) =>
    client.ok('POST', '/invites', { invitee_emails, stream_ids: [], ...fields });
  const failed = (client: TestClient, invitee_emails: string, fields: Fields = {}) =>
    client.fails('POST', '/invites', { invitee_emails, stream_ids: [], ...fields });

  // rules: invitations-15
  test('mails each distinct address its own link', async () => {
    const before = (await mailsOf(server)).length;
    await invite(member, 'a1@example.com, Bea <b1@example.com>\nA1@example.com,\n c1@example.com ');
    const mails = (await mailsOf(server)).slice(before);
    assert.deepEqual(mails.map(({ to }) => to).sort(), ['a1@example.com', 'b1@example.com', 'c1@example.com']);
    assert.equal(new Set(mails.map(({ path }) => path)).size, 3);
    for (const { path, subject, body } of mails) {
      assert.match(path, /^\/accounts\/do_confirm\/[a-z2-7]{32}$/);
      assert.equal(subject, 'Mia Member has invited you to join Organization');
      assert.match(body, /Mia Member \(user\d+@example.com\) invites you to join the team chat of Organization/);
    }
    const listed = (await invites(member)).filter(({ is_multiuse }) => !is_multiuse);
    assert.deepEqual(listed.map(({ email }) => email).sort(), ['a1@example.com', 'b1@example.com', 'c1@example.com']);
  });

  // rules: invitations-15
  test('an invalid address means that no user is invited', async () => {
    const before = (await mailsOf(server)).length;
    const body = await failed(member, `fine@example.com,not one,${guest.email}`);
    assert.equal(body.code, 'INVITATION_FAILED');
    assert.deepEqual(body.errors, [
      ['not one', 'Invalid address.', false],
      [guest.email, 'Already has an account.', false],
    ]);
    assert.deepEqual(
      [body.sent_invitations, body.license_limit_reached, body.daily_limit_reached],
      [false, false, false],
    );
    assert.equal((await mailsOf(server)).length, before);
  });

  test('a very long run of brackets is one invalid address', async () => {
    const brackets = '<'.repeat(100_000);
    const { errors } = await failed(member, brackets);
    assert.deepEqual(errors, [[brackets, 'Invalid address.', false]]);
  });

  // rules: invitations-15
  test('existing users are left out, and all other addresses are invited', async () => {
    const body = await failed(member, `fine2@example.com,${guest.email.toUpperCase()},welcome-bot@zulip.com`);
    assert.equal(body.code, 'INVITATION_FAILED');
    assert.equal(body.sent_invitations, true);
    assert.deepEqual(body.errors, [
      [guest.email.toUpperCase(), 'Already has an account.', false],
      ['welcome-bot@zulip.com', 'Reserved for system bots.', false],
    ]);
    assert.equal((await mailsOf(server)).at(-1)?.to, 'fine2@example.com');
    const nobody = await failed(member, guest.email);
    assert.deepEqual([nobody.msg, nobody.sent_invitations], ["We weren't able to invite anyone.", false]);
  });

  test('refuses missing parameters and insufficient permissions', async () => {
    assert.equal((await failed(member, ' ')).msg, 'You must specify at least one email address.');
    assert.equal((await member.fails('POST', '/invites', { invitee_emails: 'x@example.com' })).var_name, 'stream_ids');
    assert.equal((await failed(guest, 'x@example.com')).msg, 'Not allowed for guest users');
    await allow('can_invite_users_group', 'role:administrators');
    assert.equal((await failed(member, 'x@example.com')).msg, 'Insufficient permission');
    await invite(administrator, 'x@example.com');
    await allow('can_invite_users_group', 'role:members');
    assert.equal((await failed(member, 'y@example.com', { invite_as: 200 })).code, 'BAD_REQUEST');
  });

  // rules: invitations-15
  test('an organization sends a limited number of invitation mails per day, resent ones included', async () => {
    const small = await startTestServer({ environment: { HEDDLE_INVITATIONS_PER_DAY: '3' } });
    try {
      await invite(small.owner, 'a@example.com,b@example.com');
      const body = await failed(small.owner, 'c@example.com,d@example.com');
      assert.deepEqual(
        [body.code, body.daily_limit_reached, body.sent_invitations],
        ['INVITATION_FAILED', true, false],
      );
      const { id } = await newest(small.owner);
      await small.owner.ok('POST', `/invites/${id}/resend`);
      assert.equal((await small.owner.fails('POST', `/invites/${id}/resend`)).daily_limit_reached, true);
      await sql`UPDATE invitations SET mailed_at = ARRAY[now() - interval '25 hours']`.execute(small.app.db);
      await invite(small.owner, 'c@example.com,d@example.com');
      assert.equal((await mailsOf(small)).length, 5);
    } finally {
      await small.stop();
    }
  });
});

describe('open invitations', () => {
  // rules: invitations-16
  test('are listed for their creator and for administrators, with all fields', async () => {
    const made = await link(member, { invite_as: 600 });
    const of = (client: TestClient) => invites(client).then((list) => list.find((one) => one.link_url === made));
    const listed = await of(member);
    assert.deepEqual(listed, {
      id: listed.id,
      invited_by_user_id: member.userId,
      invited: listed.invited,
      expiry_date: listed.invited + 864_000,
      invited_as: 600,
      is_multiuse: true,
      link_url: made,
    });
    assert.deepEqual(await of(administrator), listed);
    assert.equal(await of(moderator), undefined);
    assert.deepEqual(await refusal(guest, '/invites', {}, 'GET'), ['BAD_REQUEST', 'Not allowed for guest users']);
  });

  // rules: invitations-3, invitations-16
  test('a reusable link shows itself to nobody with a weaker role than it gives', async () => {
    const made = await link(server.owner, { invite_as: 100 });
    const isShownTo = async (client: TestClient) => (await invites(client)).some((one) => one.link_url === made);
    assert.deepEqual(await Promise.all([server.owner, administrator].map(isShownTo)), [true, false]);
    const forAdministrators = await link(server.owner, { invite_as: 200 });
    assert((await invites(administrator)).some((one) => one.link_url === forAdministrators));
  });

  // rules: invitations-18
  test('are a fifth of those of the organization at most, for an inviter who is no administrator', async () => {
    const inviter = await server.user();
    await link(inviter);
    await sql`
      INSERT INTO invitations (organization_id, inviter_id, role, channel_ids, group_ids, with_defaults, tells_inviter, nonce, key_hash)
      SELECT organization_id, inviter_id, role, channel_ids, group_ids, with_defaults, tells_inviter, nonce,
             decode(lpad(number::text, 64, '0'), 'hex')
        FROM invitations, generate_series(1, 999) AS number WHERE inviter_id = ${inviter.userId}`.execute(
      server.app.db,
    );
    const expected = ['BAD_REQUEST', 'Too many invitations are open; revoke some that nobody needs any more.'];
    assert.deepEqual(await refusal(inviter, LINK), expected);
    await link(member);
    await inviter.ok('DELETE', `${LINK}/${(await newest(inviter)).id}`);
    await link(inviter);
    await sql`DELETE FROM invitations WHERE inviter_id = ${inviter.userId}`.execute(server.app.db);
  });

  // rules: invitations-16
  test('are revoked by their creator and administrators; those to owner only by owners', async () => {
    const revoking = async (by: TestClient, of: TestClient, fields: Fields = {}) => {
      await link(of, fields);
      const { id } = await newest(of);
      return [id, await by.call('DELETE', `${LINK}/${id}`)] as const;
    };
    const [, own] = await revoking(member, member);
    const [, byAdministrator] = await revoking(administrator, member);
    assert.deepEqual([own.status, byAdministrator.status], [200, 200]);
    const [id, byOther] = await revoking(moderator, member);
    assert.deepEqual([byOther.status, byOther.body.msg], [400, 'Must be an organization administrator']);
    const [, ofOwner] = await revoking(administrator, server.owner, { invite_as: 100 });
    assert.equal(ofOwner.body.code, 'UNAUTHORIZED_PRINCIPAL');
    await member.ok('DELETE', `${LINK}/${id}`);
    assert.equal((await member.fails('DELETE', `${LINK}/${id}`)).msg, 'Invitation has already been revoked');
    assert.equal((await member.fails('DELETE', `/invites/${id}`)).msg, 'No such invitation');
    assert.equal((await member.fails('DELETE', `${LINK}/9999999999`)).msg, 'No such invitation');
    assert(!(await invites(member)).some((one) => one.id === id));
  });

  // rules: invitations-16
  test('are resent by mail with the same link, until they end', async () => {
    await member.ok('POST', '/invites', { invitee_emails: 'again@example.com', stream_ids: [] });
    const { id } = await newest(member);
    assert.deepEqual(await member.ok('POST', `/invites/${id}/resend`), { result: 'success', msg: '' });
    const [first, second] = (await mailsOf(server)).filter(({ to }) => to === 'again@example.com');
    assert(first !== undefined && first.path !== '');
    assert.equal(first.path, second?.path);
    assert.equal((await moderator.fails('POST', `/invites/${id}/resend`)).msg, 'Must be an organization administrator');
    await member.ok('DELETE', `/invites/${id}`);
    assert.equal((await member.fails('POST', `/invites/${id}/resend`)).msg, 'No such invitation');
    await link(member);
    assert.equal(
      (await member.fails('POST', `/invites/${(await newest(member)).id}/resend`)).msg,
      'No such invitation',
    );
  });

  // rules: invitations-16
  test('notify administrators and the inviter of changes, and no other users', async () => {
    const clients = [member, administrator, server.owner, moderator, guest];
    const queues = await Promise.all(clients.map((one) => one.register({ event_types: ['invites_changed'] })));
    await link(member);
    await member.ok('DELETE', `${LINK}/${(await newest(member)).id}`);
    const received = await Promise.all(queues.map(async (queue) => (await queue.now()).map(({ type }) => type)));
    const both = ['invites_changed', 'invites_changed'];
    assert.deepEqual(received, [both, both, both, [], []]);
  });

  test('are not readable from a copy of the database', async () => {
    const made = await link(member);
    const key = new URL(made).pathname.split('/')[2] ?? '';
    const { rows } = await sql<{ text: string }>`
      SELECT to_jsonb(invitations)::text || encode(nonce, 'escape') AS text FROM invitations`.execute(server.app.db);
    assert(rows.length > 0 && rows.every(({ text }) => !text.includes(key)));
    await member.ok('POST', '/invites', { invitee_emails: 'quiet@example.com', stream_ids: [] });
    const { rows: jobs } = await sql<{ text: string }>`SELECT payload::text AS text FROM jobs`.execute(server.app.db);
    assert(jobs.every(({ text }) => !/[a-z2-7]{32}/.test(text)));
  });
});

test('POST /realm/test_welcome_bot_custom_message shows an administrator the message that new users receive', async () => {
  const PATH = '/realm/test_welcome_bot_custom_message';
  const { message_id } = await administrator.ok('POST', PATH, { welcome_message_custom_text: 'Read the **rules**' });
  const { message } = await administrator.ok('GET', `/messages/${message_id}`);
  assert.deepEqual(
    [message.sender_full_name, message.content],
    ['Welcome Bot', '<p>Read the <strong>rules</strong></p>'],
  );
  assert.equal(
    (await administrator.fails('POST', PATH, { welcome_message_custom_text: '' })).msg,
    'Message must not be empty',
  );
  assert.equal((await member.fails('POST', PATH, { welcome_message_custom_text: 'x' })).code, 'UNAUTHORIZED_PRINCIPAL');
  // An owner too sees the greeting of members.
  const { owner } = server;
  const { message_id: ofOwner } = await owner.ok('POST', PATH, { welcome_message_custom_text: 'Read the **rules**' });
  const { messages } = await owner.ok('GET', '/messages', { anchor: ofOwner, num_before: 1, num_after: 0 });
  assert.match(messages[0].content, /#channels\/available/);
  assert.doesNotMatch(messages[0].content, /#invite/);
});
