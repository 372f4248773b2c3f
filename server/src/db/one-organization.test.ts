/**
 * No statement of a request touches two organizations, and each names its own. So a distributed PostgreSQL such as Citus, which divides tables
 * by organization, can run it on one machine. PostgreSQL's own plan of each statement says what it reads and writes.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ABSENT_VIDEO_SERVER } from '../features/video-calls/access-rows.ts';
import { ABSENT_PUSH_SERVICE } from '../testing/access/access-of-phones.ts';
import { type Cast, type Column, gather, isWithoutAccount, Scene } from '../testing/access/access-scene.ts';
import { ACCESS_TABLE } from '../testing/access/access-table.ts';
import { callAs } from '../testing/access/call-as.ts';
import { StatementPlanner, strayParts, WITHOUT_TABLES } from '../testing/database/organization-scans.ts';
import { type RecordedStatement, recordStatements } from '../testing/database/recorded-statements.ts';
import { startTestServer, type TestServer } from '../testing/server/server.ts';
import { connectionSettingsOf } from './connection-settings.ts';

/** Statements of the whole server, by a part of their text. The reason says for what. Only the first two are part of requests. */
const OF_SERVER: Readonly<Record<string, string>> = {
  'from "organizations" where "subdomain" = $1': 'a request finds its organization by the host that it names',
  'EXISTS (SELECT FROM organizations o WHERE id <> $1':
    'an import in the browser is only for the first organization of a server',
  'FROM unnest($1::int[], $2::text[], $3::float8[], $4::bigint[]) AS seen':
    'when queues were last read is written for many queues at a time',
  '(SELECT heddle_timeline()) as "timeline" from "logs"': 'a process looks for commits that no bus announced',
  'WITH RECURSIVE newest AS': 'consumers of the log look for unread events',
  'SELECT ARRAY( SELECT due.organization_id': 'the scheduler looks for due rows',
  'FROM push_devices WHERE due_at <= now()': 'the client of the push service looks for devices to introduce',
  'FROM push_notifications WHERE due_at <= now()': 'the client of the push service looks for due notifications',
  'WITH RECURSIVE host AS': 'Web Push looks for push services with due notifications',
  'WITH RECURSIVE bot AS': 'outgoing webhooks look for bots with due requests',
};

/** They reach all statements: some only change what is one's own, and some only read what others wrote. */
const CALLERS = ['owner', 'member', 'spectator'] as const satisfies readonly Column[];

let server: TestServer;
let planner: StatementPlanner;
let statements: readonly RecordedStatement[];

before(async () => {
  server = await startTestServer({
    environment: { HEDDLE_DEV_LOGIN: '1', ...ABSENT_PUSH_SERVICE, ...ABSENT_VIDEO_SERVER },
  });
  const recorded = recordStatements(server.app.pool);
  const cast = await gather(server);
  for (const caller of CALLERS) await callEverything(cast, caller);
  const { jobs, consumers, scheduler, queues } = server.app;
  await queues.flush();
  await jobs.settled();
  await consumers.settled();
  await scheduler.settled();
  statements = recorded().filter(({ text }) => !WITHOUT_TABLES.test(text));
  planner = new StatementPlanner(connectionSettingsOf(server.shared.url));
  await planner.open();
});
after(async () => {
  await planner?.close();
  await server.stop();
});

async function callEverything(cast: Cast, column: Column): Promise<void> {
  for (const row of ACCESS_TABLE) {
    const fields = await row.fields(new Scene(cast, column));
    const caller = isWithoutAccount(column) ? undefined : cast.callers[column];
    await callAs(server.url, caller, row.endpoint, fields, await row.file?.());
  }
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

test('each statement of a request names its organization wherever it reads or writes, and touches no other', async () => {
  assert(statements.length > 300, `${statements.length} statements`);
  const found: { readonly statement: string; readonly stray: readonly string[] }[] = [];
  for (const statement of statements) {
    const stray = strayParts(statement, await planner.plan(statement.text));
    if (stray.length > 0) found.push({ statement: oneLine(statement.text), stray });
  }
  const isOfServer = (text: string) => Object.keys(OF_SERVER).some((part) => text.includes(part));
  assert.deepEqual(
    found.filter(({ statement }) => !isOfServer(statement)),
    [],
  );
  const texts = statements.map(({ text }) => oneLine(text));
  const unused = Object.keys(OF_SERVER).filter((part) => !texts.some((text) => text.includes(part)));
  assert.deepEqual(unused, []);
});

test('the check finds statements that do not name one organization everywhere', async () => {
  const found = async (text: string, ...values: readonly unknown[]) =>
    strayParts({ text, executions: [values] }, await planner.plan(text)).length > 0;
  const two = 'SELECT FROM users u, channels c WHERE u.organization_id = $1 AND c.organization_id = $2';
  assert(await found(two, 1, 2));
  assert(!(await found(two, 1, 1)));
  assert(!(await found('SELECT FROM users WHERE organization_id = $1 AND (is_bot OR role = $2)', 1, 100)));
  for (const text of [
    'SELECT FROM users WHERE organization_id = $1 OR role = $2',
    'SELECT FROM users WHERE organization_id = ANY ($1)',
    'SELECT FROM users u JOIN channels c ON c.creator_id = u.id WHERE u.organization_id = $1',
    'WITH a AS MATERIALIZED (SELECT $1::integer AS organization_id) SELECT FROM users u JOIN a USING (organization_id)',
    'DELETE FROM reactions WHERE ctid = ANY (ARRAY(SELECT ctid FROM reactions WHERE organization_id = $1))',
    'INSERT INTO digests (organization_id, user_id) SELECT 1, id FROM users WHERE organization_id = $1',
    'INSERT INTO digests (organization_id, user_id) VALUES ($1, 1), (2, 2)',
  ]) {
    assert(await found(text, 1, 1), text);
  }
  assert(await found('INSERT INTO digests (organization_id, user_id) VALUES ($1, 1), ($2, 2)', 1, 2));
});
