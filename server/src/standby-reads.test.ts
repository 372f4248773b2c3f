/** Searches and old history from a standby: when it serves them, and when the primary does. The faults of standbys are in `standby-faults.test.ts`. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { badRequest } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import { databaseHosts } from './config/database-url.ts';
import { openPool } from './db/pool.ts';
import { PrimarySearch } from './db/primary-search.ts';
import { Standby, Standbys } from './db/standbys.ts';
import { activeUser } from './directory/active-user.ts';
import type { Planning } from './directory/reading.ts';
import type { UserRecord } from './directory/records.ts';
import { StandbyReading } from './directory/standby-reading.ts';
import { conversationsOf } from './domain/messages/conversations/actions.ts';
import type { Fields, TestClient } from './testing/clients/client.ts';
import type { Json } from './testing/clients/json.ts';
import { servedBy } from './testing/database/history-reads.ts';
import { silent } from './testing/database/log.ts';
import { type ReplicatedCluster, startReplicatedCluster } from './testing/database/replicated-cluster.ts';
import { temporaryDataDirectory } from './testing/server/data-directory.ts';
import { startTestServer, type TestServer } from './testing/server/server.ts';
import { until } from './testing/server/until.ts';

let cluster: ReplicatedCluster;
let data: Awaited<ReturnType<typeof temporaryDataDirectory>>;
let server: TestServer;
/** The first message. */
let first: number;

before(async () => {
  [cluster, data] = await Promise.all([startReplicatedCluster(), temporaryDataDirectory()]);
  const shared = { url: cluster.url, dataDirectory: data.path };
  server = await startTestServer({ shared, isNew: true, environment: { HEDDLE_STANDBY_READS: 'on' } });
  await server.owner.subscribe('loom');
  first = await send('a red shuttle');
  await standbyServes();
});
after(async () => {
  await server.stop();
  await cluster.remove();
  await data.remove();
});

async function send(content: string, to: string = 'loom'): Promise<number> {
  return (await server.owner.ok('POST', '/messages', { type: 'channel', to, topic: 'warp', content })).id;
}

async function contentsFor(client: TestClient, fields: Fields): Promise<readonly string[]> {
  const given = { num_before: 50, num_after: 0, apply_markdown: false, ...fields };
  const { messages } = await client.ok('GET', '/messages', given);
  return messages.map(({ content }: Json) => content);
}

const search = (word: string, client = server.owner) =>
  contentsFor(client, { anchor: 'newest', narrow: [{ operator: 'search', operand: word }] });

/** Resolves when the standby has replayed everything, and is used. */
async function standbyServes(): Promise<void> {
  await cluster.caughtUp();
  const isServing = async () => (await servedBy(() => search('shuttle'))).includes('standby');
  await until(isServing, 'the standby to serve a search');
}

/** Lets the standby receive everything and replay nothing while `act` runs. */
async function withoutReplay(act: () => Promise<void>): Promise<void> {
  await cluster.standby.query('SELECT pg_wal_replay_pause()');
  const isPaused = async () =>
    (await cluster.standby.query<{ state: string }>('SELECT pg_get_wal_replay_pause_state() AS state'))[0]?.state ===
    'paused';
  await until(isPaused, 'the replay to pause');
  try {
    await act();
  } finally {
    await cluster.standby.query('SELECT pg_wal_replay_resume()');
  }
  await standbyServes();
}

type Plan = (planning: Planning<UserRecord>) => Promise<void>;

/** Reads like a search, with the given plan. */
async function readPlanned(plan: Plan): Promise<void> {
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  const caller = activeUser(organization.directory, server.owner.userId);
  const planned = async (planning: Planning<UserRecord>) => {
    await plan(planning);
    return { statement: sql`SELECT 1 AS one`, result: () => undefined };
  };
  await organization.readAtOnce(caller, planned, { mayUseStandby: true });
}

async function isStandby({ db }: Pick<Planning, 'db'>): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`SELECT pg_is_in_recovery() AS is`.execute(db);
  return rows[0]?.is === true;
}

test('a search, the count of its hits and a page of old history are read from a standby that has replayed everything', async () => {
  await standbyServes();
  const narrow = [{ operator: 'search', operand: 'shuttle' }];
  const reads: readonly (() => Promise<unknown>)[] = [
    async () => assert.deepEqual(await search('shuttle'), ['a red shuttle']),
    async () => assert.equal((await server.owner.ok('GET', '/messages/hits', { narrow })).count, 1),
    async () => assert.equal((await contentsFor(server.owner, { anchor: first })).at(-1), 'a red shuttle'),
    () => contentsFor(server.owner, { anchor: 'oldest', num_before: 0, num_after: 5 }),
    () => contentsFor(server.owner, { anchor: 'date', anchor_date: '2020-02-02', num_before: 0, num_after: 5 }),
  ];
  for (const read of reads) assert.deepEqual(await servedBy(read), ['standby'], String(read));
});

/** How often the server took a connection to the primary while `act` ran. What it does in the background counts too. */
async function primaryUses(act: () => Promise<unknown>): Promise<number> {
  const { pool } = server.app;
  let uses = 0;
  const count = () => {
    uses += 1;
  };
  pool.on('acquire', count);
  await act();
  pool.off('acquire', count);
  return uses;
}

test('a search that a standby serves reads one row of the primary', async () => {
  await standbyServes();
  const fields = {
    anchor: 'newest',
    num_before: 5,
    num_after: 0,
    narrow: [{ operator: 'search', operand: 'shuttle' }],
  };
  const searchAndMark = async () => {
    const { messages } = await server.owner.ok('GET', '/messages', fields);
    assert.match(messages[0].match_content, /red <span class="highlight">shuttle<\/span>/);
  };
  await until(async () => (await primaryUses(searchAndMark)) === 1, 'a search with one use of the primary');
});

test('a conversation that a standby names is not remembered: a failover can lose it', async (t) => {
  const member = await server.user();
  const other = await startTestServer({ shared: server.shared });
  t.after(() => other.stop());
  await (await other.sameUser(server.owner)).direct([member.userId], 'a quiet word');
  await standbyServes();
  const narrow = [{ operator: 'dm', operand: [member.userId] }];
  const read = async () =>
    assert.deepEqual(await contentsFor(server.owner, { anchor: 1_000_000, narrow }), ['a quiet word']);
  assert.deepEqual(await servedBy(read), ['standby']);
  const home = await server.app.organizations.bySubdomain('');
  assert(home !== undefined);
  const find = () => conversationsOf(server.app).find(home, [server.owner.userId, member.userId]);
  assert.notEqual(await primaryUses(find), 0);
  await until(async () => (await primaryUses(find)) === 0, 'the conversation to be remembered');
});

test('the newest messages, the first unread ones and single messages are read from the primary', async () => {
  const reads: readonly (() => Promise<unknown>)[] = [
    () => contentsFor(server.owner, { anchor: 'newest' }),
    () => contentsFor(server.owner, { anchor: 10_000_000_000_000_000 }),
    () => contentsFor(server.owner, { anchor: 'first_unread' }),
    () => server.owner.ok('GET', `/messages/${first}`),
  ];
  for (const read of reads) assert.deepEqual(await servedBy(read), [], String(read));
});

test('if the standby lacks an event, the primary serves at once: whoever saw a message finds it', async () => {
  await withoutReplay(async () => {
    await send('a bobbin');
    const served = await servedBy(async () => assert.deepEqual(await search('bobbin'), ['a bobbin']));
    assert.deepEqual(served, ['behind']);
  });
  assert.deepEqual(await servedBy(() => search('bobbin')), ['standby']);
});

test('a deleted message is not found, whatever the standby has replayed', async () => {
  const id = await send('a treadle');
  await standbyServes();
  await withoutReplay(async () => {
    assert.deepEqual(await search('treadle'), ['a treadle']);
    await server.owner.ok('DELETE', `/messages/${id}`);
    assert.deepEqual(await search('treadle'), []);
  });
  assert.deepEqual(await servedBy(async () => assert.deepEqual(await search('treadle'), [])), ['standby']);
});

test('an organization that the standby has not received yet is read from the primary', async () => {
  await withoutReplay(async () => {
    const founder = await server.organization('weavers');
    assert.deepEqual(await servedBy(() => search('shuttle', founder)), ['behind']);
  });
});

test('ended access is ended on the standby, and while it lacks the end', async () => {
  const member = await server.user();
  await server.emptyChannel(server.owner, 'secret', {
    principals: [member.userId],
    invite_only: true,
    history_public_to_subscribers: false,
  });
  await send('a hidden heddle', 'secret');
  const find = (expected: readonly string[]) => async () => assert.deepEqual(await search('hidden', member), expected);
  await standbyServes();
  assert.deepEqual(await servedBy(find(['a hidden heddle'])), ['standby']);
  await withoutReplay(async () => {
    await server.owner.ok('DELETE', '/users/me/subscriptions', {
      subscriptions: ['secret'],
      principals: [member.userId],
    });
    assert.deepEqual(await servedBy(find([])), ['behind']);
  });
  assert.deepEqual(await servedBy(find([])), ['standby']);
});

test('if the directory lacks a change that the standby has, the primary serves, and the change decides', async (t) => {
  const member = await server.user();
  await server.emptyChannel(server.owner, 'beam', { principals: [member.userId], invite_only: true });
  await send('a thread of the beam', 'beam');
  // Its bus is local, so the first server learns of its changes late.
  const other = await startTestServer({ shared: server.shared });
  t.after(() => other.stop());
  const owner = await other.sameUser(server.owner);
  const fields = { principals: [member.userId] };
  await until(async () => {
    await owner.ok('DELETE', '/users/me/subscriptions', { ...fields, subscriptions: ['beam'] });
    await cluster.caughtUp();
    const served = await servedBy(async () => assert.deepEqual(await search('thread', member), []));
    await owner.ok('POST', '/users/me/subscriptions', { ...fields, subscriptions: [{ name: 'beam' }] });
    return served.includes('directory_behind');
  }, 'a search at a process that does not know yet that the access has ended');
});

test('until a process has confirmed the log on the timeline of the primary, the primary serves', async () => {
  const { primary } = cluster;
  const confirmOn = (timeline: string) => primary.query(`UPDATE logs SET timeline = ${timeline}`);
  await confirmOn("'0000000A'");
  try {
    await cluster.caughtUp();
    assert.deepEqual(await servedBy(() => search('shuttle')), ['timeline']);
  } finally {
    await confirmOn('heddle_timeline()');
  }
  await standbyServes();
});

test('a standby whose row of the log has another timeline does not serve: it may follow a former primary', async () => {
  const { primary } = cluster;
  await primary.query("UPDATE logs SET timeline = '0000000A'");
  await cluster.caughtUp();
  await withoutReplay(async () => {
    await primary.query('UPDATE logs SET timeline = heddle_timeline()');
    assert.deepEqual(await servedBy(() => search('shuttle')), ['timeline']);
  });
});

test('a standby whose row of the log has another epoch does not serve', async () => {
  await withoutReplay(async () => {
    const [log] = await cluster.primary.query<{ epoch: string }>('SELECT epoch FROM logs WHERE organization_id = 1');
    const begin = (epoch: string) =>
      cluster.primary.query(`UPDATE logs SET epoch = ${epoch} WHERE organization_id = 1`);
    await begin('gen_random_uuid()');
    const served = await servedBy(() => search('shuttle'));
    await begin(`'${log?.epoch}'`);
    assert.deepEqual(served, ['timeline']);
  });
});

test('a standby that is far behind is not used for a while', async () => {
  await withoutReplay(async () => {
    await send('a long way');
    await cluster.primary.query("SELECT pg_logical_emit_message(true, 'heddle', repeat('x', 2000000))");
    await cluster.primary.query("SELECT pg_logical_emit_message(true, 'heddle', '')");
    assert.deepEqual(await servedBy(() => search('shuttle')), ['behind']);
    // On a slow machine, the while may end before the next search.
    const isAvoided = async () => (await servedBy(() => search('shuttle'))).includes('no_standby');
    await until(isAvoided, 'a search that does not ask the standby');
  });
});

test('an error of the request comes from the standby, and nothing is read again', async () => {
  await standbyServes();
  let plans = 0;
  const served = await servedBy(async () => {
    await assert.rejects(
      readPlanned(async () => {
        plans += 1;
        throw badRequest('This is no narrow');
      }),
      /This is no narrow/,
    );
  });
  assert.deepEqual([plans, served], [1, ['standby']]);
});

test('all statements of a read see one snapshot of the standby', async () => {
  const { primary } = cluster;
  await primary.query('CREATE TABLE picks (pick int)');
  await standbyServes();
  const counts: unknown[] = [];
  const served = await servedBy(() =>
    readPlanned(async ({ db }) => {
      if (!(await isStandby({ db }))) return;
      for (const pick of [1, 2]) {
        counts.push((await sql`SELECT pick FROM picks`.execute(db)).rows.length);
        // Only a row is added. The replay would wait for this snapshot if it had to remove one.
        await primary.query(`INSERT INTO picks VALUES (${pick})`);
        await cluster.caughtUp();
      }
    }),
  );
  assert.deepEqual([served, counts], [['standby'], [0, 0]]);
});

test('a statement that takes too long on the standby runs on the primary', async () => {
  await standbyServes();
  const hosts: boolean[] = [];
  const served = await servedBy(() =>
    readPlanned(async ({ db }) => {
      hosts.push(await isStandby({ db }));
      if (!hosts.at(-1)) return;
      await sql`SET LOCAL statement_timeout = 1`.execute(db);
      await sql`SELECT pg_sleep(60)`.execute(db);
    }),
  );
  assert.deepEqual([hosts, served], [[true, false], ['timeout']]);
  assert.deepEqual(await servedBy(() => search('shuttle')), ['standby']);
});

test('if the replay cancels a read, the primary serves it, and the standby is used again', async (t) => {
  const { primary, standby } = cluster;
  await primary.query('CREATE TABLE spools (spool int)');
  await standby.set('max_standby_streaming_delay', '0');
  // Otherwise any cleanup of the primary cancels reads of the next tests.
  t.after(() => standby.set('max_standby_streaming_delay', '30s'));
  const isSleeping = async () =>
    (await standby.query("SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'")).length > 0;
  const truncate = async () => {
    await until(isSleeping, 'the statement to run on the standby');
    await primary.query('TRUNCATE spools');
  };
  await standbyServes();
  const hosts: boolean[] = [];
  const served = await servedBy(() =>
    readPlanned(async ({ db }) => {
      hosts.push(await isStandby({ db }));
      if (!hosts.at(-1)) return;
      await sql`SELECT FROM spools`.execute(db);
      await Promise.all([sql`SELECT pg_sleep(60)`.execute(db), truncate()]);
    }),
  );
  assert.deepEqual([hosts, served], [[true, false], ['conflict']]);
  // Otherwise the replay could cancel the reads of the tests below, too.
  await standby.set('max_standby_streaming_delay', '30s');
  await standbyServes();
});

test('if one connection to the standby ends, the primary serves its read, and other reads on the standby go on', async () => {
  await standbyServes();
  const begun = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const hosts: boolean[] = [];
  const other = readPlanned(async (planning) => {
    hosts.push(await isStandby(planning));
    begun.resolve();
    await held.promise;
    await isStandby(planning);
  });
  await begun.promise;
  const served = await servedBy(() =>
    readPlanned(async ({ db }) => {
      if (!(await isStandby({ db }))) return;
      const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db);
      await cluster.standby.query(`SELECT pg_terminate_backend(${rows[0]?.pid}, 10000)`);
      await sql`SELECT`.execute(db);
    }),
  );
  held.resolve();
  await other;
  assert.deepEqual([served, hosts], [['unavailable'], [true]]);
  await standbyServes();
});

test('a standby serves four reads of a process at a time, and the primary all others', async () => {
  await standbyServes();
  const held = Promise.withResolvers<void>();
  let begun = 0;
  const reads = Array.from({ length: 4 }, () =>
    readPlanned(async (planning) => {
      assert(await isStandby(planning));
      begun += 1;
      await held.promise;
    }),
  );
  await until(() => begun === 4, 'four reads on the standby');
  assert.deepEqual(await servedBy(() => search('shuttle')), ['busy']);
  held.resolve();
  await Promise.all(reads);
  assert.deepEqual(await servedBy(() => search('shuttle')), ['standby']);
});

test('reads that wait for the primary take no place at a standby', async (t) => {
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  const { id: organizationId, directory } = organization;
  const hosts = new PrimarySearch(databaseHosts(cluster.url) ?? []);
  await hosts.find();
  const standbys = new Standbys(hosts, silent, () => undefined);
  const { pool, close } = openPool({ connectionString: cluster.primary.url }, silent, { size: 1 });
  t.after(() => Promise.all([standbys.close(), close()]));
  const lend = () => standbys.lend(async () => 'lent');
  await until(async () => (await lend()) === 'lent', 'the standby to be known');
  const reading = new StandbyReading({ pool, standbys, organizationId, directory });
  const held = await pool.connect();
  const reads = Array.from({ length: 4 }, () => reading.read(async () => undefined));
  try {
    assert.equal(await lend(), 'lent');
  } finally {
    held.release();
  }
  await Promise.all(reads);
});

test('of two idle standbys, the one that has just lacked an event is not asked first', async (t) => {
  const host = { name: 'standby', url: cluster.standby.url };
  const standbys = new Standbys(new PrimarySearch([host, host]), silent, () => undefined);
  t.after(() => standbys.close());
  const lendBoth = () => standbys.lend((one) => standbys.lend(async (other) => one !== other));
  await until(async () => (await lendBoth()) === true, 'both to be known');
  const lend = () => standbys.lend(async (standby) => standby);
  for (let lacking = 0; lacking < 3; lacking += 1) {
    const chosen = await lend();
    assert(chosen instanceof Standby);
    // timing: as a read notes it
    chosen.lackedAt = performance.now();
    assert.notEqual(await lend(), chosen);
  }
});

test('if the standby lacks an event, another one would be asked first afterwards', async (t) => {
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  const { id: organizationId, directory } = organization;
  const standbys = new Standbys(
    new PrimarySearch([{ name: 'standby', url: cluster.standby.url }]),
    silent,
    () => undefined,
  );
  t.after(() => standbys.close());
  const reading = new StandbyReading({ pool: server.app.pool, standbys, organizationId, directory });
  const read = () => servedBy(() => reading.read(async () => undefined));
  await until(async () => (await read()).includes('standby'), 'the standby to serve a read');
  const lackedAt = () => standbys.lend(async (standby) => standby.lackedAt);
  const before = await lackedAt();
  await withoutReplay(async () => {
    await send('a shed');
    assert.deepEqual(await read(), ['behind']);
  });
  assert.notEqual(await lackedAt(), before);
});

test('without the setting, the primary serves everything', async () => {
  const other = await startTestServer({ shared: server.shared });
  try {
    const owner = await other.sameUser(server.owner);
    assert.deepEqual(await servedBy(() => search('shuttle', owner)), []);
  } finally {
    await other.stop();
  }
});
