import { matchesGlob } from 'node:path';
import { type Finding, type SourceFile, type Token, tokensOf } from './source.ts';

/**
 * Files that can use old wire names, with the reason. At an `edge` they can be keys of fields or parts of strings. A `client` can also name
 * received values by them. Outside `api/`, no function, type or column has such a name, and no name like `streamId` exists.
 */
const speakers: readonly { readonly files: string; readonly as: 'edge' | 'client'; readonly why: string }[] = [
  { files: '**/*.test.ts', as: 'client', why: 'tests send requests and read answers' },
  { files: '{operator,server}/src/testing/**', as: 'client', why: 'test helpers send requests and read answers' },
  { files: 'client/src/**', as: 'client', why: 'the client sends requests and reads responses and events' },
  { files: '{web,client/testing}/**', as: 'client', why: 'the app reads the model and sends requests' },
  { files: 'bench/**', as: 'client', why: 'the load generator sends requests' },
  { files: 'chaos/**', as: 'client', why: 'its clients send requests' },
  {
    files: 'server/src/{extension,domain,features}/**',
    as: 'edge',
    why: 'they decode parameters and build responses and events',
  },
  { files: 'operator/src/import/zulip/**', as: 'edge', why: 'they read tables of the reference server by their names' },
  { files: 'server/src/push/**', as: 'edge', why: 'the push service speaks the same wire' },
  { files: 'server/src/http/**', as: 'edge', why: 'HTTP has realms of authentication' },
  { files: 'server/src/markup/**', as: 'edge', why: 'clients know mentions and links by class and attribute names' },
  { files: 'scripts/client-types/**', as: 'edge', why: 'they replace old wire names by ours' },
  { files: 'scripts/checks/wire-names.ts', as: 'edge', why: 'this list' },
];

/** A generated file with the codes of errors as keys. It has no names of its own. */
const GENERATED = 'client/src/calls/types.ts';

/** Names of Node, the web and packages for streams of bytes or rows, and those of the observer pattern. */
const namesOfOthers = new Set([
  'Subject',
  'KeyedSubject',
  'ReadableStream',
  'streamQuery',
  'WritableStream',
  'TransformStream',
  'TextDecoderStream',
  'CompressionStream',
  'SMTPServerDataStream',
  'createReadStream',
  'createWriteStream',
  'ReadStream',
  'WriteStream',
  'DestinationStream',
  'BusboyFileStream',
]);
/** The contract's files have wire names, too. */
const modulesOfOthers = /^((node:)?stream(\/\w+)?|pg-copy-streams|@heddle\/api\/.*)$/;

const oldWords = new Set(['stream', 'streams', 'realm', 'realms', 'subject', 'subjects']);

/** The words of a name in any case style. `streamId`, `stream_id` and `STREAM_ID` all contain `stream`. */
function holdsOldWord(name: string): boolean {
  const words = name.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').split(/[^\p{L}\d]+/u);
  return words.some((word) => oldWords.has(word.toLowerCase()));
}

/** True for the name of a field: after a dot, or before the colon of a key or of the type of a field. */
function isField(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1]?.text;
  const after = tokens[index + 1]?.text;
  const afterThat = tokens[index + 2]?.text;
  return before === '.' || ((after === ':' || (after === '?' && afterThat === ':')) && before !== 'const');
}

// Names in wire style: `stream_id`, `realm_user` and `subject`, but not `streamId`.
const wireSpelling = /^[a-z\d_]+$/;

/** The names that a file imports from the contract, which uses wire names. */
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
 * Reports old wire names (`stream`, `realm`, `subject`) outside `api/`. Exceptions are lines with the comment `wire name:` and a reason, the
 * files in the list above, and imports from `api/`. Rule: `CONTRIBUTING.md`, "Rules that `npm run check` enforces".
 */
export function checkWireNames(files: readonly SourceFile[]): Finding[] {
  return files.flatMap((file) => {
    const { path, text } = file;
    if (path.startsWith('api/') || path === GENERATED) return [];
    const role = speakers.find(({ files: pattern }) => matchesGlob(path, pattern))?.as;
    const lines = text.split('\n');
    const tokens = tokensOf(file);
    const ofApi = importedFromApi(tokens);
    return tokens.flatMap((token, index) => {
      const problem = ofApi.has(token.text) ? undefined : problemWith(tokens, index, role);
      if (problem === undefined || /\/\/ wire name: \S/.test(lines[token.line - 1] ?? '')) return [];
      return [{ path, line: token.line, problem }];
    });
  });
}
