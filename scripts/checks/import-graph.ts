import { posix } from 'node:path';
import { type SourceFile, type Token, tokensOf } from './source.ts';

/** A module specifier of an import or a re-export, as written. */
export interface Import {
  readonly specifier: string;
  readonly line: number;
  /** True for `import type` and `export type`, which Node.js removes. */
  readonly isType: boolean;
}

/** The imports of a file, including dynamic imports with a constant name. */
export function importsOf(file: SourceFile): Import[] {
  const tokens = tokensOf(file);
  const found: Import[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'string') continue;
    const before = tokens[index - 1];
    const isImport =
      (before?.kind === 'word' && (before.text === 'from' || before.text === 'import')) ||
      (before?.text === '(' && tokens[index - 2]?.text === 'import');
    if (isImport) found.push({ specifier: token.text, line: token.line, isType: isTypeBefore(tokens, index) });
  }
  return found;
}

/** True if the import or re-export that ends with the specifier at `index` begins with `import type` or `export type`. */
function isTypeBefore(tokens: readonly Token[], index: number): boolean {
  let at = index - 1;
  while (at >= 0 && tokens[at]?.text !== 'import' && tokens[at]?.text !== 'export') at -= 1;
  // `import type from './a.ts'` imports a value with the name `type`.
  return tokens[at + 1]?.text === 'type' && at + 2 < index - 1;
}

/** The path of the file for a specifier. Undefined for external packages and modules of Node. */
export function targetOf(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return posix.normalize(posix.join(posix.dirname(from), specifier));
  const workspace = /^@heddle\/(api|client|embedded-postgres|operator|server|bench)(?:\/(.+))?$/.exec(specifier);
  return workspace === null ? undefined : `${workspace[1]}/src/${workspace[2] ?? 'index.ts'}`;
}

/** Returns a function that maps a file to the paths of all files that import it, directly or indirectly. */
export function importersIn(files: readonly SourceFile[]): (target: string) => ReadonlySet<string> {
  const importers = new Map<string, string[]>();
  for (const file of files) {
    for (const { specifier } of importsOf(file)) {
      const to = targetOf(file.path, specifier);
      if (to === undefined) continue;
      const known = importers.get(to);
      if (known === undefined) importers.set(to, [file.path]);
      else known.push(file.path);
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
