import { glob, readFile } from 'node:fs/promises';

/** A TypeScript file of the project. `path` is relative to the repository's root, with forward slashes. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** A problem that a check found. `line` counts from 1. */
export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly problem: string;
}

/** All TypeScript files of the workspaces and scripts, sorted by path. */
export async function readSources(root: string): Promise<SourceFile[]> {
  const paths: string[] = [];
  const pattern = '{api,client,embedded-postgres,operator,server,web,bench,chaos,scripts}/**/*.{ts,tsx}';
  for await (const path of glob(pattern, {
    cwd: root,
    exclude: (name) => name === 'node_modules' || name === 'dist',
  })) {
    paths.push(path.replaceAll('\\', '/'));
  }
  paths.sort();
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(`${root}/${path}`, 'utf8') })));
}

export type TokenKind = 'word' | 'string' | 'punctuation';

/** A token. A template literal yields one string token per part between its `${…}`. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly line: number;
  /** Only for templates with `${…}`: the position of this part. */
  readonly part?: 'first' | 'middle' | 'last';
}

const tokensOfFiles = new WeakMap<SourceFile, readonly Token[]>();

/** The tokens of a file. Several checks need them, so each file is tokenized once. */
export function tokensOf(file: SourceFile): readonly Token[] {
  const known = tokensOfFiles.get(file);
  if (known !== undefined) return known;
  const tokens = tokenize(file.text);
  tokensOfFiles.set(file, tokens);
  return tokens;
}

// A slash after one of these words starts a regular expression. After any other word or a closing bracket it is a division.
const wordsBeforeAnExpression = new Set(['return', 'typeof', 'case', 'in', 'of', 'delete', 'void', 'throw', 'await']);

const SPACE = /\s*/y;
const WORD = /[\p{ID_Start}$_#][\p{ID_Continue}$]*/uy;

/**
 * Splits TypeScript into words, strings and punctuation, without comments. A regular expression becomes one `/`. It supports only as much of
 * the language as the checks need. For example, a name in a comment is not code, and a quote in a regular expression does not start a string.
 */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  // The depth of `{` in each open template substitution, innermost last.
  const substitutions: number[] = [];
  let line = 1;
  let at = 0;

  const push = (kind: TokenKind, from: number, to: number): void => {
    tokens.push({ kind, text: text.slice(from, to), line });
  };
  const countLines = (from: number, to: number): void => {
    for (let i = from; i < to; i += 1) if (text[i] === '\n') line += 1;
  };
  const skipTo = (end: number): void => {
    countLines(at, end);
    at = end;
  };
  const readTemplate = (from: number, isFirst: boolean): void => {
    const startLine = line;
    let i = from;
    while (i < text.length && text[i] !== '`' && !(text[i] === '$' && text[i + 1] === '{'))
      i += text[i] === '\\' ? 2 : 1;
    const goesOn = text[i] === '$';
    const token = { kind: 'string', text: text.slice(from, i), line: startLine } as const;
    if (isFirst) tokens.push(goesOn ? { ...token, part: 'first' } : token);
    else tokens.push({ ...token, part: goesOn ? 'middle' : 'last' });
    if (goesOn) {
      substitutions.push(0);
      skipTo(i + 2);
    } else {
      skipTo(i + 1);
    }
  };
  const endOfQuoted = (from: number, quote: string): number => {
    let i = from;
    while (i < text.length && text[i] !== quote && text[i] !== '\n') i += text[i] === '\\' ? 2 : 1;
    return i;
  };
  const beginsRegularExpression = (): boolean => {
    const previous = tokens.at(-1);
    if (previous === undefined) return true;
    if (previous.kind === 'string') return false;
    if (previous.kind === 'word') return wordsBeforeAnExpression.has(previous.text);
    return !')]}/'.includes(previous.text);
  };
  const endOfRegularExpression = (from: number): number => {
    let inClass = false;
    let i = from;
    for (; i < text.length && text[i] !== '\n'; i += 1) {
      if (text[i] === '\\') i += 1;
      else if (text[i] === '[') inClass = true;
      else if (text[i] === ']') inClass = false;
      else if (text[i] === '/' && !inClass) break;
    }
    return i + 1;
  };

  const endOf = (pattern: RegExp): number => {
    pattern.lastIndex = at;
    return pattern.test(text) ? pattern.lastIndex : at;
  };

  while (at < text.length) {
    const space = endOf(SPACE);
    if (space > at) skipTo(space);
    const word = endOf(WORD);
    if (word > at) {
      push('word', at, word);
      at = word;
      continue;
    }
    if (at === text.length) break;
    const character = text[at] ?? '';
    const next = text[at + 1];
    if (character === '/' && next === '/') {
      const end = text.indexOf('\n', at);
      at = end === -1 ? text.length : end;
    } else if (character === '/' && next === '*') {
      const end = text.indexOf('*/', at + 2);
      skipTo(end === -1 ? text.length : end + 2);
    } else if (character === "'" || character === '"') {
      const end = endOfQuoted(at + 1, character);
      push('string', at + 1, end);
      skipTo(end + 1);
    } else if (character === '`') {
      at += 1;
      readTemplate(at, true);
    } else if (character === '/' && beginsRegularExpression()) {
      at = endOfRegularExpression(at + 1);
      tokens.push({ kind: 'punctuation', text: '/', line });
    } else {
      const depth = substitutions.at(-1);
      if (depth !== undefined && character === '{') substitutions[substitutions.length - 1] = depth + 1;
      if (depth !== undefined && character === '}') {
        if (depth === 0) {
          substitutions.pop();
          at += 1;
          readTemplate(at, false);
          continue;
        }
        substitutions[substitutions.length - 1] = depth - 1;
      }
      push('punctuation', at, at + 1);
      at += 1;
    }
  }
  return tokens;
}
