import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { commitWords, openTestLog, type TestLog, word } from '../testing/database/log.ts';
import { fc } from '../testing/random/property.ts';
import { appendStatement } from './append.ts';
import { commitLocked } from './change.ts';
import { LogEntry } from './entry.ts';
import { commitEphemeral } from './ephemeral.ts';
import { readEvents, readPosition } from './read.ts';
import { MESSAGE_ID, type RowWriter } from './rows.ts';

let log: TestLog;
before(async () => {
  log = await openTestLog();
});
after(() => log.stop());

test('an entry with rows or messages but no event is refused instead of being lost', () => {
  const entry = new LogEntry();
  assert.equal(entry.isEmpty, true);
  entry.addMessage();
  assert.throws(() => entry.isEmpty, { message: 'an entry has messages or rows, but no event' });
  entry.append(word('message'));
  assert.equal(entry.isEmpty, false);
});

/** The steps of one writer. */
type Step =
  | { readonly do: 'change'; readonly events: number; readonly end: 'commits' | 'throws' | 'fails in the database' }
  | { readonly do: 'announce'; readonly events: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      events: fc.nat({ max: 3 }),
      end: fc.constantFrom('commits', 'commits', 'throws', 'fails in the database'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('announce' as const), events: fc.integer({ min: 1, max: 3 }) }) },
);
const writers = fc.array(fc.array(step, { minLength: 1, maxLength: 12 }), { minLength: 2, maxLength: 8 });

const refused = new Error('refused');

/** Each committed group of events, as its writer got it: the ids and the words. */
type CommittedGroup = readonly { readonly id: number; readonly text: string }[];

interface Writer {
  readonly organization: number;
  readonly name: string;
  /** Receives what the writer commits. */
  readonly groups: CommittedGroup[];
  readonly turns: Steps;
}

async function write({ organization, name, groups, turns }: Writer, steps: readonly Step[]): Promise<void> {
  for (const [turn, one] of steps.entries()) {
    turns.announce();
    const texts = Array.from({ length: one.events }, (_, index) => `${name} ${turn} ${index}`);
    if (one.do === 'announce') {
      const events = await commitEphemeral(log.pool, organization, texts.map(word));
      groups.push(events.map((event) => ({ id: event.id, text: String(event.body) })));
      continue;
    }
    const change = commitLocked(log.pool, organization, async ({ db, append }) => {
      // A row beside the events, to check that both are committed or neither.
      await sql`INSERT INTO server_facts VALUES (${`${organization} ${name} ${turn}`}, '')`.execute(db);
      const ids = texts.map((text) => ({ id: append(word(text)), text }));
      turns.announce();
      if (one.end === 'throws') throw refused;
      if (one.end === 'fails in the database') await sql`SELECT 1 / 0`.execute(db);
      return ids;
    });
    if (one.end === 'commits') groups.push((await change).result);
    else await assert.rejects(change, one.end === 'throws' ? refused : /division by zero/);
  }
}

/**
 * Reads the log at the beginning of each step of a writer, while its events are not committed yet, and after the last step. Between those
 * reads, it takes no processor time from the writers.
 */
async function follow(organization: number, steps: Steps): Promise<number> {
  let seen = 0;
  // timing: until the writers have ended
  for (;;) {
    const { areOver } = steps;
    const next = steps.next();
    const { rows } = await sql<{ id: number }>`
      SELECT id FROM events WHERE organization_id = ${organization} ORDER BY id`.execute(log.db);
    const ids = rows.map((row) => row.id);
    assert.deepEqual(
      ids,
      ids.map((_, index) => index + 1),
      'at every moment the visible events are 1…n',
    );
    assert(ids.length >= seen, 'visible events stay');
    seen = ids.length;
    if (areOver) return seen;
    await next;
  }
}

/** Announces the steps of the writers. */
class Steps {
  areOver = false;
  #next = Promise.withResolvers<void>();

  /** Resolves at the next step, or at the end. */
  next(): Promise<void> {
    return this.#next.promise;
  }

  announce(): void {
    this.#next.resolve();
    this.#next = Promise.withResolvers();
  }

  end(): void {
    this.areOver = true;
    this.announce();
  }
}

test('I1, I2: with concurrent writers, ids are 1…n in the order of commits, and a rollback leaves nothing', async () => {
  await fc.assert(
    fc.asyncProperty(writers, async (scripts) => {
      const organization = await log.organization();
      const groups: CommittedGroup[] = [];
      const turns = new Steps();
      const readers = [follow(organization, turns), follow(organization, turns)];
      const written = scripts.map((steps, index) =>
        write({ organization, name: `writer ${index}`, groups, turns }, steps),
      );
      // The readers and writers end also after a failure, so that the next run has the database for itself.
      const ended = Promise.allSettled(written).then(() => turns.end());
      await Promise.allSettled([...readers, ended]);
      const [seen] = await Promise.all([...readers, ...written]);

      const events = await readEvents(log.db, organization, 0, 10_000);
      assert.equal(seen, events.length);
      assert.equal((await readPosition(log.db, organization)).head, events.length);
      assert.deepEqual(
        events.map(({ id, body }) => ({ id, text: body })),
        groups.flat().toSorted((a, b) => a.id - b.id),
        'writers received exactly the ids of their events',
      );
      for (const group of groups) {
        const base = group[0]?.id ?? 0;
        assert(
          group.every(({ id }, index) => id === base + index),
          'the events of a commit are consecutive',
        );
      }
      const committed = scripts.flat().filter((one) => one.do === 'change' && one.end === 'commits').length;
      const { rows } = await sql`
        SELECT FROM server_facts WHERE key LIKE ${`${organization} writer%`}`.execute(log.db);
      assert.equal(rows.length, committed, 'a row exists exactly if its change was committed');
    }),
    // Each run interleaves in another way, so a smaller example would prove nothing, and searching for it takes minutes.
    { numRuns: 12, endOnFailure: true },
  );
});

test('I2: while a change holds the organization lock, no other transaction appends', async () => {
  const organization = await log.organization();
  const reachedInside = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  const slow = commitLocked(log.pool, organization, async ({ position, append }) => {
    assert.equal(position.head, 0);
    append(word('first'));
    reachedInside.resolve();
    await mayEnd.promise;
  });
  await reachedInside.promise;
  const others = [
    commitWords(log.pool, organization, 'later'),
    commitEphemeral(log.pool, organization, [word('later too')]),
  ];
  const { rows } = await sql`
    SELECT FROM logs WHERE organization_id = ${organization} FOR NO KEY UPDATE SKIP LOCKED`.execute(log.db);
  assert.equal(rows.length, 0, 'the log is locked');
  mayEnd.resolve();
  await Promise.all([slow, ...others]);
  const events = await readEvents(log.db, organization, 0, 10);
  assert.equal(events[0]?.body, 'first');
  assert.equal(events.length, 3);
});

test('the logs of different organizations do not wait for each other', async () => {
  const one = await log.organization();
  const other = await log.organization();
  await commitLocked(log.pool, one, async ({ append }) => {
    append(word('outer'));
    await commitWords(log.pool, other, 'inner');
  });
  assert.equal((await readEvents(log.db, one, 0, 10)).length, 1);
  assert.equal((await readEvents(log.db, other, 0, 10)).length, 1);
});

test('an event that is read from the table equals the one that was appended', async () => {
  const organization = await log.organization();
  const { events } = await commitLocked(log.pool, organization, async ({ append }) => {
    append({
      type: 'a',
      audience: { to: 'users', users: [3, 1] },
      body: { text: 'ä\u2028"' },
      deltas: [{ delta: 'x' }],
    });
    append({ type: 'b', audience: { to: 'everyone', except: [2] }, body: null, messageId: 7 });
  });
  const [ephemeral] = await commitEphemeral(log.pool, organization, [word('soon forgotten')]);
  assert.deepEqual(await readEvents(log.db, organization, 0, 10), [...events, ephemeral]);
  assert.deepEqual(await readEvents(log.db, organization, 1, 1), [events[1]]);
});

test('the log records the last event that changed the directory', async () => {
  const organization = await log.organization();
  await commitLocked(log.pool, organization, async ({ append }) => {
    append(word('nothing'));
    append({ ...word('something'), deltas: [] });
    append(word('nothing'));
  });
  assert.deepEqual(await readPosition(log.db, organization), { head: 3, directoryHead: 2, messageHead: 0 });
  await commitWords(log.pool, organization, 'nothing');
  assert.equal((await readPosition(log.db, organization)).directoryHead, 2);
});

test('a change without events does not change the log', async () => {
  const organization = await log.organization();
  const { result, events } = await commitLocked(log.pool, organization, async () => 'done');
  assert.equal(result, 'done');
  assert.deepEqual(events, []);
  assert.equal((await readPosition(log.db, organization)).head, 0);
});

const said = {
  table: 'said',
  columns: { message_id: MESSAGE_ID, words: 'text' },
} as const satisfies RowWriter;
const counted = {
  table: 'counted',
  columns: { number: 'integer' },
  write: (rows: string) =>
    `UPDATE counted SET number = counted.number + new.number FROM ${rows} WHERE organization_id = $1`,
} as const satisfies RowWriter;

test('rows that a caller describes are written with the events, with the ids of new messages, or not at all', async () => {
  const organization = await log.organization();
  await sql`CREATE TABLE said (organization_id int, message_id bigint, words text)`.execute(log.db);
  await sql`CREATE TABLE counted AS SELECT ${organization}::int AS organization_id, 0 AS number`.execute(log.db);
  const ids: number[] = [];
  const commit = (...words: readonly string[]) =>
    commitLocked(log.pool, organization, async ({ entry }) => {
      entry.write(counted, [{ number: words.length }]);
      entry.write(said, [{ message_id: null, words: 'first' }]);
      for (const text of words) {
        const message_id = entry.addMessage((id) => ids.push(id));
        entry.write(said, [{ message_id, words: text }]);
        entry.append(word(text), message_id);
      }
      if (words.includes('never')) throw refused;
    });
  await commit('one');
  await assert.rejects(commit('never'), refused);
  const { events } = await commit('two "\\" {', 'x'.repeat(20_000));
  assert.deepEqual(
    events.map(({ messageId }) => messageId),
    [2, 3],
  );
  assert.deepEqual(ids, [1, 2, 3]);
  const { rows } = await sql`SELECT message_id, left(words, 9) AS words FROM said ORDER BY 1 NULLS FIRST`.execute(
    log.db,
  );
  assert.deepEqual(rows, [
    { message_id: null, words: 'first' },
    { message_id: null, words: 'first' },
    { message_id: 1, words: 'one' },
    { message_id: 2, words: 'two "\\" {' },
    { message_id: 3, words: 'xxxxxxxxx' },
  ]);
  assert.deepEqual((await sql`SELECT number FROM counted`.execute(log.db)).rows, [{ number: 3 }]);
});

test('entries with rows of the same tables share a prepared statement, and those with others have another', () => {
  const statement = (...writers: readonly (typeof said | typeof counted)[]) => {
    const entry = new LogEntry();
    entry.append(word('a word'));
    for (const writer of writers) {
      if (writer === said) entry.write(said, [{ message_id: null, words: '' }]);
      else entry.write(counted, [{ number: 1 }]);
    }
    const { name, text } = appendStatement(1, entry, { directory: 0, head: null });
    return { name, text };
  };
  assert.deepEqual(statement(said, counted), statement(counted, said));
  assert.notEqual(statement(said).name, statement(said, counted).name);
  assert.notEqual(statement().name, statement(said).name);
});

test('two descriptions of one table are refused, because they would share a prepared statement', () => {
  const appended = (columns: { readonly number: 'integer' }) => {
    const entry = new LogEntry();
    entry.append(word('a word'));
    entry.write({ table: 'described_twice', columns }, [{ number: 1 }]);
    return appendStatement(1, entry, { directory: 0, head: null });
  };
  appended({ number: 'integer' });
  assert.throws(() => appended({ number: 'integer' }), /two writers share a table: described_twice/);
});
