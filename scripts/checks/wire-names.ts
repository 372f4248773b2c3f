import { matchesGlob } from 'node:path';
import { type Finding, type SourceFile, type Token, tokenize } from './source.ts';

/**
 * Files that speak the wire, where its old names may stand as a field's key or in a string, and why. Nowhere outside
 * `api/` may they be names of ours: no variable, function, type or column.
 */
const edges: readonly { readonly files: string; readonly why: string }[] = [
  { files: '**/*.test.ts', why: 'tests send requests and read answers' },
  { files: 'server/src/features/**', why: 'features decode parameters and build answers and events' },
  { files: 'server/src/http/**', why: 'HTTP has realms of authentication' },
  { files: 'server/src/markup/**', why: 'clients know mentions and channel links by class and attribute names' },
  { files: 'server/src/testing/**', why: 'test helpers send requests and read answers' },
  { files: 'bench/**', why: 'the load generator is a client' },
  { files: 'scripts/checks/wire-names.ts', why: 'this list' },
];

/** Names that Node and the web gave: these mean streams of bytes. */
const namesOfOthers = new Set([
  'ReadableStream',
  'WritableStream',
  'TransformStream',
  'TextDecoderStream',
  'CompressionStream',
  'createReadStream',
  'createWriteStream',
  'ReadStream',
  'WriteStream',
  'DestinationStream',
]);
const modulesOfOthers = /^(node:)?stream(\/\w+)?$/;

const oldWords = new Set(['stream', 'streams', 'realm', 'realms', 'subject', 'subjects']);

/** The words of a name in any case style: `streamId`, `stream_id` and `STREAM_ID` all hold `stream`. */
function holdsOldWord(name: string): boolean {
  const words = name.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').split(/[^\p{L}\d]+/u);
  return words.some((word) => oldWords.has(word.toLowerCase()));
}

/** True where a word stands as a field: after a dot, or before the colon of a key or of a field's type. */
function isField(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1]?.text;
  const after = tokens[index + 1]?.text;
  const afterThat = tokens[index + 2]?.text;
  return before === '.' || ((after === ':' || (after === '?' && afterThat === ':')) && before !== 'const');
}

// `stream_id`, `realm_user`, `subject`: as on the wire, never `streamId`.
const wireSpelling = /^[a-z\d_]+$/;

function problemWith(tokens: readonly Token[], index: number, isEdge: boolean): string | undefined {
  const token = tokens[index];
  if (token === undefined || token.kind === 'punctuation') return undefined;
  if (namesOfOthers.has(token.text) || !holdsOldWord(token.text)) return undefined;
  if (token.kind === 'string') {
    if (isEdge || (modulesOfOthers.test(token.text) && tokens[index - 1]?.text === 'from')) return undefined;
    return `an old wire name in a string: '${token.text.trim().slice(0, 60)}'`;
  }
  if (isEdge && wireSpelling.test(token.text) && isField(tokens, index)) return undefined;
  return `the old wire name ${token.text}; say channel, organization or topic`;
}

/**
 * Old wire names (`stream`, `realm`, `subject`) outside `api/`. A line whose comment says `wire name:` and a reason is
 * let pass, as are the edges listed above. Rule: `ARCHITECTURE.md`, the words.
 */
export function checkWireNames(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path, text }) => {
    if (path.startsWith('api/')) return [];
    const isEdge = edges.some(({ files: pattern }) => matchesGlob(path, pattern));
    const lines = text.split('\n');
    const tokens = tokenize(text);
    return tokens.flatMap((token, index) => {
      const problem = problemWith(tokens, index, isEdge);
      if (problem === undefined || /\/\/ wire name: \S/.test(lines[token.line - 1] ?? '')) return [];
      return [{ path, line: token.line, problem }];
    });
  });
}
