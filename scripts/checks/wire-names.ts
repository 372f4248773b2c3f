import { matchesGlob } from 'node:path';
import { type Finding, type SourceFile, type Token, tokenize } from './source.ts';

/**
 * Files that speak the wire, and why. At an `edge` its old names may stand as a field's key or in a string; a `client` may
 * also call by them what it has received. Nowhere outside `api/` may they be names of ours: no function, type, column, and
 * nothing like `streamId`.
 */
const speakers: readonly { readonly files: string; readonly as: 'edge' | 'client'; readonly why: string }[] = [
  { files: '**/*.test.ts', as: 'client', why: 'tests send requests and read answers' },
  { files: 'server/src/testing/**', as: 'client', why: 'test helpers send requests and read answers' },
  { files: 'bench/**', as: 'client', why: 'the load generator sends requests' },
  { files: 'server/src/features/**', as: 'edge', why: 'features decode parameters and build answers and events' },
  { files: 'server/src/push/**', as: 'edge', why: 'the push service speaks the same wire' },
  { files: 'server/src/http/**', as: 'edge', why: 'HTTP has realms of authentication' },
  { files: 'server/src/markup/**', as: 'edge', why: 'clients know mentions and links by class and attribute names' },
  { files: 'scripts/checks/wire-names.ts', as: 'edge', why: 'this list' },
];

/** Names that Node, the web and packages gave: these mean streams of bytes or rows. */
const namesOfOthers = new Set([
  'ReadableStream',
  'streamQuery',
  'WritableStream',
  'TransformStream',
  'TextDecoderStream',
  'CompressionStream',
  'createReadStream',
  'createWriteStream',
  'ReadStream',
  'WriteStream',
  'DestinationStream',
  'BusboyFileStream',
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

/** What the file imports from the contract, whose own names follow the wire. */
function importedFromApi(tokens: readonly Token[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind !== 'string' || !text.startsWith('@heddle/api') || tokens[index - 1]?.text !== 'from') continue;
    for (let at = index - 2; at >= 0 && tokens[at]?.text !== 'import'; at -= 1) names.add(tokens[at]?.text ?? '');
  }
  return names;
}

type Role = 'edge' | 'client' | undefined;

function problemWith(tokens: readonly Token[], index: number, role: Role): string | undefined {
  const token = tokens[index];
  if (token === undefined || token.kind === 'punctuation') return undefined;
  if (namesOfOthers.has(token.text) || !holdsOldWord(token.text)) return undefined;
  if (token.kind === 'string') {
    if (role !== undefined) return undefined;
    if (modulesOfOthers.test(token.text) && tokens[index - 1]?.text === 'from') return undefined;
    return `an old wire name in a string: '${token.text.trim().slice(0, 60)}'`;
  }
  if (wireSpelling.test(token.text) && (role === 'client' || (role === 'edge' && isField(tokens, index))))
    return undefined;
  return `the old wire name ${token.text}; say channel, organization or topic`;
}

/**
 * Old wire names (`stream`, `realm`, `subject`) outside `api/`. A line whose comment says `wire name:` and a reason is
 * let pass, as are the speakers of the wire listed above and what is imported from `api/`. Rule: `ARCHITECTURE.md`, the words.
 */
export function checkWireNames(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path, text }) => {
    if (path.startsWith('api/')) return [];
    const role = speakers.find(({ files: pattern }) => matchesGlob(path, pattern))?.as;
    const lines = text.split('\n');
    const tokens = tokenize(text);
    const ofApi = importedFromApi(tokens);
    return tokens.flatMap((token, index) => {
      const problem = ofApi.has(token.text) ? undefined : problemWith(tokens, index, role);
      if (problem === undefined || /\/\/ wire name: \S/.test(lines[token.line - 1] ?? '')) return [];
      return [{ path, line: token.line, problem }];
    });
  });
}
