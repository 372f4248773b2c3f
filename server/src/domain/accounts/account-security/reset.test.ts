import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import type { Organization } from '../../../directory/organization.ts';
import type { UserRecord } from '../../../directory/records.ts';
import { Visitor, type VisitorAnswer } from '../../../testing/clients/visitor.ts';
import { mailsOf, type ReadMail } from '../../../testing/server/mails.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { createUser, deactivateUser, setPassword } from '../accounts/actions.ts';

const OLD = 'correct horse battery';
const NEW = 'shuttle over warp';
const RESET = '/accounts/password/reset/';

let server: TestServer;
let root: Organization;
let made = 0;
before(async () => {
  server = await startTestServer();
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  root = organization;
});
after(() => server.stop());

function person(password: string | undefined = OLD): Promise<UserRecord> {
  made += 1;
  const email = `forgetful${made}@example.com`;
  return createUser(root, { email, fullName: `Forgetful ${made}`, ...(password !== '' && { password }) });
}

async function ask(email: string, at = server): Promise<VisitorAnswer> {
  const visitor = new Visitor(at.url);
  await visitor.get(RESET);
  return visitor.submit(RESET, { email });
}

const mailsTo = async (address: string): Promise<readonly ReadMail[]> =>
  (await mailsOf(server)).filter(({ to }) => to === address);

async function linkFor(user: UserRecord): Promise<string> {
  await ask(user.deliveryEmail);
  const mail = (await mailsTo(user.deliveryEmail)).at(-1);
  assert(mail !== undefined);
  return mail.path;
}

async function reset(path: string, password = NEW): Promise<VisitorAnswer> {
  const visitor = new Visitor(server.url);
  const shown = await visitor.get(path);
  return shown.status === 200 ? visitor.submit(path, { password }) : shown;
}

const opens = async (user: UserRecord, password: string) =>
  (await server.spectator.call('POST', '/fetch_api_key', { username: user.deliveryEmail, password })).status === 200;

describe('resetting a forgotten password', () => {
  // rules: login-14
  test('the login page links to the form, and the mailed link sets a new password', async () => {
    const user = await person();
    assert.match((await new Visitor(server.url).get('/login/')).text, /href="\/accounts\/password\/reset\/"/);
    const path = await linkFor(user);
    assert.match(path, /^\/accounts\/password\/reset\/[a-z2-7]{32}\/$/);
    const done = await reset(path);
    assert.equal(done.status, 200, done.text);
    assert.equal(done.headers['cache-control'], 'no-store');
    assert.deepEqual([await opens(user, NEW), await opens(user, OLD)], [true, false]);
  });

  // rules: login-14
  test('a reset ends all sessions of the user', async () => {
    const user = await person();
    const browser = new Visitor(server.url);
    await browser.logIn(user.deliveryEmail, OLD);
    await reset(await linkFor(user));
    assert.equal((await browser.get('/json/users/me')).status, 401);
  });

  // rules: login-14
  test('a weak password shows the form again, and the link stays valid', async () => {
    const user = await person();
    const path = await linkFor(user);
    for (const weak of ['', 'short', 'password1', user.deliveryEmail]) {
      const { status, text } = await reset(path, weak);
      assert.equal(status, 400);
      assert.match(text, /<a href="#password">/);
      assert.match(text, /<title>Error: /);
    }
    assert.equal((await reset(path)).status, 200);
  });

  // rules: login-14
  test('a user without a password can set one', async () => {
    const user = await person('');
    assert.equal((await reset(await linkFor(user))).status, 200);
    assert(await opens(user, NEW));
  });
});

describe('a password reset link', () => {
  // rules: login-15
  test('works once, also when it is submitted twice at the same time', async () => {
    const user = await person();
    const path = await linkFor(user);
    const passwords = [NEW, 'woof under heddle'];
    const answers = await Promise.all(passwords.map((password) => reset(path, password)));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 404]);
    const won = passwords[answers.findIndex(({ status }) => status === 200)] ?? '';
    assert(await opens(user, won));
    assert.equal((await reset(path)).status, 404);
  });

  // rules: login-15
  test('expires after a day', async () => {
    const user = await person();
    const path = await linkFor(user);
    await sql`UPDATE account_links SET created_at = now() - interval '25 hours' WHERE user_id = ${user.id}`.execute(
      server.app.db,
    );
    assert.equal((await reset(path)).status, 404);
  });

  // rules: login-15
  test('becomes invalid when the password changes or the account is deactivated', async () => {
    const [changed, closed] = [await person(), await person()];
    const paths = [await linkFor(changed), await linkFor(closed)];
    await setPassword(root, changed.id, 'woof under heddle');
    await deactivateUser(server.app, root, closed.id);
    for (const path of paths) assert.equal((await reset(path)).status, 404);
    assert(await opens(changed, 'woof under heddle'));
  });

  // rules: login-15
  test('is not found in another organization, or with its key on another page', async () => {
    const path = await linkFor(await person());
    await server.organization('elsewhere');
    const { port } = new URL(server.url);
    assert.equal((await new Visitor(server.url, `elsewhere.localhost:${port}`).get(path)).status, 404);
    const key = path.split('/').at(-2);
    assert.equal((await new Visitor(server.url).get(`/accounts/confirm_new_email/${key}`)).status, 404);
    assert.equal((await new Visitor(server.url).get(`/accounts/do_confirm/${key}`)).status, 404);
  });

  // rules: login-15
  test('with a guessed or malformed key is refused and echoes no markup', async () => {
    for (const key of ['a'.repeat(32), '%00', '..%2F..', '%22%3E%3Cscript%3E']) {
      const { status, text } = await new Visitor(server.url).get(`${RESET}${key}/`);
      assert.notEqual(status, 200);
      assert.doesNotMatch(text, /<script/);
    }
  });

  // rules: login-15
  test('uses the server’s own URL, not the X-Forwarded-Host header of the request', async () => {
    const user = await person();
    const visitor = new Visitor(server.url);
    await visitor.get(RESET);
    await visitor.submit(RESET, { email: user.deliveryEmail }, { 'x-forwarded-host': 'evil.example' });
    const [mail] = await mailsTo(user.deliveryEmail);
    assert(mail?.body.includes(`${server.url}${RESET}`));
    assert.doesNotMatch(mail?.body ?? '', /evil/);
  });
});

describe('requesting a password reset link', () => {
  // rules: login-16
  test('returns and stores the same whether or not the account exists', async () => {
    const known = await person();
    const closed = await person();
    await deactivateUser(server.app, root, closed.id);
    const emails = [known.deliveryEmail, closed.deliveryEmail, 'nobody@example.com'];
    const answers = await Promise.all(emails.map((email) => ask(email)));
    const plain = answers.map(({ status, text }) => `${status} ${text}`);
    assert.equal(new Set(plain).size, 1);
    const { rows } = await sql<{ address: string }>`
      SELECT address FROM account_links WHERE address = ANY (${emails})`.execute(server.app.db);
    assert.equal(rows.length, 3);
    assert.equal((await mailsTo(known.deliveryEmail)).length, 1);
    assert.deepEqual([await mailsTo(closed.deliveryEmail), await mailsTo('nobody@example.com')], [[], []]);
  });

  // rules: login-16
  test('sends at most two mails per address in any spelling, and responds the same afterwards', async () => {
    const user = await person();
    const spellings = [user.deliveryEmail, user.deliveryEmail.toUpperCase(), ` ${user.deliveryEmail}`];
    const answers = await Promise.all([...spellings, ...spellings].map((email) => ask(email)));
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    assert.equal((await mailsTo(user.deliveryEmail)).length, 2);
  });

  // rules: login-16
  test('accepts exactly one address, without line breaks', async () => {
    for (const email of ['', 'nobody', 'a@b.c,d@e.f', 'a@b.c\r\nBcc: d@e.f', '"a"@b.c', 'a@b.c>']) {
      const { status, text } = await ask(email);
      assert.equal(status, 400, email);
      assert.match(text, /<a href="#email">/);
    }
  });

  // rules: login-16
  test('is refused without a CSRF token', async () => {
    const { deliveryEmail: email } = await person();
    assert.equal((await new Visitor(server.url).send('POST', RESET, { email })).status, 403);
    assert.deepEqual(await mailsTo(email), []);
  });

  // rules: login-16
  test('is rate limited per IP address', async () => {
    const limited = await startTestServer({ environment: { HEDDLE_RATE_LIMITS: 'on' } });
    try {
      for (let count = 0; count < 30; count += 1) {
        assert.equal((await ask(`nobody${count}@example.com`, limited)).status, 200);
      }
      assert.equal((await ask('nobody@example.com', limited)).status, 429);
    } finally {
      await limited.stop();
    }
  });
});

test('without a mail server the pages of a password reset do not claim that a mail was sent', async () => {
  const shown = await new Visitor(server.url).get(RESET);
  const asked = await ask((await person()).deliveryEmail);
  assert.match(asked.text, /This server does not send mails.*Ask the operator/s);
  for (const { text } of [shown, asked]) assert.doesNotMatch(text, /is sent|on its way|We mail|spam/);
});

test('with a mail server the password reset pages say that a mail is on its way', async () => {
  const environment = { HEDDLE_SMTP_URL: 'smtp://127.0.0.1:1', HEDDLE_LOG_LEVEL: 'silent' };
  const other = await startTestServer({ environment, shared: server.shared });
  assert.match((await new Visitor(other.url).get(RESET)).text, /We mail you a link/);
  assert.match((await ask('nobody@example.com', other)).text, /on its way/);
  await other.stop();
});
