/**
 * Who may do what: every operation in the hands of everybody. What must become of it is written down in `testing/access-table.ts`;
 * an operation that is not in that table fails here.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { allEndpoints } from '@heddle/api/all-endpoints.ts';
import type { Endpoint } from '@heddle/api/contract.ts';
import { features } from './app.ts';
import { ABSENT_PUSH_SERVICE } from './testing/access-of-phones.ts';
import { type AccessRow, OUTCOMES } from './testing/access-row.ts';
import { type Cast, COLUMNS, type Column, gather, isOutside, isWithoutAccount, Scene } from './testing/access-scene.ts';
import { ACCESS_TABLE } from './testing/access-table.ts';
import { callAs } from './testing/call-as.ts';
import type { Fields } from './testing/client.ts';
import { startTestServer, type TestServer } from './testing/server.ts';

let server: TestServer;
let cast: Cast;
const contract = await allEndpoints();

before(async () => {
  server = await startTestServer({ environment: { HEDDLE_DEV_LOGIN: '1', ...ABSENT_PUSH_SERVICE } });
  cast = await gather(server);
});
after(() => server.stop());

const idsOf = (endpoints: readonly Endpoint[]) => [...new Set(endpoints.map(({ operationId }) => operationId))].sort();

test('every operation has a row, and every row has an outcome for everybody', () => {
  const served = features.flatMap((feature) => feature.routes?.(server.rooms, { stateParts: [] }) ?? []);
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
  test(`who may call ${row.endpoint.operationId}: ${row.what}`, async () => {
    // Who gets nowhere without or with these credentials changes nothing, so one and the same thing will do.
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

/** Whose credentials go with the call. */
const callerIn = (column: Column) => (isWithoutAccount(column) ? undefined : cast.callers[column]);

const letSpectatorsIn = (enable_spectator_access: boolean) =>
  server.owner.ok('PATCH', '/realm', { enable_spectator_access });

async function fieldsFor(column: Column, { fields }: AccessRow): Promise<Fields> {
  return fields(new Scene(cast, column));
}
