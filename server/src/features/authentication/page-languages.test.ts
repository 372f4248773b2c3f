import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Organization } from '../../directory/organization.ts';
import { createUser, setPassword } from '../../domain/accounts/accounts/actions.ts';
import { unsubscribeUrl } from '../../domain/notifications/mail-parts/unsubscribing.ts';
import { Visitor } from '../../testing/clients/visitor.ts';
import { mailsOf } from '../../testing/server/mails.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

const GERMAN = { 'accept-language': 'de-AT, en;q=0.5' };
const PASSWORD = 'correct horse battery';

let server: TestServer;
let root: Organization;
before(async () => {
  server = await startTestServer();
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  root = organization;
});
after(() => server.stop());

const visitor = () => new Visitor(server.url);
const languageOf = (text: string) => /<html lang="([^"]+)" dir="ltr">/.exec(text)?.[1];
const headingOf = (text: string) => /<h1>(.*?)<\/h1>/.exec(text)?.[1];

/** The path that chooses the language on the page; '' without a choice. */
const choiceIn = (text: string, language: string) =>
  (new RegExp(`href="([^"]*language=${language}[^"]*)"`).exec(text)?.[1] ?? '').replaceAll('&amp;', '&');

/** Where the choice of the language on the page leads back to. */
const backIn = (text: string) => new URL(choiceIn(text, 'ja'), server.url).searchParams.get('next');

async function seen(path: string, languages: string): Promise<readonly (string | undefined)[]> {
  const { text } = await visitor().get(path, { 'accept-language': languages });
  return [languageOf(text), headingOf(text)];
}

// rules: login-22
test('pages before the login are in the first language of the browser that the server has', async () => {
  assert.deepEqual(await seen('/login/', 'pl, de-AT;q=0.9, en;q=0.5'), ['de', 'Anmelden']);
  assert.deepEqual(await seen('/login/', 'fr-CA'), ['fr', 'Se connecter']);
  assert.deepEqual(await seen('/login/', 'es'), ['es', 'Iniciar sesión']);
  assert.deepEqual(await seen('/login/', 'ja'), ['ja', 'ログイン']);
  assert.deepEqual(await seen('/login/', 'pl'), ['en', 'Log in']);
  assert.deepEqual(await seen('/accounts/password/reset/', 'de'), ['de', 'Neues Passwort festlegen']);
  assert.deepEqual(await seen('/register/', 'de'), ['de', 'Du brauchst eine Einladung']);
  assert.deepEqual(await seen('/join/unknown/', 'de'), ['de', 'Diese Einladung gibt es nicht']);
  assert.deepEqual(await seen('/accounts/do_confirm/unknown', 'de'), ['de', 'Diese Einladung gibt es nicht']);
  assert.deepEqual(await seen('/accounts/confirm_new_email/unknown', 'de'), ['de', 'Dieser Link funktioniert nicht']);
});

// rules: login-22
test('pages of errors are in the language of the browser, and offer the choice', async () => {
  const someone = visitor();
  const missing = await someone.get('/nothing/here', GERMAN);
  assert.equal(missing.status, 404);
  assert.equal(languageOf(missing.text), 'de');
  assert.match(missing.text, /<title>Fehler: /);
  assert.match(missing.text, /\/accounts\/language\/\?language=fr&amp;next=%2Fnothing%2Fhere"/);
  const forged = await someone.send('POST', '/login/', { username: 'a', password: 'b' }, GERMAN);
  assert.equal(forged.status, 403);
  assert.equal(headingOf(forged.text), 'Dieses Formular ist abgelaufen');
  assert.doesNotMatch(forged.text, /accounts\/language/, 'a form cannot be opened again');
});

// rules: login-22
test('the text of an error without a translation says that it is English', async () => {
  const path = `/login/?next=${'x'.repeat(2001)}`;
  const english = 'next is too long (limit: 2000 characters)';
  const alertIn = (text: string) => /<p role="alert">(.*?)<\/p>/.exec(text)?.[1];
  const { status, text } = await visitor().get(path, GERMAN);
  assert.deepEqual([status, languageOf(text), alertIn(text)], [400, 'de', `<span lang="en">${english}</span>`]);
  assert.equal(alertIn((await visitor().get(path)).text), english);
});

// rules: login-22
test('pages of errors at a host without an organization have the style sheet and the choice, too', async () => {
  await server.organization('gone');
  const gone = await server.app.organizations.bySubdomain('gone');
  await gone?.transact('server', 'exclusive', async ({ directory, append }) => {
    const deltas = [{ delta: 'organization', organization: { ...directory.organization, isDeactivated: true } }];
    append({ type: 'realm', audience: { to: 'nobody' }, body: null, deltas });
  });
  const { port } = new URL(server.url);
  const pages = [
    [`nowhere.localhost:${port}`, 'Organisation nicht gefunden', 'Organización no encontrada'],
    ['chat.example.org', 'Organisation nicht gefunden', 'Organización no encontrada'],
    [`gone.localhost:${port}`, 'Diese Organisation ist deaktiviert', 'Esta organización está desactivada'],
  ] as const;
  for (const [host, german, spanish] of pages) {
    const someone = new Visitor(server.url, host);
    const { text } = await someone.get('/login/', GERMAN);
    assert.equal(headingOf(text), german, host);
    const [, style = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(text) ?? [];
    assert.equal((await someone.get(style)).status, 200, host);
    const chosen = await someone.get(choiceIn(text, 'es'));
    assert.deepEqual([chosen.status, chosen.location], [303, '/login/'], host);
    assert.equal(headingOf((await someone.get('/login/', GERMAN)).text), spanish);
  }
});

// rules: login-22
test('every page that was opened has the choice, which leads back to its address', async () => {
  const paths = [
    '/login/',
    '/accounts/login/?next=%2F%23inbox',
    '/register/',
    '/join/unknown/',
    '/accounts/do_confirm/unknown',
    '/accounts/password/reset/',
    '/accounts/password/reset/unknown/',
    '/accounts/confirm_new_email/unknown',
    '/accounts/unsubscribe/digest/unknown',
  ];
  for (const path of paths) assert.equal(backIn((await visitor().get(path)).text), path);
  const old = await visitor().get('/login/?next=%2F', { 'user-agent': 'ZulipDesktop/1.0' });
  assert.deepEqual([old.status, backIn(old.text)], [400, '/login/?next=%2F']);
});

// rules: login-22
test('the choice of a page with a longer address than the choice accepts leads to the login page', async () => {
  const someone = visitor();
  const [longest, longer] = [`/${'x'.repeat(1999)}`, `/${'x'.repeat(2000)}`];
  const { text } = await someone.get(longest);
  assert.equal((await someone.get(choiceIn(text, 'es'))).location, longest);
  const chosen = await someone.get(choiceIn((await someone.get(longer)).text, 'ja'));
  assert.deepEqual([chosen.status, chosen.location], [303, '/login/']);
});

// rules: login-13, login-22
test('the choice leads back to no token, because a click of the user would log in with it', async () => {
  const linked = await visitor().get('/accounts/login/subdomain/token', { 'sec-fetch-site': 'cross-site' });
  assert.deepEqual([linked.status, backIn(linked.text)], [400, '/login/']);
});

// rules: login-22
test('what is wrong with a form is said in the language of the browser', async () => {
  const someone = visitor();
  await someone.get('/login/', GERMAN);
  const refused = await someone.submit('/login/', { username: 'nobody@example.com', password: 'x' }, GERMAN);
  assert.match(refused.text, /Diese E-Mail-Adresse und dieses Passwort passen nicht zusammen\./);
  const { invite_link: link } = await server.owner.ok('POST', '/invites/multiuse');
  const path = new URL(String(link)).pathname;
  await someone.get(path, GERMAN);
  const fields = { full_name: 'A*da', email: 'ada', password: '12345678' };
  const signup = await someone.submit(path, fields, GERMAN);
  assert.equal(signup.status, 400);
  assert.match(signup.text, /Der Name enthält ungültige Zeichen!/);
  assert.match(signup.text, /Gib eine gültige E-Mail-Adresse ein\./);
  assert.match(signup.text, /Dieses Passwort ist leicht zu erraten/);
  await server.owner.ok('PATCH', '/realm', { require_unique_names: true });
  const { full_name: taken } = await server.owner.ok('GET', '/users/me');
  const namesake = await someone.submit(
    path,
    { full_name: taken, email: 'ada@example.com', password: PASSWORD },
    GERMAN,
  );
  assert.match(namesake.text, /In dieser Organisation darf es jeden Namen nur einmal geben\./);
  await server.owner.ok('PATCH', '/realm', { require_unique_names: false });
});

// rules: login-22
test('the browser remembers a chosen language, and the choice leads back', async () => {
  const someone = visitor();
  const { text } = await someone.get('/login/?next=%2F%23narrow', GERMAN);
  const chosen = await someone.get(choiceIn(text, 'es'), GERMAN);
  assert.deepEqual([chosen.status, chosen.location], [303, '/login/?next=%2F%23narrow']);
  assert.match(chosen.cookies.join(), /language=es; Max-Age=31536000/);
  assert.equal(languageOf((await someone.get('/login/', GERMAN)).text), 'es');
  assert.equal(languageOf((await someone.get('/nothing', GERMAN)).text), 'es');
});

// rules: login-13, login-22
test('the choice leads to no other site, takes no unknown language, and no other site can make it', async () => {
  const someone = visitor();
  const away = await someone.get('/accounts/language/?language=de&next=https://evil.example/');
  assert.equal(away.location, '/login/');
  const another = visitor();
  const unknown = await another.get('/accounts/language/?language=tlh&next=/login/', GERMAN);
  assert.equal(unknown.status, 400);
  assert.match(unknown.text, /Diese Sprache haben wir nicht\./);
  const chosen = await another.get(choiceIn(unknown.text, 'es'));
  assert.deepEqual([chosen.status, chosen.location], [303, '/login/'], 'not back to the refusal');
  const linked = await another.get('/accounts/language/?language=ja&next=/login/', { 'sec-fetch-site': 'cross-site' });
  assert.deepEqual([linked.status, linked.cookies], [303, []]);
});

// rules: login-22
test('languages that await a review say so in the choice', async () => {
  const { text } = await visitor().get('/login/', GERMAN);
  const items = Array.from(text.matchAll(/<li>.*?<\/li>/g), ([item]) => item.replaceAll(/<[^>]+>/g, ''));
  assert.deepEqual(items, [
    'English',
    'Deutsch',
    'Español (wartet auf Prüfung)',
    'Français (wartet auf Prüfung)',
    '日本語 (wartet auf Prüfung)',
  ]);
});

// rules: login-22
test('pages of a known account are in its language, unless the browser remembers a choice', async () => {
  const user = await createUser(root, {
    email: 'fleur@example.com',
    fullName: 'Fleur',
    password: PASSWORD,
    language: 'fr',
  });
  const url = unsubscribeUrl(server.app, root.directory, user.id, 'digest');
  const path = new URL(url).pathname;
  const someone = visitor();
  const { text } = await someone.get(path, GERMAN);
  assert.deepEqual([languageOf(text), headingOf(text)], ['fr', 'Ne plus recevoir le résumé hebdomadaire\u00a0?']);
  await someone.logIn('fleur@example.com', PASSWORD);
  assert.equal(languageOf((await someone.get('/accounts/sessions/', GERMAN)).text), 'fr');
  await someone.get('/accounts/language/?language=ja');
  assert.equal(languageOf((await someone.get('/accounts/sessions/', GERMAN)).text), 'ja');
});

// rules: login-22
test('pages that the mails of an account lead to are in its language, also if something is wrong', async () => {
  const RESET = '/accounts/password/reset/';
  const address = 'nouvelle@example.com';
  const lastPath = async () => (await mailsOf(server)).filter(({ to }) => to === address).at(-1)?.path ?? '';
  const client = await server.user();
  await setPassword(root, client.userId, PASSWORD);
  await client.ok('PATCH', '/settings', { default_language: 'fr', email: address });
  const confirming = await lastPath();
  const someone = visitor();
  const asked = await someone.get(confirming, GERMAN);
  assert.deepEqual([asked.status, languageOf(asked.text), backIn(asked.text)], [200, 'fr', confirming]);
  const confirmed = await someone.submit(confirming, {}, GERMAN);
  assert.deepEqual([confirmed.status, languageOf(confirmed.text)], [200, 'fr']);
  await someone.get(RESET);
  await someone.submit(RESET, { email: address });
  const resetting = await lastPath();
  const shown = await someone.get(resetting, GERMAN);
  assert.deepEqual([shown.status, languageOf(shown.text), backIn(shown.text)], [200, 'fr', resetting]);
  const weak = await someone.submit(resetting, { password: '12345678' }, GERMAN);
  assert.deepEqual([weak.status, languageOf(weak.text), backIn(weak.text)], [400, 'fr', resetting]);
});

// rules: login-23
test('the first field has the focus, or the problems have it', async () => {
  const autofocus = (text: string) => Array.from(text.matchAll(/<(\w+)[^>]* autofocus/g), ([, name]) => name);
  const someone = visitor();
  assert.deepEqual(autofocus((await someone.get('/login/')).text), ['input']);
  const refused = await someone.submit('/login/', { username: '', password: '' });
  assert.deepEqual(autofocus(refused.text), ['div']);
});
