/**
 * Tests `heddle backup` and `heddle restore` as an operator uses them: beside a running server, and into an empty
 * place.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, describe, type TestContext, test } from 'node:test';
import { type TestDatabase, testDatabase } from '@heddle/server/testing/database/database.ts';
import { startHeddle } from '@heddle/server/testing/faults/heddle-process.ts';
import { runCommand, type ServeCommand, startServe } from '@heddle/server/testing/server/command-line.ts';
import { temporaryDataDirectory } from '@heddle/server/testing/server/data-directory.ts';
import { until } from '@heddle/server/testing/server/until.ts';
import { hasS3Server, startS3Server } from '@heddle/server/testing/services/s3-server.ts';
import { HEDDLE_VERSION } from '@heddle/server/version.ts';
import pg from 'pg';

const password = 'analytical engine';
type Environment = Readonly<Record<string, string>>;
type Server = Pick<ServeCommand, 'url' | 'output'> & { stop(): Promise<{ readonly code: number | null }> };

const settled: (() => Promise<void>)[] = [];
after(async () => {
  for (const tidy of settled.reverse()) await tidy();
});

async function newDirectory(): Promise<string> {
  const { path, remove } = await temporaryDataDirectory();
  settled.push(remove);
  return path;
}

async function newDatabase(): Promise<TestDatabase> {
  const database = await testDatabase('empty');
  settled.push(database.drop);
  return database;
}

/** An empty place on a database of the run's cluster, which starts sooner than an embedded one. */
async function newPlace(): Promise<{ HEDDLE_DATA_DIR: string; HEDDLE_DATABASE_URL: string }> {
  const [path, { url }] = await Promise.all([newDirectory(), newDatabase()]);
  return { HEDDLE_DATA_DIR: path, HEDDLE_DATABASE_URL: url };
}

/** A server with the embedded PostgreSQL has a process of its own. */
function serve(environment: Environment): Promise<Server> {
  const settings = { HEDDLE_OWNER_PASSWORD: password, HEDDLE_RATE_LIMITS: 'off', ...environment };
  return environment.HEDDLE_DATABASE_URL === undefined ? startHeddle(settings) : startServe(settings);
}

/** Runs a command that succeeds, and returns its JSON output. */
async function heddle(args: readonly string[], environment: Environment) {
  const { code, out, err } = await runCommand([...args, '--json'], environment);
  assert.equal(code, 0, `${args.join(' ')}: ${err}`);
  return JSON.parse(out);
}

/** Runs a command that fails, and returns its error output. */
async function complaint(args: readonly string[], environment: Environment): Promise<string> {
  const { code, out, err } = await runCommand(args, environment);
  assert.deepEqual({ code, out }, { code: 1, out: '' }, err);
  return err;
}

/** The owner, who sends, uploads and reads over HTTP. */
class Owner {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  private constructor(url: string, key: string) {
    this.#url = url;
    this.#headers = { authorization: `Basic ${btoa(`owner@localhost:${key}`)}` };
  }

  static async of({ url }: Server): Promise<Owner> {
    const body = new URLSearchParams({ username: 'owner@localhost', password });
    const answer = await fetch(`${url}/api/v1/fetch_api_key`, { method: 'POST', body });
    return new Owner(url, (await answer.json()).api_key);
  }

  // biome-ignore lint/suspicious/noExplicitAny: the answers of many endpoints
  async call(method: string, path: string, fields: Readonly<Record<string, string>> = {}): Promise<any> {
    const parameters = new URLSearchParams(fields);
    const isRead = method === 'GET' || method === 'DELETE';
    const url = `${this.#url}/api/v1${path}${isRead ? `?${parameters}` : ''}`;
    return (await fetch(url, { method, headers: this.#headers, ...(isRead ? {} : { body: parameters }) })).json();
  }

  async send(content: string): Promise<number> {
    const answer = await this.call('POST', '/messages', { type: 'direct', to: '["owner@localhost"]', content });
    assert.equal(answer.result, 'success', JSON.stringify(answer));
    return answer.id;
  }

  async upload(name: string, content: string): Promise<string> {
    const body = new FormData();
    body.append('file', new Blob([content]), name);
    const init = { method: 'POST', headers: this.#headers, body };
    const answer = await (await fetch(`${this.#url}/api/v1/user_uploads`, init)).json();
    assert.equal(answer.result, 'success', JSON.stringify(answer));
    return answer.url;
  }

  async open(path: string): Promise<string> {
    const answer = await fetch(`${this.#url}${path}`, { headers: this.#headers });
    return answer.status === 200 ? answer.text() : `status ${answer.status}`;
  }

  /** All texts of direct messages by their ids. */
  async texts(): Promise<ReadonlyMap<number, string>> {
    const query = {
      anchor: 'newest',
      num_before: '5000',
      num_after: '0',
      narrow: '[["is","dm"]]',
      apply_markdown: 'false',
    };
    const { messages } = await this.call('GET', '/messages', query);
    return new Map(messages.map(({ id, content }: { id: number; content: string }) => [id, content]));
  }

  async attachments(): Promise<readonly { id: number; path_id: string; size: number }[]> {
    return (await this.call('GET', '/attachments')).attachments;
  }
}

/** A load of sends, uploads and deletions. Records what the server acknowledged. */
class Load {
  readonly messages = new Map<number, string>();
  readonly uploads = new Map<string, string>();
  readonly #owner: Owner;
  #isOver = false;
  readonly #running: Promise<unknown>;

  constructor(owner: Owner) {
    this.#owner = owner;
    this.#running = Promise.all([this.#sends('a'), this.#sends('b'), this.#uploads(), this.#deletes()]);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #sends(name: string): Promise<void> {
    for (let number = 1; !this.#isOver; number++) {
      const text = `message ${name} ${number}`;
      this.messages.set(await this.#owner.send(text), text);
    }
  }

  async #uploads(): Promise<void> {
    for (let number = 1; !this.#isOver; number++) {
      const text = `file ${number} `.repeat(number);
      this.uploads.set(await this.#owner.upload(`${number}.txt`, text), text);
    }
  }

  async #deletes(): Promise<void> {
    // timing: a load that lasts until the test stops it
    while (!this.#isOver) {
      await this.#owner.upload('deleted.txt', 'soon deleted');
      const found = (await this.#owner.attachments()).filter(({ path_id: path }) => path.endsWith('deleted.txt'));
      for (const { id } of found) await this.#owner.call('DELETE', `/attachments/${id}`);
    }
  }
}

/** Backs up one place under load, restores it in another, and compares what a client reads there. */
async function backUpAndRestore(from: Environment, to: Environment): Promise<void> {
  const server = await serve(from);
  const owner = await Owner.of(server);
  const queue = await owner.call('POST', '/register', { event_types: '["message"]' });
  const load = new Load(owner);
  await until(() => load.messages.size >= 20 && load.uploads.size >= 5, '20 messages and 5 files of the load');
  const before = { messages: new Map(load.messages), uploads: new Map(load.uploads) };
  const directory = join(await newDirectory(), 'backup');
  const made = await heddle(['backup', directory], from);
  await load.stop();
  assert.equal(made.missing_files, 0);
  assert.equal((await server.stop()).code, 0);

  const restored = await heddle(['restore', directory], to);
  assert.deepEqual([restored.rows, restored.files], [made.rows, made.files]);
  const second = await serve(to);
  assert.deepEqual(second.output, [], 'the organization is the one of the backup');
  const again = await Owner.of(second);
  const texts = await again.texts();
  for (const [id, text] of before.messages) assert.equal(texts.get(id), text);
  for (const [path, text] of before.uploads) assert.equal(await again.open(path), text);
  for (const { path_id: path, size } of await again.attachments())
    assert.equal((await again.open(`/user_uploads/${path}`)).length, size, path);
  const { code } = await again.call('GET', '/events', { queue_id: queue.queue_id, last_event_id: '-1' });
  assert.equal(code, 'BAD_EVENT_QUEUE_ID');
  const newest = Math.max(...texts.keys());
  assert.ok((await again.send('after the restore')) > newest);
  assert.equal((await second.stop()).code, 0);
}

test('a backup of the embedded database under load contains everything acknowledged before it began, and can be restored', async () => {
  await backUpAndRestore({ HEDDLE_DATA_DIR: await newDirectory() }, { HEDDLE_DATA_DIR: await newDirectory() });
});

const skip = hasS3Server() ? false : 'there is no S3-compatible server here';
test('a backup contains the files of a bucket, and is restored into another one', { skip }, async () => {
  const [one, other] = [await startS3Server(), await startS3Server()];
  settled.push(one.stop, other.stop);
  await backUpAndRestore(
    { ...(await newPlace()), ...one.environment },
    { ...(await newPlace()), ...other.environment },
  );
});

/** Locks a table in a connection of the test, so that a command blocks there. */
async function holdTable(t: TestContext, url: string, table: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  t.after(() => client.end());
  await client.query(`BEGIN; LOCK TABLE ${table}`);
  return client;
}

/** Runs a command until a process waits for a lock in its database, and then kills the command. */
async function killWhileItWaits(args: readonly string[], environment: Environment, operator: pg.Client): Promise<void> {
  const main = join(import.meta.dirname, '..', 'main.ts');
  const child = spawn(process.execPath, [main, ...args], { env: { ...process.env, ...environment }, stdio: 'ignore' });
  const ended = once(child, 'exit');
  await until(async () => {
    const { rowCount } = await operator.query(`
      SELECT FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`);
    assert(rowCount !== 0 || child.exitCode === null, 'the command ended before it waited');
    return rowCount !== 0;
  }, 'the command to wait for a lock');
  child.kill('SIGKILL');
  await ended;
}

describe('on one database', () => {
  let from: { HEDDLE_DATA_DIR: string; HEDDLE_DATABASE_URL: string };
  let directory: string;

  test('a backup is refused if its directory exists, and the error names the reason', async () => {
    from = await newPlace();
    assert.match(await complaint(['backup', join(await newDirectory(), 'none')], from), /The database is empty/);
    const server = await serve(from);
    const owner = await Owner.of(server);
    await owner.send('hello');
    await owner.upload('hello.txt', 'hello');
    await server.stop();
    const parent = await newDirectory();
    directory = join(parent, 'backup');
    assert.match(await complaint(['backup', parent], from), /already exists\. Choose a directory that does not exist/);
    assert.match(await complaint(['backup', join(directory, 'below')], from), /does not exist\. Create it first/);
    assert.match(await complaint(['backup', join(from.HEDDLE_DATA_DIR, 'inner')], from), /is in the data directory/);
    mkdirSync(`${directory}.partial`);
    assert.match(await complaint(['backup', directory], from), /Another backup is running, or was interrupted/);
    assert.match((await runCommand(['backup'], from)).err, /^missing required argument 'DIR'/);
    assert.match(
      (await runCommand(['backup', 'one', 'two'], from)).err,
      /^too many arguments for 'backup'\. .* one, two\./,
    );
  });

  test('a killed backup leaves nothing that looks complete, and restore refuses it', async (t) => {
    const target = join(await newDirectory(), 'killed');
    const operator = await holdTable(t, from.HEDDLE_DATABASE_URL, 'users');
    await killWhileItWaits(['backup', target], from, operator);
    assert.ok(!existsSync(target));
    assert.ok(existsSync(`${target}.partial`));
    const to = await newPlace();
    assert.match(await complaint(['restore', `${target}.partial`], to), /contains no complete backup/);
    assert.match(await complaint(['restore', target], to), /contains no complete backup/);
    assert.deepEqual(readdirSync(to.HEDDLE_DATA_DIR), []);
  });

  test('a file missing from storage is reported and does not prevent a backup of the rest', async () => {
    directory = join(await newDirectory(), 'backup');
    const files = join(from.HEDDLE_DATA_DIR, 'files');
    const made = await heddle(['backup', directory], from);
    assert.deepEqual([made.files, made.missing_files], [1, 0]);
    rmSync(files, { recursive: true });
    const { out } = await runCommand(['backup', `${directory}-2`], from);
    assert.match(out, /The storage does not have 1 files that are in the database/);
  });

  test('restore refuses a database that is not empty, and one that a server uses', async () => {
    assert.match(
      await complaint(['restore', directory], { ...(await newPlace()), HEDDLE_DATABASE_URL: from.HEDDLE_DATABASE_URL }),
      /not empty/,
    );
    const used = await newPlace();
    const server = await serve(used);
    const elsewhere = { ...used, HEDDLE_DATA_DIR: await newDirectory() };
    assert.match(await complaint(['restore', directory], elsewhere), /A server is running on this database/);
    await server.stop();
    assert.match(await complaint(['restore', directory], elsewhere), /not empty/);
    assert.match(await complaint(['restore', directory], used), /already contains another secret/);
  });

  test('restore refuses a damaged backup before it changes anything', async () => {
    const to = await newPlace();
    const table = join(directory, 'database', 'messages.copy');
    const content = readFileSync(table);
    appendFileSync(table, 'x');
    assert.match(await complaint(['restore', directory], to), /messages\.copy is damaged: its checksum is wrong/);
    writeFileSync(table, content);
    const manifest = join(directory, 'manifest.json');
    const text = readFileSync(manifest, 'utf8');
    writeFileSync(manifest, text.replace(/"migration": "[^"]*"/, '"migration": "9999-later"'));
    assert.match(await complaint(['restore', directory], to), new RegExp(`needs Heddle ${HEDDLE_VERSION} or newer`));
    writeFileSync(manifest, text);
    assert.deepEqual(readdirSync(to.HEDDLE_DATA_DIR), []);
    assert.match(await complaint(['backup', join(dirname(directory), 'x')], to), /The database is empty/);
  });

  test('a killed restore can be run again, and then the server works', async (t) => {
    const to = await newPlace();
    assert.equal((await runCommand(['migrate'], to)).code, 0);
    const operator = await holdTable(t, to.HEDDLE_DATABASE_URL, 'users');
    await killWhileItWaits(['restore', directory], to, operator);
    await operator.query('ROLLBACK');
    // The server of the run has databases of other tests, too.
    const left = `FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'heddle backup'`;
    await operator.query(`SELECT pg_terminate_backend(pid) ${left}`);
    const hasEnded = async () => (await operator.query(`SELECT ${left}`)).rowCount === 0;
    await until(hasEnded, 'the connections of the killed restore to end');
    await heddle(['restore', directory], to);
    const server = await serve(to);
    const owner = await Owner.of(server);
    assert.deepEqual([...(await owner.texts()).values()].slice(-1), ['hello']);
    const [file] = await owner.attachments();
    assert.equal(await owner.open(`/user_uploads/${file?.path_id}`), 'hello');
    await server.stop();
  });
});
