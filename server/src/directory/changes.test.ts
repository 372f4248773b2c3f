import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { badRequest } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import type { DbTransaction } from '../db/schema.ts';
import { allow } from '../db/transaction.ts';
import { type NewMessage, sendMessage } from '../domain/sending/sending/send-message.ts';
import type { TestClient } from '../testing/clients/client.ts';
import { startTestServer, type TestServer } from '../testing/server/server.ts';
import type { AppendedKind, GroupedKind, Organization } from './organization.ts';
import type { UserRecord } from './records.ts';

let server: TestServer;
let other: TestServer;
let organization: Organization;
let owner: UserRecord;
before(async () => {
  server = await startTestServer();
  other = await startTestServer({ shared: server.shared });
  organization = await organizationOf(server);
  const user = organization.directory.user(server.owner.userId);
  assert(user !== undefined);
  owner = user;
});
after(async () => {
  await other.stop();
  await server.stop();
});

async function organizationOf(of: TestServer): Promise<Organization> {
  const found = await of.app.organizations.bySubdomain('');
  assert(found !== undefined);
  return found;
}

const note = (text: string) => ({ type: 'realm', audience: { to: 'nobody' }, body: text }) as const;

/** Writes a row beside the event. */
async function write(db: DbTransaction, key: string): Promise<void> {
  await sql`INSERT INTO server_facts VALUES (${key}, '') ON CONFLICT (key) DO UPDATE SET value = server_facts.value || '.'`.execute(
    db,
  );
}

async function timesWritten(key: string): Promise<number> {
  const { rows } = await sql<{ value: string }>`SELECT value FROM server_facts WHERE key = ${key}`.execute(
    server.app.db,
  );
  const [row] = rows;
  return row === undefined ? 0 : row.value.length + 1;
}

async function changeDirectory(of: Organization): Promise<void> {
  await of.transact('server', 'exclusive', async ({ directory, append }) => {
    append({ ...note('directory'), deltas: [{ delta: 'organization', organization: directory.organization }] });
  });
}

test('a conflicting transaction retries against the new directory', async () => {
  const seen: number[] = [];
  await organization.transact(owner, 'optimistic', async ({ db, directory, append }) => {
    seen.push(directory.changedAt);
    await write(db, 'conflicted');
    append(note('conflicted'));
    if (seen.length === 1) await changeDirectory(await organizationOf(other));
  });
  assert.equal(seen.length, 2);
  assert((seen[1] ?? 0) > (seen[0] ?? 0));
  assert.equal(await timesWritten('conflicted'), 1, 'the writes of the conflicted attempt were rolled back');
});

test('after two conflicts a transaction acquires the organization lock first, and succeeds however often the directory changes', async () => {
  let attempts = 0;
  await organization.transact(owner, 'optimistic', async ({ append }) => {
    attempts += 1;
    append(note('stubborn'));
    if (attempts <= 2) await changeDirectory(await organizationOf(other));
  });
  assert.equal(attempts, 3);
});

test('after yieldToOthers, a conflicted transaction commits before the next exclusive one', async () => {
  // On a slow machine the conflict may be known only after the pause. Then the next round shows it.
  for (let round = 0; round < 10; round++) {
    const begun = Promise.withResolvers<void>();
    const mayAppend = Promise.withResolvers<void>();
    const order: string[] = [];
    const conflicted = organization
      .transact(owner, 'optimistic', async ({ append }) => {
        begun.resolve();
        await mayAppend.promise;
        append(note('conflicted'));
      })
      .then(() => order.push('conflicted'));
    await begun.promise;
    await changeDirectory(organization);
    mayAppend.resolve();
    await organization.yieldToOthers();
    const next = changeDirectory(organization).then(() => order.push('next'));
    await Promise.all([conflicted, next]);
    if (order[0] === 'conflicted') return;
  }
  assert.fail('the next exclusive transaction was always first');
});

test('a send during an exclusive transaction of this process runs directly after it, before the next one, without a conflict', async (t) => {
  // The turn timeout of the next test never comes.
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { order, done, release } = await whileChanging();
  const next = organization.transact('server', 'exclusive', async ({ append }) => {
    order.push('next');
    append(note('next'));
  });
  const sent = organization.inGroup(
    sending(() => order.push('checked')),
    'sent',
  );
  release();
  await Promise.all([done, next, sent]);
  assert.deepEqual(order, ['changed', 'checked', 'checked', 'next'], 'once before it acquires the lock, once after');
});

test('a send has a turn timeout: during a long exclusive transaction it tries for the organization lock itself', async () => {
  const { order, done, release } = await whileChanging();
  await organization.inGroup(
    sending(() => {
      order.push('tried');
      release();
    }),
    'sent',
  );
  await done;
  assert.deepEqual(order.slice(0, 2), ['tried', 'changed']);
});

/** Sends that append one event each. */
function sending(check: () => void): AppendedKind<string, string> {
  return {
    weightOf: () => 0,
    resultFor(item) {
      check();
      return { result: item, events: [note(item)] };
    },
  };
}

/** An exclusive transaction that holds the organization lock until it is released. */
async function whileChanging() {
  const order: string[] = [];
  const begun = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const done = organization.transact('server', 'exclusive', async ({ db, directory, append }) => {
    await allow(db, { pause: 60_000 });
    begun.resolve();
    await gate.promise;
    order.push('changed');
    append({ ...note('directory'), deltas: [{ delta: 'organization', organization: directory.organization }] });
  });
  await begun.promise;
  return { order, done, release: gate.resolve };
}

test('an exclusive transaction is repeated if its session ended while this process was busy, even if only the socket shows it', async () => {
  let attempts = 0;
  await organization.transact('server', 'exclusive', async ({ db, append }) => {
    attempts += 1;
    await write(db, 'busy');
    append(note('busy'));
    if (attempts > 1) return;
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db);
    const pid = rows[0]?.pid;
    assert(pid !== undefined);
    await server.app.pool.query('SELECT pg_terminate_backend($1)', [pid]);
    // Blocks the event loop, so that the last message of PostgreSQL stays unread.
    while (existsSync(`/proc/${pid}`));
  });
  assert.equal(attempts, 2);
  assert.equal(await timesWritten('busy'), 1);
});

test('an optimistic transaction of a user who was deactivated meanwhile is refused', async () => {
  const client = await server.user();
  const user = organization.directory.user(client.userId);
  assert(user !== undefined);
  const change = organization.transact(user, 'optimistic', async ({ append }) => {
    append(note('closed'));
    await organization.transact('server', 'exclusive', async (open) => {
      const deltas = [{ delta: 'user', user: { ...user, isActive: false } }];
      open.append({ ...note('closing'), deltas });
    });
  });
  await assert.rejects(change, { code: 'USER_DEACTIVATED' });
});

test('an optimistic and an exclusive transaction with opposite lock orders both succeed, and the optimistic one retries', async () => {
  await write(server.app.db as never, 'contested');
  const holdsLog = Promise.withResolvers<void>();
  const holdsRow = Promise.withResolvers<void>();
  let attempts = 0;
  const optimistic = organization.transact(owner, 'optimistic', async ({ db, append }) => {
    attempts += 1;
    await allow(db, { pause: 60_000 });
    await write(db, 'contested');
    append(note('rows first'));
    holdsRow.resolve();
    if (attempts === 1) await holdsLog.promise;
  });
  const theirs = (await organizationOf(other)).transact('server', 'exclusive', async ({ db, append }) => {
    await allow(db, { pause: 60_000 });
    await holdsRow.promise;
    holdsLog.resolve();
    await write(db, 'contested');
    append(note('log first'));
  });
  await Promise.all([optimistic, theirs]);
  assert.equal(attempts, 2);
  assert.equal(await timesWritten('contested'), 3);
});

const writing: GroupedKind<string, string> = {
  name: 'writing',
  async write({ db }, items) {
    const able = items.filter((item) => !item.startsWith('bad'));
    for (const item of [...new Set(able)].sort()) await write(db, item);
    return items.map((item) =>
      item.startsWith('bad') ? { error: badRequest(item) } : { result: `${item}!`, events: [note(item)] },
    );
  },
};

test('the items of a batch commit together, and a refused item affects only itself', async () => {
  const start = organization.position;
  const outcomes = await Promise.allSettled(
    ['one', 'bad', 'two', 'three'].map((item) => organization.inGroup(writing, item)),
  );
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.message)),
    ['one!', 'bad', 'two!', 'three!'],
  );
  assert.equal(organization.position, start + 3);
});

test('an item whose statement fails affects only itself, because the items of its batch are retried one by one', async () => {
  const failing: GroupedKind<number, number> = {
    name: 'dividing',
    async write({ db }, items) {
      const { rows } = await sql<{ quotient: number }>`
        SELECT 12 / divisor AS quotient FROM unnest(${[...items]}::int[]) AS divisor`.execute(db);
      return rows.map(({ quotient }) => ({ result: quotient, events: [note('divided')] }));
    },
  };
  const outcomes = await Promise.allSettled([3, 0, 4].map((divisor) => organization.inGroup(failing, divisor)));
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'failed')),
    [4, 'failed', 3],
  );
});

function noticeIn(channelId: number, text: string): NewMessage {
  return {
    row: {
      sender_id: owner.id,
      channel_id: channelId,
      conversation_id: null,
      fingerprint: '',
      topic: 'notices',
      content: text,
      rendered_content: `<p>${text}</p>`,
      mentions_channel: false,
      is_me_message: false,
      client: 'Internal',
      has_submessages: false,
    },
    sentAt: Math.floor(Date.now() / 1000),
    flags: [[owner.id, 1]],
    event: note(text),
    firstInChannel: null,
    revivesChannel: null,
    massMention: null,
  };
}

async function contentOf(client: TestClient, id: number): Promise<string> {
  return (await client.ok('GET', `/messages/${id}`, { apply_markdown: false })).message.content;
}

test('an item that triggers a bug affects only itself', async () => {
  const fragile: GroupedKind<string, string> = {
    name: 'fragile',
    async write(_, items) {
      if (items.includes('odd')) throw new TypeError('nobody thought of this');
      return items.map((item) => ({ result: item, events: [note(item)] }));
    },
  };
  const outcomes = await Promise.allSettled(['one', 'odd', 'two'].map((item) => organization.inGroup(fragile, item)));
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.message)),
    ['one', 'nobody thought of this', 'two'],
  );
});

test('transactions of both modes can carry messages, which commit with them or not at all', async () => {
  await server.owner.subscribe('notices');
  const channelId = organization.directory.channelByName('notices')?.id ?? 0;
  const newest = async () => {
    const { rows } = await sql<{ head: number }>`SELECT message_head AS head FROM logs`.execute(server.app.db);
    return rows[0]?.head ?? 0;
  };
  const before = await newest();
  const id = await organization.transact(
    'server',
    'exclusive',
    async ({ position, entry }) => position.messageHead + sendMessage(entry, noticeIn(channelId, 'with the log')),
  );
  assert.equal(id, before + 1);
  assert.equal(await contentOf(server.owner, id), 'with the log');
  await organization.transact(owner, 'optimistic', async ({ entry, append }) => {
    append(note('cause'));
    sendMessage(entry, noticeIn(channelId, 'without it'));
  });
  assert.equal(await contentOf(server.owner, before + 2), 'without it');
  await assert.rejects(
    organization.transact(owner, 'optimistic', async ({ entry }) => {
      sendMessage(entry, noticeIn(channelId, 'never'));
      throw badRequest('no');
    }),
  );
  assert.equal(await newest(), before + 2);
});

test('sends, optimistic transactions and registrations succeed while two processes change the directory without pause', async () => {
  const member = await server.user();
  await server.owner.subscribe('busy', { principals: [server.owner.userId, member.userId] });
  const theirs = await organizationOf(other);
  let isOver = false;
  let directoryChanges = 0;
  const changing = [organization, theirs].map(async (of) => {
    // timing: changes without pause until the test ends
    while (!isOver) {
      await changeDirectory(of);
      directoryChanges += 1;
    }
  });
  const ids = await Promise.all(
    [server.owner, member, server.owner, member].map(async (client) => {
      const sent: number[] = [];
      for (let count = 0; count < 10; count++) {
        const id = await client.send('busy', 'still', `message ${count}`);
        sent.push(id);
        await client.ok('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' });
        const { state } = await client.register();
        assert(state.starred_messages.includes(id), 'the initial state includes the change');
      }
      return sent;
    }),
  );
  isOver = true;
  await Promise.all(changing);
  assert.equal(new Set(ids.flat()).size, 40);
  assert(directoryChanges > 0);
});

test('large items are written alone, one after the other, and small items do not wait for them', async () => {
  const gate = Promise.withResolvers<void>();
  // Each may conflict with an exclusive transaction of the other server and retry.
  const tried = new Set<string>();
  const kind: GroupedKind<string, string> = {
    name: 'sizes',
    isLarge: (item) => item.startsWith('large'),
    async write(_, items) {
      tried.add(items.join());
      if (items[0] === 'large 1') await gate.promise;
      return items.map((item) =>
        item === 'large 2' ? { error: badRequest('refused') } : { result: item, events: [note(item)] },
      );
    },
  };
  const large = ['large 1', 'large 2', 'large 3'].map((item) => organization.inGroup(kind, item));
  const fates = Promise.allSettled(large);
  const small = ['small 1', 'small 2'].map((item) => organization.inGroup(kind, item));
  assert.deepEqual(await Promise.all(small), ['small 1', 'small 2']);
  const before = [...tried];
  gate.resolve();
  assert.deepEqual(before.toSorted(), ['large 1', 'small 1,small 2']);
  assert.deepEqual(
    (await fates).map((fate) => (fate.status === 'fulfilled' ? fate.value : fate.reason.message)),
    ['large 1', 'refused', 'large 3'],
  );
  assert.deepEqual([...tried].slice(2), ['large 2', 'large 3']);
});

test('an optimistic transaction that waits too long for a row retries before it acquires the organization lock', async () => {
  const held = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const holder = organization.transact(owner, 'optimistic', async ({ db }) => {
    await allow(db, { pause: 60_000 });
    await write(db, 'held');
    held.resolve();
    await over.promise;
  });
  await held.promise;
  const holdsLog: boolean[] = [];
  await organization.transact(owner, 'optimistic', async (change) => {
    holdsLog.push(change.holdsLog);
    if (holdsLog.length === 2) over.resolve();
    await write(change.db, 'held');
    change.append(note('waited'));
  });
  await holder;
  assert.deepEqual(holdsLog, [false, false]);
});

test('large transactions run one at a time', async () => {
  let running = 0;
  let most = 0;
  const change = () =>
    organization.transact(
      owner,
      'optimistic',
      async ({ db, append }) => {
        most = Math.max(most, ++running);
        await write(db, 'very many');
        append(note('very many'));
        running -= 1;
      },
      { isLarge: true },
    );
  await Promise.all([change(), change(), change()]);
  assert.equal(most, 1);
});
