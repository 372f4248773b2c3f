import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkChosenRows } from './chosen-rows.ts';

const lines = (text: string, path = 'server/src/old.ts') => checkChosenRows([{ path, text }]).map(({ line }) => line);

test('a change of chosen rows runs its choice once, whatever the planner expects', () => {
  const deletion = (table: string, where: string) => `\nsql\`DELETE FROM ${table}\n WHERE ${where}\`;`;
  assert.deepEqual(lines(deletion('old', 'id IN (SELECT id FROM old LIMIT 10)')), [2]);
  const withValues = `id IN (\n SELECT id FROM old WHERE a = \${of(\`b \${c}\`)} ORDER BY id OFFSET \${MAX})`;
  assert.deepEqual(lines(deletion(`\${sql.table(old)}`, withValues)), [2]);
  assert.deepEqual(lines(`sql\`UPDATE old SET a = 1 WHERE id IN (SELECT id FROM old OFFSET \${MAX})\``), [1]);
  assert.deepEqual(lines(deletion('old', `ctid = ANY (ARRAY(SELECT ctid FROM old LIMIT \${MAX}))`)), []);
  assert.deepEqual(lines(deletion('old', 'id IN (SELECT id FROM other)')), []);
  assert.deepEqual(lines('sql`SELECT FROM old WHERE id IN (SELECT id FROM old LIMIT 10)`'), []);
  assert.deepEqual(lines(deletion('old', 'id IN (SELECT id FROM old LIMIT 10)'), 'server/src/old.test.ts'), []);
});
