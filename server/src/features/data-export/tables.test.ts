import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { features } from '../../all-features.ts';
import type { ExportedTable } from '../../extension/exports.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { readShapes, type TableShape } from './rows.ts';

const declared = features.flatMap(({ folder, exports = [] }) => exports.map((one) => ({ folder, ...one })));
const exported = declared.filter((one): one is ExportedTable & { folder: string } => 'fields' in one);

let server: TestServer;
let shapes: ReadonlyMap<string, TableShape>;
before(async () => {
  server = await startTestServer();
  shapes = await server.app.db.transaction().execute((db) => readShapes(db));
});
after(() => server.stop());

// rules: exports-8
test('each table of an organization is exported, or listed with the reason why not', () => {
  const names = declared.map(({ table }) => table).toSorted();
  assert.deepEqual(names, [...shapes.keys()].toSorted(), 'declare it in `exports` of the index.ts of its folder');
});

// rules: exports-8
test('each column of an exported table is a field, or listed with the reason why not', () => {
  for (const { folder, table, fields, withheld = {}, values = {}, hidden = [] } of exported) {
    const columns = shapes.get(table)?.columns.map(({ name }) => name) ?? [];
    const own = columns.filter((name) => name !== 'organization_id').toSorted();
    assert.deepEqual([...fields, ...Object.keys(withheld)].toSorted(), own, `${table}, exports of ${folder}`);
    for (const name of [...Object.keys(values), ...hidden.flatMap((one) => one.fields)]) {
      assert(fields.includes(name), `${table} has no field ${name}`);
    }
  }
});

// rules: exports-8
test('docs/export-format.md lists exactly the exported tables, with their fields in order, and the others', async () => {
  const text = await readFile(new URL('../../../../docs/export-format.md', import.meta.url), 'utf8');
  const [whole = '', others = ''] = text.split('## Not exported');
  const [, ...sections] = whole.split(/^### /m);
  const documented = sections.map((section) => [
    section.slice(0, section.indexOf('.jsonl')),
    Array.from(section.matchAll(/^\| `(\w+)` \|/gm), ([, field]) => field),
  ]);
  const byName = (a: readonly unknown[], b: readonly unknown[]) => String(a[0]).localeCompare(String(b[0]));
  assert.deepEqual(
    documented.toSorted(byName),
    exported.map(({ table, fields }) => [table, [...fields]]).toSorted(byName),
  );
  assert.deepEqual(
    Array.from(others.matchAll(/^\| `(\w+)` \|/gm), ([, table]) => table).toSorted(),
    declared.flatMap((one) => ('because' in one ? [one.table] : [])).toSorted(),
  );
});
