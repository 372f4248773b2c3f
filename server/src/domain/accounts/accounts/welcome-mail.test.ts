import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { mailsOf } from '../../../testing/server/mails.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { setPower } from './powers.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer({ environment: { HEDDLE_LOG_LEVEL: 'silent' } });
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  await setPower(server.app, organization, server.owner.userId, { power: 'create-users', isGiven: true });
});
after(() => server.stop());

const create = async (email: string) => {
  await server.owner.ok('POST', '/users', {
    email,
    full_name: 'New Comer',
    password: 'a shuttle flies through the shed',
  });
  return (await mailsOf(server)).filter(({ to }) => to === email);
};

// rules: mail-13
test('a new user receives a welcome mail with what is needed to log in, unless the organization sends none', async () => {
  const [mail, ...others] = await create('one@example.com');
  assert.deepEqual(others, []);
  assert.equal(mail?.subject, 'Welcome to Organization');
  assert.match(mail.body, new RegExp(`Organization: ${server.app.address.of('')}\n`));
  assert.match(mail.body, /Your address: one@example\.com\n/);
  await server.owner.ok('PATCH', '/realm', { send_welcome_emails: false });
  assert.deepEqual(await create('two@example.com'), []);
});
