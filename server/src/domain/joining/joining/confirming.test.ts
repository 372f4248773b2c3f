import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import type { Organization } from '../../../directory/organization.ts';
import type { Fields, TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { Visitor, type VisitorAnswer } from '../../../testing/clients/visitor.ts';
import { mailsOf, type ReadMail } from '../../../testing/server/mails.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { TestMailServer } from '../../../testing/services/mail-server.ts';
import { createUser, deactivateUser } from '../../accounts/accounts/actions.ts';
import { AddressRefusedError, accept } from './accepting.ts';

const PASSWORD = 'shuttle over warp';
const REGISTER = '/register/';

let mailServer: TestMailServer;
let server: TestServer;
let root: Organization;
let made = 0;
before(async () => {
  mailServer = await TestMailServer.start();
  server = await startTestServer({ environment: mailServer.environment });
  root = await rootOf(server);
});
after(async () => {
  await server.stop();
  await mailServer.stop();
});

async function rootOf({ app }: TestServer): Promise<Organization> {
  const organization = await app.organizations.bySubdomain('');
  assert(organization !== undefined);
  return organization;
}

function newAddress(): string {
  made += 1;
  return `comer${made}@example.com`;
}

const person = () => ({ full_name: `Comer ${made}`, password: PASSWORD });
const visitor = (at = server) => new Visitor(at.url);
const mailsTo = (address: string): Promise<readonly ReadMail[]> => mailServer.to(server, address);
const set = (fields: Fields, owner = server.owner) => owner.ok('PATCH', '/realm', fields);

async function link(fields: Fields = {}, by: TestClient = server.owner): Promise<string> {
  return new URL((await by.ok('POST', '/invites/multiuse', fields)).invite_link).pathname;
}

/** Submits the email address on the page. */
async function ask(path: string, email: string, at = server): Promise<VisitorAnswer> {
  const someone = visitor(at);
  const shown = await someone.get(path);
  assert.equal(shown.status, 200, shown.text);
  return someone.submit(path, { email, ...person() });
}

/** Returns the path of the mailed confirmation link. */
async function confirmation(path: string, email: string): Promise<string> {
  await ask(path, email);
  const mail = (await mailsTo(email)).at(-1);
  assert(mail !== undefined, 'no mail has arrived');
  return mail.path;
}

async function signUp(path: string, fields: Fields = person(), someone = visitor()): Promise<VisitorAnswer> {
  const shown = await someone.get(path);
  return shown.status === 200 ? someone.submit(path, fields) : shown;
}

async function account(email: string, owner = server.owner): Promise<Json | undefined> {
  const { members } = await owner.ok('GET', '/users');
  return members.find(({ delivery_email }: Json) => delivery_email === email);
}

describe('a reusable link on a server that sends mails', () => {
  // rules: invitations-9
  test('asks only for the email address, and creates the account when the mailed link is used', async () => {
    const email = newAddress();
    const path = await link({ invite_as: 300 });
    const shown = await visitor().get(path);
    assert.match(shown.text, /<label for="email">/);
    assert.doesNotMatch(shown.text, /type="password"/);
    const asked = await ask(path, email);
    assert.deepEqual([asked.status, /Look into your mails/.test(asked.text), asked.cookies.length], [200, true, 0]);
    assert.equal(await account(email), undefined);
    const [mail] = await mailsTo(email);
    const someone = visitor();
    assert.match((await someone.get(mail?.path ?? '')).text, new RegExp(`value="${email}"[^>]* readonly`));
    assert.equal((await someone.submit(mail?.path ?? '', person())).status, 200);
    assert.equal((await account(email))?.role, 300);
    assert.equal((await someone.get('/json/users/me')).json.delivery_email, email);
  });

  // rules: invitations-9
  test('creates an account with a confirmed email address', async () => {
    const email = newAddress();
    await signUp(await confirmation(await link(), email));
    const { rows } = await sql<{ address_is_confirmed: boolean }>`
      SELECT address_is_confirmed FROM users WHERE delivery_email = ${email}`.execute(server.app.db);
    assert.deepEqual(rows, [{ address_is_confirmed: true }]);
  });

  // rules: invitations-9
  test('an invitation by mail sends no confirmation mail', async () => {
    const email = newAddress();
    await server.owner.ok('POST', '/invites', { invitee_emails: email, stream_ids: [] });
    const [mail, ...others] = await mailsTo(email);
    assert.equal((await signUp(mail?.path ?? '')).status, 200);
    assert.equal(others.length, 0);
    const titles = (await mailsTo(email)).map(({ subject }) => subject);
    assert.deepEqual(titles.slice(1), ['Welcome to Organization']);
  });
});

describe('a server that writes mails to files', () => {
  let files: TestServer;
  before(async () => {
    files = await startTestServer();
  });
  after(() => files.stop());

  // rules: invitations-9
  test('creates an account without confirmation, unless email addresses are restricted to domains', async () => {
    const path = await link({}, files.owner);
    const email = newAddress();
    assert.match((await visitor(files).get(path)).text, /type="password"/);
    await files.owner.ok('POST', '/realm/domains', { domain: 'example.com', allow_subdomains: false });
    await set({ emails_restricted_to_domains: true }, files.owner);
    const asked = await ask(path, email, files);
    assert.match(asked.text, /Ask for your mail/);
    assert.equal(await account(email, files.owner), undefined, 'entering a colleague’s address creates no account');
    const mail = (await mailsOf(files)).find(({ to }) => to === email);
    assert.equal((await signUp(mail?.path ?? '', person(), visitor(files))).status, 200);
    assert(await account(email, files.owner));
    const { id: invitationId } = (await files.owner.ok('GET', '/invites')).invites.at(-1);
    const newcomer = { fullName: 'Just In Time', email: newAddress(), password: PASSWORD };
    await assert.rejects(accept(files.app, await rootOf(files), { invitationId }, newcomer), AddressRefusedError);
    await set({ emails_restricted_to_domains: false }, files.owner);
  });

  test('joining without an invitation still requires confirming the email address', async () => {
    await set({ invite_required: false }, files.owner);
    assert.match((await ask(REGISTER, newAddress(), files)).text, /as files in the folder <code>mail<\/code>/);
  });
});

describe('the confirmation link', () => {
  // rules: invitations-10
  test('creates an account only for its own address, whatever the form contains', async () => {
    const email = newAddress();
    const path = await confirmation(await link(), email);
    assert.equal((await signUp(path, { ...person(), email: 'other@example.com' })).status, 200);
    assert(await account(email));
    assert.equal(await account('other@example.com'), undefined);
  });

  // rules: invitations-10
  test('works once, also when submitted twice at the same time, and ends all other links to the address', async () => {
    const email = newAddress();
    const path = await link();
    const paths = [await confirmation(path, email), await confirmation(path, email)];
    assert.notEqual(paths[0], paths[1]);
    const [first, second] = [visitor(), visitor()];
    for (const someone of [first, second]) await someone.get(paths[0] ?? '');
    const answers = await Promise.all([first, second].map((someone) => someone.submit(paths[0] ?? '', person())));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 410]);
    for (const one of paths) {
      const { status, text } = await signUp(one);
      assert.deepEqual([status, /This link has been used/.test(text)], [410, true]);
    }
  });

  // rules: invitations-10
  test('expires after a day', async () => {
    const email = newAddress();
    const path = await confirmation(await link(), email);
    await sql`UPDATE address_confirmations SET created_at = now() - interval '25 hours' WHERE address = ${email}`.execute(
      server.app.db,
    );
    const { status, text } = await signUp(path);
    assert.deepEqual([status, /This link is too old/.test(text)], [410, true]);
  });

  // rules: invitations-10
  test('is refused after its invitation has ended, also while the user fills in the form', async () => {
    const path = await link();
    const confirmed = await confirmation(path, newAddress());
    const someone = visitor();
    assert.equal((await someone.get(confirmed)).status, 200);
    const { invites } = await server.owner.ok('GET', '/invites');
    await server.owner.ok('DELETE', `/invites/multiuse/${invites.at(-1).id}`);
    for (const { status, text } of [await someone.submit(confirmed, person()), await visitor().get(confirmed)]) {
      assert.deepEqual([status, /This invitation has been revoked/.test(text)], [410, true]);
    }
  });

  // rules: invitations-10
  test('is refused if the organization no longer accepts the address', async () => {
    const email = newAddress();
    const path = await confirmation(await link(), email);
    await server.owner.ok('POST', '/realm/domains', { domain: 'example.org', allow_subdomains: false });
    await set({ emails_restricted_to_domains: true });
    try {
      assert.equal((await signUp(path)).status, 400);
      assert.equal(await account(email), undefined);
    } finally {
      await set({ emails_restricted_to_domains: false });
    }
  });

  // rules: invitations-10
  test('is not found in another organization, or with its key on another page', async () => {
    const path = await confirmation(await link(), newAddress());
    const key = path.split('/').at(-1);
    await server.organization('elsewhere');
    const elsewhere = new Visitor(server.url, `elsewhere.${new URL(server.url).host}`);
    assert.equal((await elsewhere.get(path)).status, 404);
    for (const other of [`/accounts/password/reset/${key}/`, `/accounts/confirm_new_email/${key}`, `/join/${key}/`]) {
      assert.equal((await visitor().get(other)).status, 404, other);
    }
    assert.equal((await visitor().get(path)).status, 200);
  });

  // rules: invitations-10
  test('sends no referrer to other sites and is not cached', async () => {
    const { headers } = await visitor().get(await confirmation(await link(), newAddress()));
    assert.deepEqual([headers['referrer-policy'], headers['cache-control']], ['same-origin', 'no-store']);
  });

  // rules: invitations-10
  test('uses the server’s own URL, not the host headers of the request', async () => {
    const email = newAddress();
    const path = await link();
    const someone = visitor();
    await someone.get(path);
    const { port } = new URL(server.url);
    const headers = {
      host: `127.0.0.1:${port}`,
      'x-forwarded-host': 'evil.example',
      origin: `http://127.0.0.1:${port}`,
    };
    assert.equal((await someone.submit(path, { email }, headers)).status, 200);
    const [mail] = await mailsTo(email);
    assert(mail?.body.includes(`${server.url}/accounts/do_confirm/`));
    assert.doesNotMatch(mail?.body ?? '', /evil|127\.0\.0\.1/);
  });
});

describe('requesting a confirmation mail', () => {
  // rules: invitations-11
  test('returns and stores the same whether or not the account exists; only the mails differ', async () => {
    const [known, closed, nobody] = [newAddress(), newAddress(), newAddress()];
    await createUser(root, { email: known, fullName: 'Known' });
    const { id } = await createUser(root, { email: closed, fullName: 'Closed' });
    await deactivateUser(server.app, root, id);
    const path = await link();
    const emails = [known, closed, nobody];
    const answers = await Promise.all(
      emails.map(async (email) => (await ask(path, email)).text.replaceAll(email, '…')),
    );
    assert.equal(new Set(answers).size, 1);
    const { rows } = await sql`SELECT 1 FROM address_confirmations WHERE address = ANY (${emails})`.execute(
      server.app.db,
    );
    assert.equal(rows.length, 3);
    const subjects = await Promise.all(
      emails.map(async (email) => (await mailsTo(email)).map(({ subject }) => subject)),
    );
    assert.deepEqual(subjects, [
      ['You already have an account in Organization'],
      ['Your account in Organization is deactivated'],
      ['Confirm your address to join Organization'],
    ]);
    assert.doesNotMatch((await mailsTo(known))[0]?.body ?? '', /do_confirm/);
  });

  // rules: invitations-11
  test('sends at most two mails per address, in any spelling and by any link', async () => {
    const email = newAddress();
    const paths = [await link(), await link()];
    const spellings = [email, email.toUpperCase(), ` ${email} `];
    const answers = await Promise.all(paths.flatMap((path) => spellings.map((spelling) => ask(path, spelling))));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    assert.equal((await mailsTo(email)).length, 2);
  });

  // rules: invitations-11
  test('is rate limited per link and per network', async () => {
    const path = await link();
    const id = (await server.owner.ok('GET', '/invites')).invites.at(-1).id;
    await sql`
      INSERT INTO address_confirmations (organization_id, address, invitation_id, nonce, key_hash)
      SELECT ${root.id}, 'many' || n || '@example.com', ${id}, '', decode(md5('many' || n), 'hex')
        FROM generate_series(1, 500) AS n`.execute(server.app.db);
    assert.equal((await ask(path, newAddress())).status, 429);
    assert.equal((await ask(await link(), newAddress())).status, 200);
    const limited = await startTestServer({ environment: { HEDDLE_RATE_LIMITS: 'on' } });
    try {
      await set({ invite_required: false }, limited.owner);
      const someone = visitor(limited);
      await someone.get(REGISTER);
      const statuses: number[] = [];
      for (let count = 0; count <= 100; count += 1) {
        statuses.push(
          (
            await someone.send('POST', REGISTER, {
              email: newAddress(),
              csrfmiddlewaretoken: someone.jar.get('csrftoken') ?? '',
            })
          ).status,
        );
      }
      assert.deepEqual([statuses.slice(0, 100).every((status) => status === 200), statuses[100]], [true, 429]);
    } finally {
      await limited.stop();
    }
  });

  // rules: invitations-11
  test('accepts exactly one address, without line breaks', async () => {
    const path = await link();
    for (const email of ['', 'nobody', 'a@b.c,d@e.f', 'a@b.c\r\nBcc: d@e.f', '"a"@b.c', 'a@b.c>']) {
      const { status, text } = await ask(path, email);
      assert.equal(status, 400, email);
      assert.match(text, /<a href="#email">/);
    }
  });

  // rules: invitations-13
  test('refuses disposable addresses and addresses outside the organization’s domains', async () => {
    const path = await link();
    const { status, text } = await ask(path, 'comer@box.mailinator.com');
    assert.deepEqual([status, /Please use your real email address\./.test(text)], [400, true]);
    await server.owner.ok('POST', '/realm/domains', { domain: 'example.net', allow_subdomains: false });
    await set({ emails_restricted_to_domains: true });
    try {
      const outside = await ask(path, 'comer@elsewhere.example.com');
      assert.equal(outside.status, 400);
      assert.match(outside.text, /not in one of the domains/);
    } finally {
      await set({ emails_restricted_to_domains: false });
    }
  });

  // rules: invitations-11
  test('is refused without a CSRF token', async () => {
    const email = newAddress();
    const path = await link();
    assert.equal((await visitor().send('POST', path, { email })).status, 403);
    const someone = visitor();
    await someone.get(path);
    assert.equal((await someone.submit(path, { email }, { origin: 'https://evil.example' })).status, 403);
    assert.deepEqual(await mailsTo(email), []);
  });
});

describe('joining without an invitation', () => {
  const open = (isOpen: boolean) => set({ invite_required: !isOpen });

  // rules: invitations-12
  test('is refused with an explanation where an invitation is required', async () => {
    const { status, text } = await visitor().get(REGISTER);
    assert.deepEqual([status, /You need an invitation/.test(text)], [403, true]);
    assert.doesNotMatch(text, /<form/);
    assert.doesNotMatch((await visitor().get('/login/')).text, /register/);
  });

  // rules: invitations-12
  test('leads from the login page by mail to an account with default channels and a greeting', async () => {
    await open(true);
    const email = newAddress();
    assert.match((await visitor().get('/login/')).text, /<a href="\/register\/">/);
    const path = await confirmation(REGISTER, email);
    const someone = visitor();
    assert.equal((await signUp(path, person(), someone)).status, 200);
    assert.equal((await account(email))?.role, 400);
    const client = await server.sameUser({ email } as TestClient);
    const { subscriptions } = await client.ok('GET', '/users/me/subscriptions');
    assert.deepEqual(subscriptions.map(({ name }: Json) => name).toSorted(), ['general', 'sandbox']);
    const { messages } = await client.ok('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 });
    assert.equal(messages[0].sender_full_name, 'Welcome Bot');
  });

  // rules: invitations-12
  test('is refused after the organization requires invitations, also while the user fills in the form', async () => {
    await open(true);
    const path = await confirmation(REGISTER, newAddress());
    const someone = visitor();
    await someone.get(path);
    await open(false);
    for (const { status } of [await someone.submit(path, person()), await visitor().get(path)]) {
      assert.equal(status, 403);
    }
  });

  // rules: invitations-12
  test('is offered on the page of an ended invitation', async () => {
    await open(true);
    const path = await link();
    const { invites } = await server.owner.ok('GET', '/invites');
    await server.owner.ok('DELETE', `/invites/multiuse/${invites.at(-1).id}`);
    assert.match((await visitor().get(path)).text, /href="\/register\/"/);
    await open(false);
    assert.doesNotMatch((await visitor().get(path)).text, /href="\/register\/"/);
  });
});

// rules: invitations-11
test('signing up replaces an existing session cookie (session fixation)', async () => {
  const someone = visitor();
  someone.jar.set('sessionid', 'f'.repeat(43));
  const path = await confirmation(await link(), newAddress());
  const { cookies } = await signUp(path, person(), someone);
  assert(cookies.some((cookie) => cookie.startsWith('sessionid=')));
  assert.notEqual(someone.jar.get('sessionid'), 'f'.repeat(43));
});
