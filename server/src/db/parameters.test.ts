import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { type TestDatabase, testDatabase } from '../testing/database/database.ts';
import { parameterOf, textsParameter } from './parameters.ts';

let database: TestDatabase;
let client: pg.Client;
before(async () => {
  database = await testDatabase('empty');
  client = new pg.Client(database.connection);
  await client.connect();
});
after(async () => {
  await client.end();
  await database.drop();
});

async function read(type: string, list: readonly unknown[]): Promise<unknown> {
  const { rows } = await client.query(`SELECT $1::${type} AS given`, [parameterOf(list)]);
  return rows[0].given;
}

test('lists of texts arrive unchanged, whatever they contain', async () => {
  const texts = ['', 'NULL', 'null', 'a,b', '{c}', '"', '\\', '\\"$&', ' d ', 'line\nline\ttab', 'ü😀', "'", null];
  assert.deepEqual(await read('text[]', texts), texts);
  assert.deepEqual(await read('text[]', []), []);
});

test('long texts arrive unchanged too', async () => {
  const texts = ['', 'NULL', '"{\\', 'ü😀'.repeat(10_000), 'a'];
  const parameter = textsParameter(texts);
  assert(Buffer.isBuffer(parameter), 'long texts are not sent as text');
  const { rows } = await client.query('SELECT $1::text[] AS given', [parameter]);
  assert.deepEqual(rows[0].given, texts);
  await assert.rejects(client.query('SELECT $1::text[]', [textsParameter(['\0'.repeat(20_000)])]), /invalid byte/);
});

test('numbers, booleans and nulls in lists arrive unchanged', async () => {
  assert.deepEqual(await read('integer[]', [1, -2, 0, null]), [1, -2, 0, null]);
  assert.deepEqual(await read('bigint[]', [Number.MAX_SAFE_INTEGER]), [String(Number.MAX_SAFE_INTEGER)]);
  assert.deepEqual(await read('double precision[]', [1.5, 1e300, Number.NaN]), [1.5, 1e300, Number.NaN]);
  assert.deepEqual(await read('boolean[]', [true, false, null]), [true, false, null]);
  assert.deepEqual(await read('integer[]', [undefined]), [null]);
});

test('lists of other types, and values that are not lists, are left to the driver', async () => {
  const bytes = [Buffer.from('a'), Buffer.from([0, 255])];
  assert.deepEqual(await read('bytea[]', bytes), bytes);
  assert.deepEqual(
    await read('integer[]', [
      [1, 2],
      [3, 4],
    ]),
    [
      [1, 2],
      [3, 4],
    ],
  );
  for (const value of ['a', 1, null, Buffer.from('a')]) assert.equal(parameterOf(value), value);
});
