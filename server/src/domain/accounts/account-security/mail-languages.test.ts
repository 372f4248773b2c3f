import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Organization } from '../../../directory/organization.ts';
import type { UserRecord } from '../../../directory/records.ts';
import { queueMail } from '../../../mail/kind.ts';
import { Visitor } from '../../../testing/clients/visitor.ts';
import { mailsOf, type ReadMail } from '../../../testing/server/mails.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { createUser } from '../accounts/actions.ts';
import { accountClosedMail, newLoginMail } from './mail-kinds.ts';

const PASSWORD = 'correct horse battery';
const RESET = '/accounts/password/reset/';

let server: TestServer;
let root: Organization;
before(async () => {
  server = await startTestServer();
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  root = organization;
});
after(() => server.stop());

const person = (name: string, language: string): Promise<UserRecord> =>
  createUser(root, { email: `${name}@example.com`, fullName: name, password: PASSWORD, language });

async function lastMailTo(address: string): Promise<ReadMail> {
  const mail = (await mailsOf(server)).filter(({ to }) => to === address).at(-1);
  assert(mail !== undefined, `there is no mail to ${address}`);
  return mail;
}

const languageOf = ({ body }: ReadMail) => /<html lang="(\w+)" dir="ltr">/.exec(body)?.[1];

// rules: mail-26
test('a mail is in the language of the account, in its title, text and HTML, whatever the browser prefers', async () => {
  const titles = {
    de: 'Lege ein neues Passwort für Organization fest',
    es: 'Establece una contraseña nueva para Organization',
    fr: 'Définissez un nouveau mot de passe pour Organization',
    en: 'Set a new password for Organization',
    pl: 'Set a new password for Organization',
  };
  for (const [language, title] of Object.entries(titles)) {
    const user = await person(`reader-${language}`, language);
    const visitor = new Visitor(server.url);
    await visitor.get(RESET);
    await visitor.submit(RESET, { email: user.deliveryEmail }, { 'accept-language': 'ja' });
    const mail = await lastMailTo(user.deliveryEmail);
    assert.equal(mail.subject, title);
    assert.equal(languageOf(mail), language === 'pl' ? 'en' : language);
  }
});

// rules: mail-26
test('both parts of a mail are translated, with a date of the language', async () => {
  const user = await person('hans', 'de');
  const about = {
    userId: user.id,
    device: 'Firefox on an unknown system',
    browser: 'Firefox',
    system: null,
    remoteAddress: '192.0.2.1',
    at: '2026-03-05T14:05:00Z',
  };
  await queueMail(server.app.db, newLoginMail, { organizationId: root.id, about });
  const { body } = await lastMailTo(user.deliveryEmail);
  for (const text of [
    'Hallo hans,',
    'Wann: Donnerstag, 5. März 2026',
    'Womit: Firefox auf einem unbekannten System',
    'E-Mails über neue Anmeldungen abstellen',
  ]) {
    assert.equal(body.split(text).length - 1 >= 2, true, `${text} in the text and in the HTML`);
  }
  assert.doesNotMatch(body, /Hello|If it was/);
});

// rules: mail-26
test('a mail that an older version queued is still sent', async () => {
  const user = await person('otto', 'de');
  const at = '2026-03-05T14:05:00Z';
  const about = { userId: user.id, device: 'Firefox on Linux', remoteAddress: '192.0.2.1', at };
  await queueMail(server.app.db, newLoginMail, { organizationId: root.id, about });
  assert.match((await lastMailTo(user.deliveryEmail)).body, /Womit: Firefox on Linux/);
});

// rules: mail-26
test('an invitation is in the language of the organization', async () => {
  await server.owner.ok('PATCH', '/realm', { default_language: 'fr' });
  try {
    await server.owner.ok('POST', '/invites', { invitee_emails: 'newcomer@example.com', stream_ids: [] }); // wire name: the parameter
    const mail = await lastMailTo('newcomer@example.com');
    assert.equal(languageOf(mail), 'fr');
    assert.match(mail.body, /vous invite à rejoindre la messagerie d’équipe/);
  } finally {
    await server.owner.ok('PATCH', '/realm', { default_language: 'en' });
  }
});

// rules: mail-26
test('the mail that confirms an address is in the language of the page, if nobody has the address', async () => {
  await server.owner.ok('PATCH', '/realm', { invite_required: false });
  const visitor = new Visitor(server.url);
  await visitor.get('/register/');
  const spanish = { 'accept-language': 'es-MX' };
  await visitor.submit('/register/', { email: 'nueva@example.com' }, spanish);
  assert.equal(languageOf(await lastMailTo('nueva@example.com')), 'es');
  const user = await person('juergen', 'de');
  await visitor.get('/register/');
  await visitor.submit('/register/', { email: user.deliveryEmail }, spanish);
  const mail = await lastMailTo(user.deliveryEmail);
  assert.deepEqual([languageOf(mail), mail.subject], ['de', 'Du hast schon ein Konto in Organization']);
});

// rules: mail-26
test('the comment of an administrator stays as it was written', async () => {
  const user = await person('ken', 'ja');
  await server.owner.ok('DELETE', `/users/${user.id}`);
  const about = { userId: user.id, comment: 'See you {soon} <b>' };
  await queueMail(server.app.db, accountClosedMail, { organizationId: root.id, about });
  const mail = await lastMailTo(user.deliveryEmail);
  assert.equal(languageOf(mail), 'ja');
  assert.match(mail.body, /管理者からのコメント/);
  assert.match(mail.body, /See you \{soon\} &lt;b&gt;/);
});
