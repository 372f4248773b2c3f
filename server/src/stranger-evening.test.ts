/**
 * A team moves from Slack to Heddle in an evening. All processes are real, and each step is in the documents. It has two commands, mail in
 * both directions, a webhook of GitHub, metrics, and a restored backup.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { writeZip } from '@heddle/operator/testing/imported.ts';
import { createTransport } from 'nodemailer';
import { atHost } from './testing/clients/at-host.ts';
import { TestClient } from './testing/clients/client.ts';
import { Visitor } from './testing/clients/visitor.ts';
import { beginHeddle, type HeddleServer, runHeddle } from './testing/faults/heddle-process.ts';
import { temporaryDataDirectory } from './testing/server/data-directory.ts';
import { type ReadMail, readMail } from './testing/server/mails.ts';
import { PLAN, slackTeam } from './testing/server/slack-team.ts';
import { until } from './testing/server/until.ts';
import { TestMailServer } from './testing/services/mail-server.ts';
import { freePort } from './testing/services/ports.ts';
import { recorded } from './testing/services/webhooks.ts';

const PASSWORDS: Readonly<Record<string, string>> = { ada: 'castle warp beam 77', bob: 'selvage treadle bobbin 9' };
const SECRET = 'the secret of the repository';

let directory: string;
let mails: TestMailServer;
let place: Readonly<Record<string, string>>;
let server: HeddleServer;
/** Ports that the server has chosen, from its log. */
let gatewayPort: number;
let metricsPort: number;
let ada: TestClient;
let bob: TestClient;
const tidy: (() => Promise<unknown>)[] = [];

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'heddle-evening-'));
  tidy.push(() => rm(directory, { recursive: true, force: true }));
  mails = await TestMailServer.start();
  tidy.push(() => mails.stop());
  const data = await temporaryDataDirectory();
  tidy.push(() => data.remove());
  const port = await freePort();
  place = {
    ...mails.environment,
    HEDDLE_DATA_DIR: data.path,
    HEDDLE_PORT: String(port),
    HEDDLE_URL: `http://localhost:${port}`,
    HEDDLE_MAIL_GATEWAY: '127.0.0.1:0',
    HEDDLE_METRICS_PORT: '0',
  };
  await writeZip(join(directory, 'weavers.zip'), await slackTeam());
});
after(async () => {
  for (const end of tidy.reverse()) await end();
});

/** Starts the server of this environment with the embedded PostgreSQL, and reads its log. */
async function serve(environment: Readonly<Record<string, string>>) {
  const start = beginHeddle(environment);
  let log = '';
  start.child.stderr?.on('data', (chunk: string) => {
    log += chunk;
  });
  const started = await start.listening;
  tidy.push(() => started.stop());
  // The log can arrive after the output.
  const portOf = async (what: string): Promise<number> => {
    const isIt = (each: string) => each.includes(`"${what}"`) && each.endsWith('}');
    const line = await until(() => log.split('\n').find(isIt), `the line ${what} in the log`);
    return JSON.parse(line).port;
  };
  return { started, portOf };
}

const host = (url = server.url) => `weavers.localhost:${new URL(url).port}`;

async function mailTo(name: string, subject: RegExp): Promise<ReadMail> {
  let found: ReadMail | undefined;
  await until(() => {
    found = mails.received
      .map(readMail)
      .find((mail) => mail.to === `${name}@weavers.example` && subject.test(mail.subject));
    return found !== undefined;
  }, `a mail to ${name}`);
  assert(found !== undefined);
  return found;
}

/** Opens the link of the mail in a browser, sets the password, and logs in as an app does. */
async function enter(name: string): Promise<TestClient> {
  const { path } = await mailTo(name, /set your password/);
  const browser = new Visitor(server.url, host());
  assert.equal((await browser.get(path)).status, 200);
  assert.equal((await browser.submit(path, { password: PASSWORDS[name] })).status, 200);
  return logIn(name, server.url);
}

async function logIn(name: string, url: string): Promise<TestClient> {
  const email = `${name}@weavers.example`;
  const body = new URLSearchParams({ username: email, password: PASSWORDS[name] ?? '' });
  const answer = await atHost(url, host(url), '/api/v1/fetch_api_key', { method: 'POST', body });
  assert.equal(answer.status, 200, answer.body.toString());
  const { api_key: apiKey, user_id: userId } = JSON.parse(answer.body.toString());
  return new TestClient({ url, host: host(url), email, apiKey, userId, name });
}

async function texts(reader: TestClient, narrow: readonly unknown[], count: number): Promise<readonly string[]> {
  const asked = { anchor: 'newest', num_before: count, num_after: 0, narrow, apply_markdown: false };
  const { messages } = await reader.ok('GET', '/messages', asked);
  return messages.map(({ content }: { content: string }) => content);
}

test('two commands move the team: a server, and the import of the archive', async () => {
  const { started, portOf } = await serve(place);
  server = started;
  [gatewayPort, metricsPort] = [await portOf('receiving mail'), await portOf('serving metrics')];
  const options = ['--subdomain', 'weavers', '--name', 'Weavers', '--send-mails', 'all'];
  const { code, out, err } = await runHeddle(['import', 'slack', join(directory, 'weavers.zip'), ...options], place);
  assert.equal(code, 0, err);
  assert.match(out, new RegExp(`^The organization is at http://${host()}\\.`));
  assert.match(out, /queued for 4 users/);
});

test('people enter through the mail, find their history, and nothing of others', async () => {
  const mail = await mailTo('bob', /./);
  assert.equal(mail.subject, 'Weavers has moved: set your password');
  [ada, bob] = await Promise.all([enter('ada'), enter('bob')]);
  const { subscriptions } = await bob.ok('GET', '/users/me/subscriptions');
  assert.deepEqual(subscriptions.map(({ name }: { name: string }) => name).toSorted(), [
    'general',
    'looms',
    'releases',
  ]);
  assert.equal((await texts(bob, [['channel', 'general']], 200)).length, 100);
  assert.deepEqual(await texts(bob, [['is', 'dm']], 5), ['The key is under the stone']);
  assert.deepEqual(await texts(ada, [['channel', 'founders']], 5), ['The secret number is 4711']);
  assert.ok(!JSON.stringify(await texts(bob, [], 1000)).includes('4711'));
});

test('they chat: a waiting client gets the message', async () => {
  const queue = await bob.register({ event_types: ['message'] });
  const poll = queue.next();
  await ada.send('looms', 'first evening', 'Welcome to the new shed, everybody');
  assert.match(JSON.stringify(await poll), /Welcome to the new shed/);
  await bob.ok('DELETE', '/events', { queue_id: queue.id });
});

test('who is away gets a mail, and answers by mail', async () => {
  await bob.ok('PATCH', '/settings', { email_notifications_batching_period_seconds: 1 });
  await ada.send('looms', 'first evening', 'Who brings the bobbins, @**Bob Weaver**?');
  const mail = await mailTo('bob', /^#looms > first evening/);
  assert.match(mail.body, /Who brings the bobbins/);
  const [, to = ''] = /^Reply-To: (\S+)$/im.exec(mail.source) ?? [];
  const transport = createTransport({ host: '127.0.0.1', port: gatewayPort, ignoreTLS: true });
  const text = 'I do.\n\nOn Thursday, Heddle wrote:\n> Who brings the bobbins?\n-- \nBob\n';
  await transport.sendMail({ from: 'Bob Weaver <bob@weavers.example>', to, subject: `Re: ${mail.subject}`, text });
  transport.close();
  assert.deepEqual(
    await texts(
      ada,
      [
        ['channel', 'looms'],
        ['topic', 'first evening'],
      ],
      1,
    ),
    ['I do.'],
  );
});

test('GitHub posts with a signature, and nobody posts with a wrong one', async () => {
  const { api_key: key } = await ada.ok('POST', '/bots', { full_name: 'GitHub', short_name: 'github', bot_type: 2 });
  const browser = new Visitor(server.url, host());
  await browser.logIn('ada@weavers.example', PASSWORDS.ada ?? '');
  const { text } = await browser.get('/integrations/?stream=releases'); // wire name: the parameter of the URL
  const [, shown = ''] = /value="([^"]*\/external\/github\?[^"]*)"/.exec(text) ?? [];
  const url = new URL(shown.replaceAll('&amp;', '&'));
  assert.equal(url.searchParams.get('api_key'), key);
  url.searchParams.set('webhook_secret', SECRET);
  const { body, headers } = await recorded('github', 'pull-request-merged');
  const post = (secret: string) => {
    const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    const all = { ...headers, 'content-type': 'application/json', 'x-hub-signature-256': signature };
    return postJson(url, all, body);
  };
  assert.equal(await post(SECRET), 200);
  assert.equal(await post('another secret'), 400);
  const [message = ''] = await texts(bob, [['channel', 'releases']], 1);
  assert.match(message, /baxterthehacker merged PR/);
});

/** As another program posts: `fetch` does not let programs choose the `Host` header. */
function postJson(url: URL, headers: Readonly<Record<string, string>>, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const target = new URL(url.pathname + url.search, server.url);
    const sent = request(target, { method: 'POST', headers: { ...headers, host: url.host } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject).end(body);
  });
}

test('Prometheus can read the metrics, which count the mails', async () => {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const [, sent = '0'] = /^heddle_deliveries_total\{service="mail",result="delivered"\} (\d+)$/m.exec(text) ?? [];
  assert.ok(Number(sent) >= 5);
  const promtool = '/usr/bin/promtool';
  if (existsSync(promtool)) execFileSync(promtool, ['check', 'metrics'], { input: text, stdio: 'pipe' });
});

test('a backup, restored into an empty directory, has everything', async () => {
  const [message] = (await ada.ok('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 })).messages;
  const path = join(directory, 'backup');
  const backup = await runHeddle(['backup', path], place);
  assert.equal(backup.code, 0, backup.err);
  const data = await temporaryDataDirectory();
  tidy.push(() => data.remove());
  const elsewhere = { HEDDLE_DATA_DIR: data.path, HEDDLE_PORT: String(await freePort()) };
  const restore = await runHeddle(['restore', path], elsewhere);
  assert.equal(restore.code, 0, restore.err);
  const { started } = await serve(elsewhere);
  const again = await logIn('bob', started.url);
  assert.equal(again.apiKey, bob.apiKey);
  assert.deepEqual(await texts(again, [], 1000), await texts(bob, [], 1000));
  const [newest] = (await again.ok('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 })).messages;
  assert.deepEqual([newest.id, newest.content], [message.id, message.content]);
  const plan = (
    await texts(
      again,
      [
        ['channel', 'looms'],
        ['has', 'attachment'],
      ],
      1,
    )
  ).join();
  const [file = ''] = /\/user_uploads\/[^)\s]+/.exec(plan) ?? [];
  assert.equal((await again.ask('GET', file)).text, PLAN);
});
