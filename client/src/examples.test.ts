/** The examples in the comments of the client compile and work. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { TestClient } from '@heddle/server/testing/clients/client.ts';
import { startTestServer, type TestServer } from '@heddle/server/testing/server/server.ts';
import * as client from './index.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');

/** The values that examples use without a declaration. */
interface Given {
  readonly url: string;
  readonly email: string;
  readonly password: string;
  readonly apiKey: string;
  readonly connection: client.Connection;
  /** Another user. */
  readonly userId: number;
  /** The channel `general`, to which the account is subscribed. */
  readonly channelId: number;
  /** A message of the other user in that channel. */
  readonly messageId: number;
}

interface Example {
  /** The function or class that it explains. */
  readonly name: string;
  readonly code: string;
}

/** What a bot needs. Each has an example. */
const NEEDED_BY_BOTS = [
  'runBot',
  'Session',
  'Connection',
  'logIn',
  'isApiError',
  'isTemporary',
  'isOutcomeUnknown',
  'uploadFile',
  'sendMessage',
  'updateMessage',
  'getMessage',
  'getMessages',
  'updateMessageFlags',
  'addReaction',
  'removeReaction',
  'setTyping',
  'subscribe',
  'unsubscribe',
  'getSubscriptions',
  'getChannels',
  'getChannelId',
  'getTopics',
  'getUsers',
  'getUser',
  'getOwnUser',
  'registerQueue',
  'getEvents',
  'createBot',
  'getBotStorage',
  'updateBotStorage',
];
const PASSWORD = 'long enough for a test of examples';

const examples = await examplesOf(import.meta.dirname);
let server: TestServer;
let owner: TestClient;
let directory: string;
before(async () => {
  server = await startTestServer();
  ({ owner } = server);
  await owner.subscribe('general');
  directory = await mkdtemp(join(tmpdir(), 'heddle-examples-'));
  await writeFile(join(directory, 'examples.mts'), programOf(examples));
});
after(async () => {
  await server.stop();
  await rm(directory, { recursive: true, force: true });
});

/** All examples in the comments of a folder. */
async function examplesOf(folder: string): Promise<readonly Example[]> {
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'));
  const sources = files
    .filter((name) => !name.endsWith('.test.ts'))
    .map((name) => readFile(join(folder, name), 'utf8'));
  const pattern = /\/\*\*(?<comment>(?:(?!\*\/)[\s\S])*@example[\s\S]*?)\*\/\s*export (?:async )?\w+ (?<name>\w+)/g;
  return (await Promise.all(sources)).flatMap((source) => {
    return [...source.matchAll(pattern)].flatMap(({ groups: { comment = '', name = '' } = {} }) => {
      const [, ...blocks] = comment.replaceAll(/^ *\* ?/gm, '').split('@example\n');
      return blocks.map((block) => ({ name, code: block.replace(/\n@[\s\S]*/, '').trim() }));
    });
  });
}

/** A module with one function per example. */
function programOf(all: readonly Example[]): string {
  const names = Object.keys(client).filter((name) => all.some(({ code }) => new RegExp(`\\b${name}\\b`).test(code)));
  return [
    `import { ${names.join(', ')}, type Connection as Account } from '${pathToFileURL(join(import.meta.dirname, 'index.ts')).pathname}';`,
    'interface Given { url: string; email: string; password: string; apiKey: string; connection: Account; userId: number;',
    '  channelId: number; messageId: number }',
    ...all.map(({ code }, index) => {
      return `export async function example${index}({ url, email, password, apiKey, connection, userId, channelId, messageId }: Given) {\n{\n${code}\n}\n}`;
    }),
  ].join('\n');
}

/** An account for one example, so that examples do not depend on each other. */
async function given(): Promise<Given> {
  const { email, apiKey } = await server.user({ password: PASSWORD });
  const { url } = server;
  const connection = new client.Connection({ url, credentials: { email, apiKey } });
  await client.subscribe(connection, { subscriptions: [{ name: 'general' }] });
  const { stream_id: channelId } = await client.getChannelId(connection, { stream: 'general' });
  const messageId = await owner.send('general', 'lunch', 'hello');
  return { url, email, password: PASSWORD, apiKey, connection, userId: owner.userId, channelId, messageId };
}

test('each function that a bot needs has an example', () => {
  const explained = new Set(examples.map(({ name }) => name));
  assert.deepEqual(
    NEEDED_BY_BOTS.filter((name) => !explained.has(name)),
    [],
  );
  for (const { name } of examples) assert(name in client, `${name} is not a part of the package`);
});

test('the examples compile', async () => {
  const compilerOptions = {
    lib: ['esnext', 'dom', 'dom.iterable'],
    types: [],
    noUnusedLocals: false,
    noUnusedParameters: false,
  };
  const settings = { extends: join(root, 'tsconfig.json'), compilerOptions, include: [], files: ['examples.mts'] };
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(settings));
  const tsc = join(root, 'node_modules', '.bin', 'tsc');
  const { stdout } = await run(tsc, ['--noEmit', '--project', directory]).catch((error) => error);
  assert.equal(stdout, '');
});

for (const [index, { name }] of examples.entries()) {
  test(`the example of ${name} works`, async () => {
    const module = await import(pathToFileURL(join(directory, 'examples.mts')).href);
    await module[`example${index}`](await given());
  });
}
