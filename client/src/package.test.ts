/** The published package works without this repository. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { startTestServer, type TestServer } from '@heddle/server/testing/server/server.ts';
import { until } from '@heddle/server/testing/server/until.ts';
import { buildClient } from '../../scripts/client-package/build.ts';
import { Connection, createBot, getBots, getEvents, registerQueue, sendMessage } from './index.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');

let server: TestServer;
/** A directory outside the repository, in which the package is installed. */
let directory: string;
before(async () => {
  server = await startTestServer();
  directory = await mkdtemp(join(tmpdir(), 'heddle-client-'));
  const built = join(directory, 'built');
  await buildClient(built);
  await run('npm', ['pack', built, '--pack-destination', directory], { cwd: directory });
  const archive = (await readdir(directory)).find((name) => name.endsWith('.tgz'));
  assert(archive !== undefined);
  await rm(built, { recursive: true });
  await writeFile(join(directory, 'package.json'), JSON.stringify({ name: 'a-bot', type: 'module', private: true }));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${archive}`], { cwd: directory });
});
after(async () => {
  await server.stop();
  await rm(directory, { recursive: true, force: true });
});

/** The Node.js of the machine, which is often older than ours. Ours if there is none of a supported version. */
async function oldestNode(): Promise<string> {
  const version = await run('/usr/bin/env', ['node', '-p', 'process.versions.node']).catch(() => undefined);
  const [major = 0, minor = 0] = (version?.stdout ?? '').split('.').map(Number);
  return major > 20 || (major === 20 && minor >= 3) ? 'node' : process.execPath;
}

async function startProgram(file: string, environment: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const { PATH = '', HOME = '' } = process.env;
  const options = { cwd: directory, env: { PATH, HOME, ...environment }, stdio: 'inherit' } as const;
  return spawn('/usr/bin/env', [await oldestNode(), file], options);
}

test('the package has no dependencies and none of our tests', async () => {
  const installed = join(directory, 'node_modules', '@heddle', 'client');
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  assert.equal(manifest.dependencies, undefined);
  assert.deepEqual(await readdir(join(directory, 'node_modules', '@heddle')), ['client']);
  const files = await readdir(installed, { recursive: true });
  assert(files.includes('README.md') && files.includes('LICENSE') && files.includes('index.d.ts'));
  const unwanted = files.filter((name) => name.includes('test') || (name.endsWith('.ts') && !name.endsWith('.d.ts')));
  assert.deepEqual(unwanted, []);
});

test('the bot of the README answers', async () => {
  const readme = await readFile(join(directory, 'node_modules', '@heddle', 'client', 'README.md'), 'utf8');
  const [, code] = /```js\n([\s\S]*?)```/.exec(readme) ?? [];
  assert(code !== undefined);
  await writeFile(join(directory, 'bot.js'), code);
  const { url, owner } = server;
  const connection = new Connection({ url, credentials: { email: owner.email, apiKey: owner.apiKey } });
  const bot = await createBot(connection, { full_name: 'Echo', short_name: 'echo' });
  const { bots } = await getBots(connection);
  const program = await startProgram('bot.js', {
    SERVER_URL: url,
    BOT_EMAIL: bots[0]?.username ?? '',
    BOT_API_KEY: bot.api_key,
  });
  const ended = once(program, 'exit');
  try {
    assert.equal(await replyOf(connection, bot.user_id), 'You said: ping');
  } finally {
    program.kill();
    await ended;
  }
});

/** Writes to the bot when it has an event queue. Returns its first message. */
async function replyOf(connection: Connection, botId: number): Promise<string> {
  const { queue_id, last_event_id } = await registerQueue(connection, { event_types: ['message'] });
  assert(queue_id !== null && last_event_id !== undefined);
  await until(async () => {
    const queues = server.app.db.selectFrom('queues').select('id').where('user_id', '=', botId);
    return (await queues.execute()).length > 0;
  }, 'the queue of the bot');
  await sendMessage(connection, { type: 'direct', to: [botId], content: 'ping' });
  let last = last_event_id;
  return until(async () => {
    const { events } = await getEvents(connection, { queue_id, last_event_id: last });
    last = events.at(-1)?.id ?? last;
    const reply = events.find((event) => event.type === 'message' && event.message.sender_id === botId);
    return reply?.type === 'message' ? reply.message.content : undefined;
  }, 'the reply of the bot');
}

test('the declarations of the package compile in a program of TypeScript', async () => {
  await writeFile(join(directory, 'bot.ts'), PROGRAM);
  const compilerOptions = {
    strict: true,
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023', 'dom'],
    types: [],
    noEmit: true,
  };
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['bot.ts'] }));
  const tsc = join(root, 'node_modules', '.bin', 'tsc');
  const { stdout } = await run(tsc, ['--project', directory]).catch((error) => error);
  assert.equal(stdout, '');
});

const PROGRAM = `
import { Connection, type EventOfType, getEvents, isApiError, sendMessage, type ServerEvent } from '@heddle/client';

const connection = new Connection({ url: 'https://chat.example.com', credentials: { email: 'a@b.example', apiKey: 'k' } });
const { events } = await getEvents(connection, { queue_id: 'q', last_event_id: -1 });
const words = (event: ServerEvent): string => (event.type === 'message' ? event.message.content : event.type);
const first: EventOfType<'message'> | undefined = events.find((event) => event.type === 'message');
try {
  await sendMessage(connection, { type: 'channel', to: 'general', topic: 'x', content: words(events[0]!) + first?.id });
  // @ts-expect-error The content is required.
  await sendMessage(connection, { type: 'channel', to: 'general' });
} catch (error) {
  if (isApiError(error, 'STREAM_DOES_NOT_EXIST')) console.log(error.fields.stream_id?.toFixed());
  // @ts-expect-error This error has no such field.
  if (isApiError(error, 'RATE_LIMIT_HIT')) console.log(error.fields.stream);
}
`;
