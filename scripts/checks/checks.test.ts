import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importersIn } from './import-graph.ts';
import { checkCycles, checkImports, checkProduction } from './imports.ts';
import { checkLogTables } from './log-tables.ts';
import { tokenize } from './source.ts';
import { checkWireNames } from './wire-names.ts';

const importProblems = (path: string, text: string) => checkImports([{ path, text }]).map(({ problem }) => problem);
const wireLines = (path: string, text: string) => checkWireNames([{ path, text }]).map(({ line }) => line);

test('a layer imports only lower layers', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['server/src/log/append.ts', '../db/pool.ts', true],
    ['server/src/db/pool.ts', '../log/append.ts', false],
    ['server/src/directory/load.ts', '../log/event-buffer.ts', true],
    ['server/src/directory/load.ts', '../access/channels.ts', false],
    ['server/src/markup/renderer.ts', '../db/pool.ts', false],
    ['server/src/http/requests/route.ts', '@heddle/api/contract.ts', true],
    ['server/src/http/requests/route.ts', '../log/event-buffer.ts', false],
    ['server/src/features/drafts/routes.ts', '../../http/requests/route.ts', true],
    ['server/src/features/drafts/routes.ts', '../../app.ts', false],
    ['server/src/app.ts', './features/drafts/actions.ts', true],
    ['operator/src/commands/serve.ts', '@heddle/server/app.ts', true],
    ['operator/src/commands/serve.ts', '@heddle/server/testing/server/server.ts', false],
    ['operator/src/testing/imported.ts', '@heddle/server/testing/server/server.ts', true],
    ['server/src/app.ts', '@heddle/operator/commands/serve.ts', false],
    ['bench/src/main.ts', '@heddle/operator/testing/imported.ts', true],
    ['server/src/log/append.ts', '../testing/database/database.ts', false],
    ['server/src/log/append.test.ts', '../testing/database/database.ts', true],
    ['api/src/contract.ts', '@heddle/server/config.ts', false],
    ['bench/src/main.ts', '@heddle/server/app.ts', true],
    ['embedded-postgres/src/client.ts', '@heddle/server/db/timeouts.ts', false],
    ['embedded-postgres/src/client.ts', './lock.ts', true],
    ['operator/src/commands/database.ts', '@heddle/embedded-postgres', true],
    ['server/src/db/pool.ts', '@heddle/embedded-postgres', false],
    ['server/src/log/append.ts', 'kysely', true],
  ];
  for (const [path, specifier, allowed] of cases) {
    const found = importProblems(path, `import { thing } from '${specifier}';`);
    assert.equal(found.length === 0, allowed, `${path} imports ${specifier}`);
  }
});

test('only the folder of the directory imports the class that changes it', () => {
  const importing = (path: string, specifier: string) => importProblems(path, `import type { A } from '${specifier}'`);
  assert.deepEqual(importing('server/src/directory/load.ts', './mutable-directory.ts'), []);
  assert.deepEqual(
    importing('server/src/testing/database/small-directory.ts', '../../directory/mutable-directory.ts'),
    [],
  );
  assert.deepEqual(importing('server/src/domain/users/users/queries.ts', '../../../directory/directory.ts'), []);
  assert.equal(
    importing('server/src/domain/users/users/queries.ts', '../../../directory/mutable-directory.ts').length,
    1,
  );
});

test('a feature imports no other feature', () => {
  const from = 'server/src/features/drafts/actions.ts';
  assert.deepEqual(importProblems(from, "import { a } from './checking.ts'"), []);
  assert.deepEqual(importProblems(from, "import { a } from '../../domain/channels/queries.ts'"), []);
  assert.equal(importProblems(from, "import { a } from '../reminders/queries.ts'").length, 1);
});

test('a domain folder imports only earlier folders of its area and earlier areas, and never their private files', () => {
  const from = 'server/src/domain/messages/messages/actions.ts';
  const allowed = ['./flags.ts', '../reactions/queries.ts', '../../users/bots/present.ts', '../../channels/queries.ts'];
  for (const specifier of allowed) assert.deepEqual(importProblems(from, `import { a } from '${specifier}'`), []);
  const refused = [
    '../../topics/queries.ts',
    '../../reading/history/queries.ts',
    '../../attic/queries.ts',
    '../attic/queries.ts',
    '../loose.ts',
    '../reactions/routes.ts',
    '../../channels/routes.ts',
  ];
  for (const specifier of refused)
    assert.equal(importProblems(from, `import { a } from '${specifier}'`).length, 1, specifier);
  assert.equal(importProblems(from, "export type { A } from '../reactions/index.ts'").length, 1);
  assert.equal(importProblems(from, "const a = await import('../reactions/isolation-probes.ts')").length, 1);
  const earlier = 'server/src/domain/messages/reactions/actions.ts';
  assert.equal(importProblems(earlier, "import { a } from '../messages/queries.ts'").length, 1);
});

test('folders of the web app and of the client import only lower folders', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['web/src/feed/feed.tsx', '../base/app.tsx', true],
    ['web/src/feed/feed.tsx', './rows.ts', true],
    ['web/src/base/routes.ts', '../feed/rows.ts', false],
    ['web/src/design/button.tsx', '../app/views.module.css', false],
    ['web/src/feed/feed.tsx', '../attic/rows.ts', false],
    ['web/src/attic/rows.ts', '../base/app.tsx', false],
    ['web/src/main.tsx', './app/heddle.tsx', true],
    ['web/src/base/routes.test.ts', '../app/views.tsx', true],
    ['web/src/compose/drafts/session.ts', '../text/box-text.ts', true],
    ['web/src/compose/text/box-text.ts', '../drafts/session.ts', false],
    ['web/src/compose/drafts/session.ts', '../compose-store.ts', true],
    ['client/src/session/session.ts', '../model/model.ts', true],
    ['client/src/calls/connection.ts', '../model/model.ts', false],
    ['client/src/model/permissions/caller.ts', '../own/account.ts', true],
    ['client/src/model/own/account.ts', '../permissions/caller.ts', false],
  ];
  for (const [path, specifier, allowed] of cases) {
    const found = importProblems(path, `import type { Thing } from '${specifier}';`);
    assert.equal(found.length === 0, allowed, `${path} imports ${specifier}`);
  }
});

test('a folder of http/ imports only earlier ones, and the files beside the folders import all', () => {
  const importing = (from: string, specifier: string) =>
    importProblems(`server/src/http/${from}`, `import { a } from '${specifier}'`).length;
  assert.equal(importing('requests/admission.ts', '../limits/limits.ts'), 0);
  assert.equal(importing('server.ts', './pages/documentation.ts'), 0);
  assert.equal(importing('limits/limits.ts', '../requests/admission.ts'), 1);
  assert.equal(importing('pages/documentation.ts', '../server.ts'), 1);
});

test('only the folder of a feature or of the domain, and tests, import its private files', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['server/src/features/drafts/index.ts', './routes.ts', true],
    ['server/src/features/drafts/actions.ts', '../../domain/topics/index.ts', false],
    ['server/src/features/drafts/actions.ts', '../../domain/topics/routes.ts', false],
    ['server/src/app.ts', './features/drafts/routes.ts', false],
    ['operator/src/commands/org.ts', '@heddle/server/domain/joining/founding/index.ts', false],
    ['bench/src/main.ts', '@heddle/server/features/drafts/routes.ts', false],
    ['server/src/testing/access/access-table.ts', '../../features/drafts/isolation-probes.ts', true],
    ['server/src/access-matrix.test.ts', './features/drafts/access-rows.ts', true],
    ['server/src/features/drafts/actions.ts', '../../markup/index.ts', true],
  ];
  for (const [path, specifier, allowed] of cases) {
    const found = importProblems(path, `import { thing } from '${specifier}';`);
    assert.equal(found.length === 0, allowed, `${path} imports ${specifier}`);
  }
});

test('import cycles are reported, also of types, except in tests', () => {
  const cycles = (...files: readonly (readonly [string, string])[]) =>
    checkCycles(files.map(([path, to]) => ({ path, text: `import type { A } from '${to}';` }))).map(({ path }) => path);
  assert.deepEqual(cycles(['server/src/log/a.ts', './b.ts'], ['server/src/log/b.ts', './c.ts']), []);
  assert.deepEqual(cycles(['server/src/log/a.ts', './b.ts'], ['server/src/log/b.ts', './a.ts']), [
    'server/src/log/a.ts',
  ]);
  assert.deepEqual(cycles(['server/src/log/a.ts', './b.test.ts'], ['server/src/log/b.test.ts', './a.ts']), []);
});

test('a folder without a layer is reported', () => {
  assert.equal(importProblems('server/src/attic/a.ts', '').length, 1);
  assert.equal(importProblems('server/src/log/a.ts', "import { a } from '../attic/a.ts'").length, 1);
});

test('an import in a comment or a string is not an import', () => {
  const text = "// import { a } from '../log/a.ts'\nconst text = `import b from '../log/b.ts'`;";
  assert.deepEqual(importProblems('server/src/db/pool.ts', text), []);
});

test('the server loads no test code, directly or through other files', () => {
  const main = { path: 'operator/src/main.ts', text: "const { a } = await import('@heddle/server/app.ts');" };
  const found = (app: string) =>
    checkProduction([main, { path: 'server/src/app.ts', text: `import './rows.ts';\n${app}` }]).map(
      ({ path, line, problem }) => `${path}:${line}: ${problem}`,
    );
  assert.deepEqual(found("import './features/weaving/index.ts';"), []);
  for (const specifier of [
    './testing/clients/client.ts',
    '@heddle/embedded-postgres/testing/hold.ts',
    './a.test.ts',
    './features/isolation-probes.ts',
    './features/access-rows.ts',
  ]) {
    const [problem] = found(`import '${specifier}';`);
    assert.match(problem ?? '', /^server\/src\/app\.ts:2: the server would load .*, which is for tests$/, specifier);
  }
});

test('direct and indirect importers of a file are found, also in cycles', () => {
  const files = [
    { path: 'server/src/a.test.ts', text: "import './b.ts';" },
    { path: 'server/src/b.ts', text: "export * from './c.ts';" },
    { path: 'server/src/c.ts', text: "import './b.ts'; import { d } from '@heddle/server/d.ts';" },
    { path: 'server/src/e.test.ts', text: "import './f.ts';" },
  ];
  const reached = [...importersIn(files)('server/src/d.ts')].sort();
  assert.deepEqual(reached, ['server/src/a.test.ts', 'server/src/b.ts', 'server/src/c.ts']);
});

test('old wire names are not allowed as names', () => {
  const names = [
    'const streamId = 1;',
    'function realmOf() {}',
    'type A = { subjectLine: 1 };',
    'const { stream } = a;',
  ];
  for (const text of names) {
    assert.deepEqual(wireLines('server/src/features/drafts/routes.ts', text), [1], text);
    assert.deepEqual(wireLines('server/src/log/append.ts', text), [1], text);
    assert.deepEqual(wireLines('api/src/objects/channel.ts', text), [], text);
  }
});

test('a feature can use an old wire name as a field or in a string, a lower layer cannot', () => {
  const texts = [
    'const a = { stream_id: 1 };',
    'const a = b.stream_id;',
    "const a = 'stream';",
    'type A = { stream?: 1 }',
  ];
  for (const text of texts) {
    assert.deepEqual(wireLines('server/src/features/drafts/routes.ts', text), [], text);
    assert.deepEqual(wireLines('server/src/directory/load.ts', text), [1], text);
    assert.deepEqual(wireLines('server/src/directory/load.ts', `${text} // wire name: it is stored as sent`), [], text);
  }
});

test('the log names no table but its own', () => {
  const schema = {
    path: 'server/src/db/schema.ts',
    text: 'export interface Database {\n  logs: A;\n  messages: B;\n}',
  };
  const feature = {
    path: 'a.ts',
    text: "declare module 'x' {\n  interface Database {\n    drafts: { a: string };\n  }\n}",
  };
  const lines = (text: string, path = 'server/src/log/append.ts') =>
    checkLogTables([schema, feature, { path, text }]).map(({ line }) => line);
  assert.deepEqual(lines('sql`UPDATE logs SET a`;\nsql`SELECT FROM taken`;'), []);
  assert.deepEqual(lines("sql`\nDELETE FROM messages`;\ndb.selectFrom('drafts')"), [2, 3]);
  assert.deepEqual(lines('sql`DELETE FROM messages`', 'server/src/domain/sending/sending/send.ts'), []);
});

test('a client can name received values by old wire names, but cannot invent such names', () => {
  assert.deepEqual(wireLines('bench/src/main.ts', 'const { stream_id } = answer;'), []);
  assert.deepEqual(wireLines('server/src/app.test.ts', 'const { stream } = answer;'), []);
  assert.deepEqual(wireLines('server/src/app.test.ts', 'const streamId = answer.stream_id;'), [1]);
});

test('exports of the contract keep their names', () => {
  const text = "import { type realmEvent, realmState as state } from '@heddle/api/state.ts';\nrealmEvent(realmState);";
  assert.deepEqual(wireLines('server/src/domain/users/users/events.ts', text), []);
  assert.deepEqual(
    wireLines('server/src/domain/users/users/events.ts', text.replace('@heddle/api', '..')),
    [1, 1, 2, 2],
  );
});

test('byte streams of Node and words in comments are allowed', () => {
  const text = "import { Readable } from 'node:stream';\n// a stream of events\ncreateReadStream(path); upstream();";
  assert.deepEqual(wireLines('server/src/log/append.ts', text), []);
});

test('code is separated from comments, regular expressions and templates', () => {
  const tick = '`';
  const template = `${tick}h $${'{'}i + ${tick}j $${'{'}k}${tick}} l${tick}`;
  const words = tokenize(`a /* b */ = c / d; // e\n f(/g["']/u, ${template}); m`).filter(({ kind }) => kind === 'word');
  assert.deepEqual(
    words.map(({ text }) => text),
    ['a', 'c', 'd', 'f', 'u', 'i', 'k', 'm'],
  );
  assert.equal(words.at(-1)?.line, 2);
});
