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
    // Callers without valid credentials change nothing, so they can share the same fields.
    const outside = row.endpoint.authentication === 'required' ? await fieldsFor('nobody', row) : undefined;
    const callIn = async (column: Column) => {
      const fields = isOutside(column) ? (outside ?? (await fieldsFor(column, row))) : await fieldsFor(column, row);
      const { status, code } = await callAs(server.url, callerIn(column), row.endpoint, fields, await row.file?.());
      return `${column}: ${status === 200 ? status : `${status} ${code}`}`;
    };
    await letSpectatorsIn(false);
    const nobody = await callIn('nobody');
    await letSpectatorsIn(true);
    const found = await Promise.all(COLUMNS.map((column) => (column === 'nobody' ? nobody : callIn(column))));
    const expected = outcomesOf(row.outcomes).map((letter, index) => `${COLUMNS[index]}: ${OUTCOMES[letter]}`);
    assert.deepEqual(found, expected);
  });
}

/** The letters of a row, one for each column. */
function outcomesOf(outcomes: string): readonly string[] {
  return [...outcomes.replaceAll(' ', '')];
}

/** The credentials for the call. */
const callerIn = (column: Column) => (isWithoutAccount(column) ? undefined : cast.callers[column]);

const letSpectatorsIn = (enable_spectator_access: boolean) =>
  server.owner.ok('PATCH', '/realm', { enable_spectator_access });

async function fieldsFor(column: Column, { fields }: AccessRow): Promise<Fields> {
  return fields(new Scene(cast, column));
}
