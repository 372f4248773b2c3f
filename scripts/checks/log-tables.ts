import type { Finding, SourceFile } from './source.ts';

/** The tables of the log itself. All other tables are described by the code that appends to them (`server/src/log/rows.ts`). */
const OWN_TABLES = new Set(['logs', 'events', 'queues', 'log_cursors', 'server_facts']);

const NAMED_TABLE =
  /(?:\b(?:FROM|JOIN|INTO|UPDATE|USING)\s+|\b(?:selectFrom|insertInto|updateTable|deleteFrom|\w*Join)\(')(\w+)/g;

/** Reports SQL in `server/src/log/` that names a table of the domain or of a feature. */
export function checkLogTables(files: readonly SourceFile[]): Finding[] {
  const tables = new Set(files.flatMap(({ text }) => tablesIn(text)));
  return files.flatMap(({ path, text }) => {
    if (!path.startsWith('server/src/log/') || path.endsWith('.test.ts')) return [];
    return [...text.matchAll(NAMED_TABLE)].flatMap(({ 1: table = '', index }) => {
      if (!tables.has(table) || OWN_TABLES.has(table)) return [];
      const line = text.slice(0, index).split('\n').length;
      return [
        { path, line, problem: `the log may not name the table ${table}; describe its rows where they come from` },
      ];
    });
  });
}

/** The keys of `interface Database`, which features extend. */
function tablesIn(text: string): string[] {
  const [, indent = '', body = ''] = /^( *)(?:export )?interface Database \{\n([\s\S]*?)^\1\}/m.exec(text) ?? [];
  return [...body.matchAll(new RegExp(`^${indent}  (\\w+):`, 'gm'))].map(([, table = '']) => table);
}
