import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { changedFiles, testsOf } from './changed-tests.ts';
import { readSources } from './checks/source.ts';

/** The tests for a change of one file, in a project with these imports. */
function select(changed: string, files: Readonly<Record<string, string>>): readonly string[] {
  const sources = Object.entries(files).map(([path, text]) => ({ path, text }));
  return testsOf([changed], sources).files;
}

const snippets = 'server/src/features/saved-snippets';
const server = {
  'server/src/testing/server/server.ts': "import '../../app.ts'; import '../../domain/users/users/actions.ts';",
  'server/src/app.ts': "import './all-features.ts'; import './domain/users/users/actions.ts';",
  'server/src/domain/users/users/actions.ts': '',
  'server/src/domain/users/users/users.test.ts': "import '../../../testing/server/server.ts';",
  [`${snippets}/index.ts`]: "import './routes.ts';",
  [`${snippets}/routes.ts`]: "import { a } from './actions.ts';",
  [`${snippets}/actions.ts`]: "import { a } from '../../domain/users/users/actions.ts';",
  [`${snippets}/limits/many.test.ts`]: "import '../../../testing/server/server.ts';",
  'server/src/health.test.ts': "import './testing/server/server.ts';",
};

test('tests that import a file directly or through others are selected, and a changed test itself', () => {
  const files = {
    'client/src/a.ts': '',
    'web/src/b.ts': "export { a } from '@heddle/client/a.ts';",
    'web/src/deep/c.test.ts': "const b = await import('../b.ts');",
    'web/src/deep/d.test.ts': '',
  };
  assert.deepEqual(select('client/src/a.ts', files), ['web/src/deep/c.test.ts']);
  assert(select('web/src/deep/d.test.ts', files).includes('web/src/deep/d.test.ts'));
});

test('imports of types are left to the type check', () => {
  const selected = (text: string) => select('api/src/a.ts', { 'api/src/a.ts': '', 'web/src/b.test.ts': text }).length;
  assert.equal(selected("import type { A } from '@heddle/api/a.ts';"), 0);
  assert.equal(selected("export type * from '@heddle/api/a.ts';"), 0);
  assert.equal(selected("import { type A, a } from '@heddle/api/a.ts';"), 1);
  assert.equal(selected("import type from '@heddle/api/a.ts';"), 1);
});

test('a change in a feature selects the tests of its folder, and not every test that starts a server', () => {
  assert.deepEqual(select(`${snippets}/actions.ts`, server), [`${snippets}/limits/many.test.ts`]);
});

test('a change in the domain selects its own tests and those of the features above it', () => {
  const expected = ['server/src/domain/users/users/users.test.ts', `${snippets}/limits/many.test.ts`];
  assert.deepEqual(select('server/src/domain/users/users/actions.ts', server), expected);
});

test('a change of what puts the server together, or of a helper of tests, selects all tests that use it', () => {
  for (const path of ['server/src/app.ts', 'server/src/testing/server/server.ts']) {
    assert.equal(select(path, server).length, 3, path);
  }
});

test('a file that no file imports selects the tests of the nearest folder, or is named as untested', () => {
  assert.deepEqual(select('server/src/domain/users/users/migrations/0001-a.ts', server), [
    'server/src/domain/users/users/users.test.ts',
  ]);
  assert.deepEqual(testsOf(['docs/settings.md'], []), {
    changed: ['docs/settings.md'],
    files: [],
    untested: ['docs/settings.md'],
  });
});

test('a real change in one feature selects few of our test files', async () => {
  const sources = await readSources('.');
  assert.deepEqual(testsOf([`${snippets}/actions.ts`], sources).files, [`${snippets}/saved-snippets.test.ts`]);
});

test('changes are those since the merge base with the other branch, and those that are not committed', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-changes-'));
  context.after(() => rm(folder, { recursive: true }));
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false'];
  const git = (...args: readonly string[]) =>
    execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'ignore' });
  const write = (name: string, text = '') => writeFile(join(folder, name), text);
  const commit = async (...names: readonly string[]) => {
    for (const name of names) await write(name);
    git('add', '--all');
    git('commit', '--message', 'a commit');
  };
  git('init', '--initial-branch', 'main');
  await commit('old.ts', 'edited.ts', 'deleted.ts');
  git('switch', '--create', 'work');
  await commit('committed.ts');
  git('switch', 'main');
  await commit('of-others.ts');
  git('switch', 'work');
  await write('edited.ts', 'edited');
  await write('new.ts');
  await rm(join(folder, 'deleted.ts'));
  const expected = ['committed.ts', 'deleted.ts', 'edited.ts', 'new.ts'];
  assert.deepEqual(await changedFiles('main', folder), expected);
  assert.deepEqual(await changedFiles('HEAD', folder), expected.slice(1));
});
