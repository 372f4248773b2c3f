import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { SMTPServer } from 'smtp-server';
import { readConfig } from '../config.ts';
import { addJob } from '../jobs/adding.ts';
import { failedJobs } from '../jobs/failed.ts';
import { Jobs } from '../jobs/jobs.ts';
import { job } from '../jobs/kind.ts';
import { makeWords, wordKind, writeWord, writtenWords } from '../testing/database/job-table.ts';
import { openTestLog, silent, type TestLog } from '../testing/database/log.ts';
import { composeGreeting, greeting, KEY } from '../testing/server/greeting-mail.ts';
import { mailing, queueMail } from './kind.ts';
import { mailJobs } from './mailer.ts';

let log: TestLog;
let directory: string;
let organizationId: number;
before(async () => {
  log = await openTestLog();
  directory = await mkdtemp(join(tmpdir(), 'heddle-mail-'));
  await makeWords(log.db);
  organizationId = await log.organization();
});
after(async () => {
  await log.stop();
  await rm(directory, { recursive: true });
});
beforeEach(() => sql`TRUNCATE jobs, words`.execute(log.db));

/** The workers of one process that send mails with these settings. The test stops them. */
async function work(
  t: TestContext,
  environment: Readonly<Record<string, string>>,
  make = composeGreeting,
): Promise<Jobs> {
  const { config } = readConfig({
    HEDDLE_DATA_DIR: directory,
    HEDDLE_MAIL_FROM: 'Heddle <heddle@example.org>',
    ...environment,
  });
  const jobs = new Jobs({ settings: log.connection, log: silent });
  t.after(() => jobs.stop(0));
  const greetings = mailing(greeting, async ({ about: { name } }) => (name === 'nobody' ? undefined : make(name)));
  const word = job(wordKind('word'), ({ db, payload }) => writeWord(db, payload.word));
  await jobs.start([...mailJobs(config, [greetings]), word]);
  return jobs;
}

const queue = (name: string) => queueMail(log.db, greeting, { organizationId, about: { name } });
const dueNow = () => sql`UPDATE jobs SET due_at = now()`.execute(log.db);
const jobsLeft = async () =>
  (await sql<{ attempts: number; last_error: string | null }>`SELECT attempts, last_error FROM jobs`.execute(log.db))
    .rows;

interface Received {
  readonly to: readonly string[];
  readonly from: string;
  readonly source: string;
}

/** A real mail server. `refusing` is its reply when it receives a mail. */
async function mailServer(t: TestContext, refusing: () => Error | undefined = () => undefined) {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    onData(stream, session, done) {
      let source = '';
      stream.on('data', (chunk: Buffer) => {
        source += chunk.toString();
      });
      stream.on('end', () => {
        const problem = refusing();
        if (problem !== undefined) return done(problem);
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          to: rcptTo.map(({ address }) => address),
          from: mailFrom === false ? '' : mailFrom.address,
          source,
        });
        done();
      });
    },
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  t.after(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  return { received, environment: { HEDDLE_SMTP_URL: `smtp://127.0.0.1:${port}` } };
}

/** A server that accepts connections and never replies. */
async function silentServer(t: TestContext) {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { server, environment: { HEDDLE_SMTP_URL: `smtp://127.0.0.1:${port}` } };
}

const headerOf = (source: string, name: string) =>
  new RegExp(`^${name}: (.*(?:\\r?\\n[ \\t].*)*)`, 'im').exec(source)?.[1];

test('a mail reaches the mail server with a text and an HTML part, once', async (t) => {
  const { received, environment } = await mailServer(t);
  const jobs = await work(t, environment);
  await queue('Ann & <b>');
  await jobs.settled();
  await jobs.settled();
  assert.equal(received.length, 1);
  const [mail] = received;
  assert.deepEqual([mail?.from, mail?.to], ['heddle@example.org', ['ann@example.com']]);
  const source = mail?.source ?? '';
  assert.match(source, /^From: Heddle <heddle@example.org>/m);
  assert.match(source, /^Content-Type: multipart\/alternative/m);
  assert.match(source, /You are Ann & <b>\./);
  assert.match(source, /You are Ann &amp; &lt;b&gt;\./);
  assert.match(source, /^Auto-Submitted: auto-generated/m);
  assert.deepEqual(await jobsLeft(), []);
});

test('a mail is not sent if the transaction that queued it is rolled back', async (t) => {
  const { received, environment } = await mailServer(t);
  const jobs = await work(t, environment);
  const rolledBack = log.db.transaction().execute(async (db) => {
    await queueMail(db, greeting, { organizationId, about: { name: 'Ann' } });
    throw new Error('no');
  });
  await assert.rejects(rolledBack, /no/);
  await jobs.settled();
  assert.equal(received.length, 0);
});

test('a mail that is no longer necessary is not sent', async (t) => {
  const { received, environment } = await mailServer(t);
  const jobs = await work(t, environment);
  await queue('nobody');
  await jobs.settled();
  assert.deepEqual([received.length, await jobsLeft()], [0, []]);
});

test('a mail to an address that no mail reaches is not sent, and is no failure', async (t) => {
  const { received, environment } = await mailServer(t);
  const jobs = await work(t, environment, (name) => ({ ...composeGreeting('x'), to: name }));
  for (const address of ['imported-u05@users.invalid', 'ann@Invalid']) await queue(address);
  await queue('ann@invalid.example.com');
  await jobs.settled();
  assert.deepEqual(
    received.map(({ to }) => to),
    [['ann@invalid.example.com']],
  );
  assert.deepEqual(await jobsLeft(), []);
});

test('a mail that the server refuses temporarily is sent again with the same Message-ID', async (t) => {
  const refusals = [Object.assign(new Error(`busy, come back for ${KEY}`), { responseCode: 451 })];
  const ids: (string | undefined)[] = [];
  const { received, environment } = await mailServer(t, () => refusals.shift());
  const jobs = await work(t, environment);
  await queue('Ann');
  const [stored] = (await sql<{ payload: { token: string } }>`SELECT payload FROM jobs`.execute(log.db)).rows;
  await jobs.settled();
  const [waiting] = await jobsLeft();
  assert.equal(waiting?.attempts, 1);
  assert.match(waiting?.last_error ?? '', /the mail server did not accept a mail: EMESSAGE \(451/);
  await dueNow();
  await jobs.settled();
  for (const { source } of received) ids.push(headerOf(source, 'Message-ID'));
  assert.deepEqual(ids, [`<heddle.${stored?.payload.token}@example.org>`]);
});

test('no failure reason and no log contains the content of a mail, even if the mail server repeats it', async (t) => {
  const { environment } = await mailServer(t, () =>
    Object.assign(new Error(`no links like http://localhost/${KEY}`), { responseCode: 554 }),
  );
  const jobs = await work(t, environment);
  await queue('Ann');
  await jobs.settled();
  const [failed] = await failedJobs(log.db, 10);
  assert.match(failed?.reason ?? '', /EMESSAGE \(554/);
  assert(!JSON.stringify(failed).includes(KEY));
});

test('a permanent refusal is not retried, and the mail is kept as a failed job', async (t) => {
  const { environment } = await mailServer(t, () => Object.assign(new Error('never'), { responseCode: 550 }));
  const jobs = await work(t, environment);
  await queue('Ann');
  await jobs.settled();
  const [failed, ...others] = await failedJobs(log.db, 10);
  assert.deepEqual([failed?.kind, failed?.attempts, others.length], ['send-mail', 1, 0]);
});

test('a mail is retried if the mail server is unreachable or refuses the login', async (t) => {
  const { server, environment } = await silentServer(t);
  await new Promise((resolve) => server.close(resolve));
  const jobs = await work(t, environment);
  await queue('Ann');
  await jobs.settled();
  const [waiting] = await jobsLeft();
  assert.match(waiting?.last_error ?? '', /the mail server did not accept a mail/);
  assert.equal((await failedJobs(log.db, 10)).length, 0);
});

test('a mail server that hangs blocks no other job', async (t) => {
  const { server, environment } = await silentServer(t);
  const jobs = await work(t, environment);
  const asked = once(server, 'connection');
  for (let count = 0; count < 8; count += 1) await queue('Ann');
  jobs.wake();
  await asked;
  const written = new Promise<void>((resolve) => {
    const look = async () => {
      if ((await writtenWords(log.db)).length > 0) resolve();
      else setImmediate(look);
    };
    void look();
  });
  await addJob(log.db, wordKind('word'), { organizationId: null, payload: { word: 'done' } });
  jobs.wake();
  await written;
  assert.deepEqual(await writtenWords(log.db), ['done']);
});

test('a process that stops while the mail server hangs returns the mail to the queue, and another sends it', async (t) => {
  const { server, environment: hanging } = await silentServer(t);
  const first = await work(t, hanging);
  const asked = once(server, 'connection');
  await queue('Ann');
  first.wake();
  await asked;
  await first.stop(0);
  const { received, environment } = await mailServer(t);
  const second = await work(t, environment);
  await second.settled();
  assert.equal(received.length, 1);
});

test('the mail of a process that is killed while sending is not lost: another process sends it', async (t) => {
  const { server, environment: hanging } = await silentServer(t);
  await queue('Ann');
  const worker = join(import.meta.dirname, '../testing/faults/mail-worker.ts');
  const asked = once(server, 'connection');
  const child = fork(worker, [log.connection.connectionString ?? ''], { env: { ...process.env, ...hanging } });
  await asked;
  child.kill('SIGKILL');
  await once(child, 'exit');
  const { received, environment } = await mailServer(t);
  const jobs = await work(t, environment);
  // The backend of the killed process rolls back when it notices that its client has disconnected.
  for (await jobs.settled(); (await jobsLeft()).length > 0; await jobs.settled()) await dueNow();
  assert.equal(received.length, 1);
});

test('without a mail server, mails are files that only their owner may read, and a retry writes the same file', async (t) => {
  const jobs = await work(t, {});
  await queue('Ann');
  await jobs.settled();
  const place = join(directory, 'mail');
  const [name, ...others] = await readdir(place);
  assert.equal(others.length, 0);
  assert.match(name ?? '', /^\d{8,}-greeting-[0-9a-f]{8}\.eml$/);
  const path = join(place, name ?? '');
  assert.equal((await stat(path)).mode & 0o077, 0);
  assert.equal((await stat(place)).mode & 0o077, 0);
  const source = await readFile(path, 'utf8');
  assert.match(source, new RegExp(`http://localhost/${KEY}`));
  assert.equal(headerOf(source, 'To'), 'ann@example.com');
});

test('no name and no address can add a header line or another recipient', async (t) => {
  const { received, environment } = await mailServer(t);
  const jobs = await work(t, environment, (name) => ({
    ...composeGreeting('x'),
    to: name.startsWith('to:') ? name.slice(3) : 'ann@example.com',
    title: name,
  }));
  const hostile = [
    'Hi\r\nBcc: eve@example.com',
    'Hi\nX-Evil: 1\n\n<b>body</b>',
    'Hi\u2028Bcc: eve@example.com',
    '\u0007\r',
  ];
  for (const title of hostile) await queue(title);
  const addresses = [
    'a@example.com, eve@example.com',
    '"eve@example.com x"@example.com',
    'a@example.com>\r\nBcc: <eve@example.com',
  ];
  for (const address of addresses) await queue(`to:${address}`);
  await jobs.settled();
  assert.equal(received.length, hostile.length);
  for (const { to, source } of received) {
    assert.deepEqual(to, ['ann@example.com']);
    const [head = ''] = source.split('\r\n\r\n');
    assert.doesNotMatch(head, /^(Bcc|X-Evil):/im);
  }
  const failed = await failedJobs(log.db, 10);
  assert.deepEqual(new Set(failed.map(({ reason }) => reason)), new Set(['the address cannot receive mail']));
  assert.equal(failed.length, addresses.length);
});
