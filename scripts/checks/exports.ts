import { type Finding, type SourceFile, tokensOf } from './source.ts';

/** The client is a published package, so others use its exports. */
const CHECKED = /^(?:api|operator|server|web)\/src\//;

/** Files that the code finds by their names or folders. Their exports have agreed names. */
const FOUND_BY_NAME = /^api\/src\/events\/|\/(?:index|isolation-probes|access-rows)\.ts$|\/migrations\//;

/** Tests, and the gallery of components. What only they use is not part of the product. */
const IS_TEST = /\.test\.tsx?$|\/testing\/|^web\/src\/gallery\//;

const MODIFIERS = new Set(['declare', 'async', 'abstract', '*']);
const KINDS = new Set(['const', 'let', 'function', 'class', 'interface', 'type', 'enum']);

interface Export {
  readonly name: string;
  readonly line: number;
}

/**
 * Exports that no other file of the product mentions, and that their own file does not use. It compares names only. So it misses an unused
 * export whose name occurs elsewhere, but it never reports a used one.
 */
export function checkExports(files: readonly SourceFile[]): Finding[] {
  const mentions = new Map<string, number>();
  const counts = files.map((file) => ({ file, words: countWords(file) }));
  for (const { file, words } of counts) {
    if (!IS_TEST.test(file.path)) for (const word of words.keys()) mentions.set(word, (mentions.get(word) ?? 0) + 1);
  }
  return counts.flatMap(({ file, words }) => {
    if (!CHECKED.test(file.path) || FOUND_BY_NAME.test(file.path) || IS_TEST.test(file.path)) return [];
    return exportsOf(file)
      .filter(({ name }) => mentions.get(name) === 1 && words.get(name) === 1)
      .map(({ name, line }) => ({ path: file.path, line, problem: `nothing in the product uses the export ${name}` }));
  });
}

function countWords(file: SourceFile): ReadonlyMap<string, number> {
  const words = new Map<string, number>();
  for (const { kind, text } of tokensOf(file)) if (kind === 'word') words.set(text, (words.get(text) ?? 0) + 1);
  return words;
}

/** The names of exported declarations. Re-exports are not declarations. */
function exportsOf(file: SourceFile): readonly Export[] {
  const tokens = tokensOf(file);
  return tokens.flatMap(({ kind, text }, index) => {
    if (kind !== 'word' || text !== 'export') return [];
    const rest = tokens.slice(index + 1, index + 6).filter((token) => !MODIFIERS.has(token.text));
    const [declared, name] = rest;
    if (declared === undefined || name?.kind !== 'word' || !KINDS.has(declared.text)) return [];
    return [{ name: name.text, line: name.line }];
  });
}
