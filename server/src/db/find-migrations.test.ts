import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { findMigrations } from './find-migrations.ts';

const made: string[] = [];
after(async () => {
  for (const folder of made) await rm(folder, { recursive: true });
});

const MIGRATION = 'export async function up() {}\n';

/** The names of the migrations found in a source folder with these files. */
async function foundIn(...paths: readonly string[]): Promise<readonly string[]> {
  const source = await mkdtemp(join(tmpdir(), 'heddle-migrations-'));
  made.push(source);
  const files = {
    'package.json': '{ "type": "module" }',
    ...Object.fromEntries(paths.map((path) => [path, MIGRATION])),
  };
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(source, path)), { recursive: true });
    await writeFile(join(source, path), path.includes('without-up') ? '' : content);
  }
  return Object.keys(await findMigrations(pathToFileURL(`${source}/`)));
}

test('migrations of the database, of the domain and of features are found in one sequence, ordered by number', async () => {
  const found = await foundIn(
    'features/widgets/migrations/0003-widgets.ts',
    'domain/topics/migrations/0002-topics.ts',
    'db/migrations/0004-more-topics.ts',
    'features/gadgets/migrations/0005-gadgets.ts',
    'domain/people/names/migrations/0006-names.ts',
    'db/migrations/0001-initial.ts',
  );
  assert.deepEqual(found, [
    '0001-initial',
    '0002-topics',
    '0003-widgets',
    '0004-more-topics',
    '0005-gadgets',
    '0006-names',
  ]);
});

test('tests, SQL files and files in other folders are not migrations', async () => {
  const found = await foundIn(
    'db/migrations/0001-initial.ts',
    'db/migrations/0001-initial.test.ts',
    'db/migrations/0001-initial/01-organizations.sql',
    'db/0002-elsewhere.ts',
    'features/widgets/0003-elsewhere.ts',
    'features/widgets/inner/migrations/0004-elsewhere.ts',
  );
  assert.deepEqual(found, ['0001-initial']);
});

test('two migrations with the same number are refused, and the error names both files', async () => {
  await assert.rejects(
    foundIn('features/widgets/migrations/0002-widgets.ts', 'db/migrations/0002-topics.ts'),
    new Error(
      'The migrations db/migrations/0002-topics.ts and features/widgets/migrations/0002-widgets.ts have the same number, 0002',
    ),
  );
});

test('two migrations with the same name are refused, and the error names both files', async () => {
  await assert.rejects(
    foundIn('features/widgets/migrations/0003-topics.ts', 'db/migrations/0002-topics.ts'),
    new Error(
      'The migrations db/migrations/0002-topics.ts and features/widgets/migrations/0003-topics.ts have the same name, topics',
    ),
  );
});

test('a migration needs a name of a four-digit number and words', async () => {
  for (const name of ['2-topics.ts', '00002-topics.ts', '0002.ts', '0002-Topics.ts', '0002_topics.ts', 'topics.ts']) {
    await assert.rejects(
      foundIn(`db/migrations/${name}`),
      new Error(`The migration db/migrations/${name} must have a name like 0076-log-cursors.ts`),
    );
  }
});

test('a migration needs an exported function `up`', async () => {
  await assert.rejects(
    foundIn('db/migrations/0002-without-up.ts'),
    new Error('The migration db/migrations/0002-without-up.ts does not export a function `up`'),
  );
});

test('the first migration is the initial migration of release 0.2.0', async () => {
  assert.equal(Object.keys(await findMigrations())[0], '0001-initial');
});
