/**
 * The access rules: calls every operation as every kind of caller. The rows of `testing/access/access-table.ts` and of each
 * folder's `access-rows.ts` state the expected outcomes. An operation without a row fails.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { allEndpoints } from '@heddle/api/all-endpoints.ts';
import type { Endpoint } from '@heddle/api/contract.ts';
import { features } from './all-features.ts';
import { ABSENT_VIDEO_SERVER } from './features/video-calls/access-rows.ts';
import { ABSENT_PUSH_SERVICE } from './testing/access/access-of-phones.ts';
import { type AccessRow, OUTCOMES } from './testing/access/access-row.ts';
import {
  type Cast,
  COLUMNS,
  type Column,
  gather,
  isOutside,
  isWithoutAccount,
  Scene,
} from './testing/access/access-scene.ts';
import { ACCESS_TABLE } from './testing/access/access-table.ts';
import { callAs } from './testing/access/call-as.ts';
import type { Fields } from './testing/clients/client.ts';
import { startTestServer, type TestServer } from './testing/server/server.ts';

let server: TestServer;
let cast: Cast;
const contract = await allEndpoints();

before(async () => {
  server = await startTestServer({
    environment: { HEDDLE_DEV_LOGIN: '1', ...ABSENT_PUSH_SERVICE, ...ABSENT_VIDEO_SERVER },
  });
  cast = await gather(server);
  await callAsNobody();
});
after(() => server.stop());

const idsOf = (endpoints: readonly Endpoint[]) => [...new Set(endpoints.map(({ operationId }) => operationId))].sort();

// rules: conventions-14
test('every operation has a row, and every row has an outcome for each kind of caller', () => {
  const served = features.flatMap((feature) => feature.routes?.(server.app, { stateParts: [], exports: [] }) ?? []);
  const known = [...contract, ...served.map(({ endpoint }) => endpoint)];
  assert.deepEqual(idsOf(ACCESS_TABLE.map(({ endpoint }) => endpoint)), idsOf(known));
  for (const { endpoint, what, outcomes } of ACCESS_TABLE) {
    const letters = outcomesOf(outcomes);
    const about = `${endpoint.operationId}, ${what}: '${outcomes}'`;
    assert.equal(letters.length, COLUMNS.length, about);
    assert(
      letters.every((letter) => letter in OUTCOMES),
      about,
    );
  }
});

for (const row of ACCESS_TABLE) {
  // rules: conventions-14, spectators-2
  test(`callers that may use ${row.endpoint.operationId}: ${row.what}`, async () => {
    const found = await Promise.all(
      COLUMNS.map((column) => (column === 'nobody' ? foundAsNobody.get(row) : callIn(column, row))),
    );
    const expected = outcomesOf(row.outcomes).map((letter, index) => `${COLUMNS[index]}: ${OUTCOMES[letter]}`);
    assert.deepEqual(found, expected);
  });
}

/** The outcomes of the column `nobody`, and the fields that callers without valid credentials share: they change nothing. */
const foundAsNobody = new Map<AccessRow, Promise<string>>();
const sharedFields = new Map<AccessRow, Promise<Fields>>();

/** Makes the calls without spectator access, all before the others: each change of that setting is a change of the organization. */
async function callAsNobody(): Promise<void> {
  await letSpectatorsIn(false);
  for (const row of ACCESS_TABLE) {
    const found = callIn('nobody', row);
    foundAsNobody.set(row, found);
    // The test of the row reports the failure.
    await found.catch(() => undefined);
  }
  await letSpectatorsIn(true);
}

async function callIn(column: Column, row: AccessRow): Promise<string> {
  const fields = await fieldsFor(column, row);
  const { status, code } = await callAs(server.url, callerIn(column), row.endpoint, fields, await row.file?.());
  return `${column}: ${status === 200 ? status : `${status} ${code}`}`;
}

/** The letters of a row, one for each column. */
function outcomesOf(outcomes: string): readonly string[] {
  return [...outcomes.replaceAll(' ', '')];
}

/** The credentials for the call. */
const callerIn = (column: Column) => (isWithoutAccount(column) ? undefined : cast.callers[column]);

const letSpectatorsIn = (enable_spectator_access: boolean) =>
  server.owner.ok('PATCH', '/realm', { enable_spectator_access });

async function fieldsFor(column: Column, row: AccessRow): Promise<Fields> {
  const isShared = isOutside(column) && row.endpoint.authentication === 'required';
  if (!isShared) return row.fields(new Scene(cast, column));
  const fields = sharedFields.get(row) ?? Promise.resolve(row.fields(new Scene(cast, 'nobody')));
  sharedFields.set(row, fields);
  return fields;
}
