import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Role } from '../../directory/records.ts';
import { setPower } from '../../domain/accounts/accounts/powers.ts';
import type { TestClient } from '../../testing/clients/client.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
let administrator: TestClient;
before(async () => {
  server = await startTestServer();
  administrator = await server.user({ role: Role.administrator });
});
after(() => server.stop());

const PATH = '/realm/domains';
const add = (domain: string, allow_subdomains = false) => server.owner.ok('POST', PATH, { domain, allow_subdomains });

// rules: invitations-17
test('owners can add, change and remove domains; users receive them at register and by events', async () => {
  const queue = await administrator.register({ event_types: ['realm_domains'] });
  const { new_domain } = await add(' Acme.Example.COM ');
  assert.equal(new_domain[1], 'acme.example.com');
  await server.owner.ok('PATCH', `${PATH}/acme.example.com`, { allow_subdomains: true });
  const domains = [{ domain: 'acme.example.com', allow_subdomains: true }];
  assert.deepEqual((await administrator.ok('GET', PATH)).domains, domains);
  assert.deepEqual((await administrator.register({ event_types: ['realm_domains'] })).state.realm_domains, domains);
  await server.owner.ok('DELETE', `${PATH}/acme.example.com`);
  const events = (await queue.take(3)).map(({ id: _, type: __, ...event }) => event);
  assert.deepEqual(events, [
    { op: 'add', realm_domain: { domain: 'acme.example.com', allow_subdomains: false } },
    { op: 'change', realm_domain: { domain: 'acme.example.com', allow_subdomains: true } },
    { op: 'remove', domain: 'acme.example.com' },
  ]);
});

test('invalid and duplicate domains are refused, and so are changes of unknown domains', async () => {
  const refusal = async (method: string, path: string, fields = {}) =>
    (await server.owner.fails(method, path, fields)).msg;
  const invalid = { '': "Domain can't be empty.", com: 'Domain must have at least one dot (.)' };
  for (const [domain, why] of Object.entries(invalid)) {
    assert.equal(await refusal('POST', PATH, { domain, allow_subdomains: true }), `Invalid domain: ${why}`);
  }
  for (const domain of ['.a.example', 'a..example', '-a.example', 'a_b.example', `${'a'.repeat(64)}.example`]) {
    assert.match(await refusal('POST', PATH, { domain, allow_subdomains: true }), /^Invalid domain: /);
  }
  await add('twice.example');
  assert.equal(
    await refusal('POST', PATH, { domain: 'TWICE.example', allow_subdomains: true }),
    'The domain twice.example is already a part of your organization.',
  );
  const unknown = 'No entry found for domain none.example.';
  assert.equal(await refusal('PATCH', `${PATH}/none.example`, { allow_subdomains: true }), unknown);
  assert.equal(await refusal('DELETE', `${PATH}/none.example`), unknown);
});

// rules: invitations-17
test('with a domain restriction, other addresses cannot be invited; removing the last domain lifts the restriction', async () => {
  for (const { domain } of (await server.owner.ok('GET', PATH)).domains)
    await server.owner.ok('DELETE', `${PATH}/${domain}`);
  await add('narrow.example');
  await add('wide.example', true);
  await server.owner.ok('PATCH', '/realm', { emails_restricted_to_domains: true });
  const emails = [
    'a@narrow.example',
    'a@sub.narrow.example',
    'a@sub.wide.example',
    'a+b@wide.example',
    'a@evilwide.example',
  ];
  const { errors } = await server.owner.fails('POST', '/invites', { invitee_emails: emails.join(','), stream_ids: [] });
  assert.deepEqual(errors, [
    ['a@sub.narrow.example', 'Outside your domain.', false],
    ['a+b@wide.example', 'Email addresses containing + are not allowed.', false],
    ['a@evilwide.example', 'Outside your domain.', false],
  ]);
  const queue = await administrator.register({ event_types: ['realm'] });
  await server.owner.ok('DELETE', `${PATH}/narrow.example`);
  await server.owner.ok('DELETE', `${PATH}/wide.example`);
  const updates = (await queue.now()).map(({ property, value }) => [property, value]);
  assert.deepEqual(updates, [['emails_restricted_to_domains', false]]);
});

describe('disposable email addresses', () => {
  const DISPOSABLE = ['a@mailinator.com', 'a@MAILINATOR.com', 'a@box.mailinator.com', 'a@yopmail.com'];
  const REFUSAL = 'Please use your real email address.';

  // rules: invitations-13
  test('cannot be invited', async () => {
    const invitee_emails = [...DISPOSABLE, 'a@example.com'].join(',');
    const { errors } = await server.owner.fails('POST', '/invites', { invitee_emails, stream_ids: [] });
    assert.deepEqual(
      errors,
      ['a@mailinator.com', 'a@box.mailinator.com', 'a@yopmail.com'].map((email) => [email, REFUSAL, false]),
    );
  });

  // rules: invitations-13
  test('cannot be set by an existing user or used for a new account', async () => {
    for (const email of DISPOSABLE) {
      assert.equal((await administrator.fails('PATCH', '/settings', { email })).msg, REFUSAL);
    }
    const home = await server.app.organizations.bySubdomain('');
    assert(home !== undefined);
    await setPower(server.app, home, administrator.userId, { power: 'create-users', isGiven: true });
    const account = { email: 'a@mailinator.com', full_name: 'A Name', password: 'shuttle over warp' };
    assert.equal(
      (await administrator.fails('POST', '/users', account)).msg,
      'Disposable email addresses are not allowed in this organization',
    );
  });

  // rules: invitations-13
  test('are allowed if owners disable the setting or add the domain', async () => {
    const { state } = await administrator.register({ event_types: ['realm'] });
    assert.equal(state.realm_disallow_disposable_email_addresses, true);
    await server.owner.ok('PATCH', '/realm', { disallow_disposable_email_addresses: false });
    await server.owner.ok('POST', '/invites', { invitee_emails: 'b@mailinator.com', stream_ids: [] });
    await server.owner.ok('PATCH', '/realm', { disallow_disposable_email_addresses: true });
    await add('mailinator.com');
    await server.owner.ok('PATCH', '/realm', { emails_restricted_to_domains: true });
    await server.owner.ok('POST', '/invites', { invitee_emails: 'c@mailinator.com', stream_ids: [] });
    await server.owner.ok('PATCH', '/realm', { emails_restricted_to_domains: false });
  });
});

// rules: invitations-13
test('with a domain restriction, administrators cannot create users with other addresses', async () => {
  const home = await server.app.organizations.bySubdomain('');
  assert(home !== undefined);
  await setPower(server.app, home, administrator.userId, { power: 'create-users', isGiven: true });
  await add('inside.example');
  await server.owner.ok('PATCH', '/realm', { emails_restricted_to_domains: true });
  const refusal = async (email: string) =>
    (await administrator.fails('POST', '/users', { email, full_name: 'A Name', password: 'shuttle over warp' })).msg;
  assert.equal(await refusal('a@outside.example'), "Email 'a@outside.example' not allowed in this organization");
  assert.equal(await refusal('a+b@inside.example'), 'Email addresses containing + are not allowed.');
  await server.owner.ok('PATCH', '/realm', { emails_restricted_to_domains: false });
});
