import { posix } from 'node:path';
import { type SourceFile, tokenize } from './source.ts';

/** A module specifier of an import or a re-export, as written. */
export interface Import {
  readonly specifier: string;
  readonly line: number;
}

/** The imports of a file, including dynamic imports with a constant name. */
export function importsOf(text: string): Import[] {
  const tokens = tokenize(text);
  const found: Import[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'string') continue;
    const before = tokens[index - 1];
    const isImport =
      (before?.kind === 'word' && (before.text === 'from' || before.text === 'import')) ||
      (before?.text === '(' && tokens[index - 2]?.text === 'import');
    if (isImport) found.push({ specifier: token.text, line: token.line });
  }
  return found;
}

/** The path of the file for a specifier. Undefined for external packages and modules of Node. */
export function targetOf(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return posix.normalize(posix.join(posix.dirname(from), specifier));
  const workspace = /^@heddle\/(api|client|embedded-postgres|server|bench)(?:\/(.+))?$/.exec(specifier);
  return workspace === null ? undefined : `${workspace[1]}/src/${workspace[2] ?? 'index.ts'}`;
}

/** Returns a function that maps a file to the paths of all files that import it, directly or indirectly. */
export function importersIn(files: readonly SourceFile[]): (target: string) => ReadonlySet<string> {
  const importers = new Map<string, string[]>();
  for (const { path, text } of files) {
    for (const { specifier } of importsOf(text)) {
      const to = targetOf(path, specifier);
      if (to !== undefined) importers.set(to, [...(importers.get(to) ?? []), path]);
    }
  }
  return (target) => {
    const reached = new Set<string>();
    const waiting = [target];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      for (const path of importers.get(next) ?? []) {
        if (reached.has(path)) continue;
        reached.add(path);
        waiting.push(path);
      }
    }
    return reached;
  };
}
