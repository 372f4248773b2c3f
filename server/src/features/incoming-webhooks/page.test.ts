import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { languageFor } from '../../languages/language.ts';
import { html } from '../../pages/html.ts';
import type { Json } from '../../testing/clients/json.ts';
import { Visitor } from '../../testing/clients/visitor.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { INTEGRATIONS } from './all-integrations.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.stop());

/** The values of the read-only fields, by the name of the integration. */
function urlsIn(text: string): ReadonlyMap<string, string> {
  const fields = text.matchAll(/<input id="url-(\w+)"[^>]* value="([^"]*)"[^>]* readonly/g);
  return new Map(Array.from(fields, ([, name = '', url = '']) => [name, url.replaceAll('&amp;', '&')] as const));
}

// rules: webhooks-10
test('the page lists every integration with a URL to complete, for visitors without an account', async () => {
  const { status, text } = await new Visitor(server.url).get('/integrations/');
  assert.equal(status, 200);
  const urls = urlsIn(text);
  assert.deepEqual(
    [...urls.keys()],
    INTEGRATIONS.map(({ name }) => name),
  );
  const { t } = languageFor(['en']);
  for (const { name, gallery } of INTEGRATIONS) {
    for (const step of gallery.steps) assert(text.includes(`<li>${html`${t(step)}`}</li>`), name);
  }
  assert.match(urls.get('github') ?? '', /\/api\/v1\/external\/github\?api_key=API_KEY&stream=CHANNEL$/);
});

// rules: webhooks-14
test('the list of integrations has the events of each, and those that cause no message on purpose', async () => {
  const { integrations } = await server.owner.ok('GET', '/integrations');
  assert.deepEqual(
    integrations.map(({ name }: Json) => name),
    INTEGRATIONS.map(({ name }) => name),
  );
  const github = integrations.find(({ name }: Json) => name === 'github');
  assert.deepEqual([github.title, github.is_signed], ['GitHub', true]);
  assert(github.events.includes('push_commits'));
  const zendesk = integrations.find(({ name }: Json) => name === 'zendesk');
  assert.deepEqual([zendesk.category, zendesk.steps.length], ['Customer support', 5]);
  assert.match(zendesk.template, /"ticket_id": "\{\{ticket\.id\}\}"/);
  const reason = 'People see pins in GitHub itself.';
  assert.deepEqual(
    github.ignored_events.find(({ name }: Json) => name === 'issues.pinned'),
    { name: 'issues.pinned', reason },
  );
  const { text } = await new Visitor(server.url).get('/integrations/');
  assert(text.includes(`<li><code>issues.pinned</code>: <span lang="en">${reason}</span></li>`));
});

// rules: webhooks-10
test('a user who is logged in gets URLs that work, for their own incoming webhook bots only', async () => {
  const password = 'seven green herons';
  const ada = await server.user({ name: 'Ada', email: 'ada@example.com', password });
  const bob = await server.user({ name: 'Bob' });
  const visitor = new Visitor(server.url);
  await visitor.logIn('ada@example.com', password);
  const { text: without } = await visitor.get('/integrations/');
  assert.match(without, /You have no incoming webhook bot/);
  assert(without.includes('href="/#settings/integrations"'));
  const newBot = (name: string, client = ada, bot_type = 2) =>
    client.ok('POST', '/bots', { full_name: name, short_name: name.toLowerCase().replaceAll(' ', '-'), bot_type });
  const [first, second] = [await newBot('First'), await newBot('<Second>'.replaceAll(/[<>]/g, ''))];
  const [generic, theirs] = [await newBot('Generic', ada, 1), await newBot('Theirs', bob)];
  await server.emptyChannel(ada, 'my alerts');
  const { text, headers } = await visitor.get(`/integrations/?bot=${second.user_id}&stream=my+alerts&topic=a%26b`);
  assert.equal(headers['content-encoding'], undefined);
  for (const { api_key } of [first, generic, theirs]) assert(!text.includes(api_key));
  const url = urlsIn(text).get('json') ?? assert.fail();
  const { pathname, search } = new URL(url);
  const response = await fetch(`${server.url}${pathname}${search}`, { method: 'POST', body: '{}' });
  assert.equal(response.status, 200);
  const range = { anchor: 'newest', num_before: 1, num_after: 0 };
  const { messages } = await ada.ok('GET', '/messages', range);
  assert.deepEqual(
    [messages[0].sender_full_name, messages[0].display_recipient, messages[0].subject],
    ['Second', 'my alerts', 'a&b'],
  );
  for (const bot of [theirs.user_id, generic.user_id, 'x', '']) {
    const other = await visitor.get(`/integrations/?bot=${bot}`);
    assert(other.text.includes(first.api_key) && !other.text.includes(theirs.api_key), String(bot));
  }
});

// rules: webhooks-10, webhooks-14
test('the list of integrations is in the language of the account, and the page in that of the reader', async () => {
  const password = 'eight grey herons';
  const dora = await server.user({ name: 'Dora', email: 'dora@example.com', password });
  await dora.ok('PATCH', '/settings', { default_language: 'de' });
  const { language, integrations } = await dora.ok('GET', '/integrations');
  const jenkins = integrations.find(({ name }: Json) => name === 'jenkins');
  assert.deepEqual(
    [language, jenkins.summary, jenkins.steps.at(-1)],
    ['de', 'Starts und Ergebnisse von Builds.', 'Füge die URL ein und speichere.'],
  );
  assert.equal(jenkins.category, 'Continuous integration');
  const { language: ofOwner } = await server.owner.ok('GET', '/integrations');
  assert.equal(ofOwner, 'en');

  const visitor = new Visitor(server.url);
  const inFrench = async () => (await visitor.get('/integrations/', { 'accept-language': 'fr' })).text;
  const french = await inFrench();
  assert(french.includes('<html lang="fr"') && french.includes('<li>Collez l’URL et enregistrez.</li>'));
  await visitor.logIn('dora@example.com', password);
  const german = await inFrench();
  assert(german.includes('<html lang="de"') && german.includes('<li>Füge die URL ein und speichere.</li>'));
});
