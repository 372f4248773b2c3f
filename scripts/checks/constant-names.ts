import { type Finding, type SourceFile, type Token, tokensOf } from './source.ts';

const TEST_CODE = /\.test\.tsx?$|\/testing\/|^bench\//;

/** What a number measures, counts or identifies. The last word of a name. */
const UNITS = new Set(
  [
    ['MS', 'SECONDS', 'MINUTES', 'HOURS', 'DAYS', 'WEEKS'],
    ['BYTES', 'KIB', 'MIB', 'CHARACTERS', 'LENGTH', 'PIXELS', 'REM', 'PERCENT', 'FACTOR', 'DIVISOR', 'RATIO', 'COUNT'],
    ['ROWS', 'EVENTS', 'MESSAGES', 'CHANNELS', 'USERS', 'SUBSCRIBERS', 'RECIPIENTS', 'MEMBERSHIPS', 'ITEMS', 'OPTIONS'],
    ['FILES', 'FRAMES', 'LEVELS', 'FIELDS'],
    ['LEVEL', 'VERSION', 'PORT', 'ID', 'CODE', 'TYPE', 'ROLE', 'RANK', 'INDEX', 'VALUE', 'MASK', 'FLAGS', 'SIGNATURE'],
  ].flat(),
);
/** Counted things whose name has no S at its end. */
const PLURALS = new Set(['PEOPLE', 'EMOJI']);

const CONSTANT = /^[A-Z][A-Z0-9_]*$/;
const NUMERIC =
  /^(?:0x[0-9a-fA-F_]+|0o[0-7_]+|\d[\d_]*(?:\.\d+)?|[A-Z][A-Z0-9_]*|Math\.\w+|timeoutOf|[-+*/%<>&|(),])+$/;

/**
 * Reports numeric constants of modules whose name does not say what they bound, and in which unit. Fields of objects are not constants.
 * Tests and benchmarks may name the numbers of their own cases as they like.
 */
export function checkConstantNames(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => !TEST_CODE.test(path))
    .flatMap((file) => {
      const constants = constantsOf(tokensOf(file));
      const numeric = new Set<string>();
      return constants.flatMap(({ name, value, line }): Finding[] => {
        if (!isNumeric(value, numeric)) return [];
        numeric.add(name);
        if (saysWhatAndUnit(name)) return [];
        const problem = `${name} does not name what it bounds and the unit, like MAX_SNIPPETS_PER_USER or LOCK_TIMEOUT_MS`;
        return [{ path: file.path, line, problem }];
      });
    });
}

/** Whether a name has a subject and a unit: `MAX_FILES_AT_ONCE`, `EVENTS_PER_PAGE`, `LOCK_TIMEOUT_MS`. */
export function saysWhatAndUnit(name: string): boolean {
  const words = name.split('_');
  if (words.length < 2) return false;
  const last = words.at(-1) ?? '';
  if (words[0] === 'MAX' || words[0] === 'MIN') {
    const counted = words.slice(1);
    return (counted.length > 1 && UNITS.has(last)) || counted.some(isPlural);
  }
  return UNITS.has(last) || (words.includes('PER') && isPlural(words[words.indexOf('PER') - 1] ?? ''));
}

function isPlural(word: string): boolean {
  return PLURALS.has(word) || /[A-Z]{2}[^S]?S$/.test(word);
}

interface Constant {
  readonly name: string;
  /** The tokens of the value, joined. Undefined if one of them is a string. */
  readonly value: string | undefined;
  readonly line: number;
}

function constantsOf(tokens: readonly Token[]): Constant[] {
  const found: Constant[] = [];
  let depth = 0;
  tokens.forEach(({ kind, text }, index) => {
    if (kind === 'punctuation') depth += '([{'.includes(text) ? 1 : ')]}'.includes(text) ? -1 : 0;
    const name = tokens[index + 1];
    if (depth !== 0 || kind !== 'word' || text !== 'const' || name === undefined || !CONSTANT.test(name.text)) return;
    const assignment = tokens.findIndex((token, at) => at > index && token.text === '=');
    const end = tokens.findIndex((token, at) => at > assignment && token.text === ';');
    const value = tokens.slice(assignment + 1, end === -1 ? undefined : end);
    const hasString = value.some((token) => token.kind === 'string');
    found.push({
      name: name.text,
      value: hasString ? undefined : value.map((token) => token.text).join(''),
      line: name.line,
    });
  });
  return found;
}

function isNumeric(value: string | undefined, numeric: ReadonlySet<string>): boolean {
  if (value === undefined || !NUMERIC.test(value)) return false;
  const names = value.match(/\b[A-Z][A-Z0-9_]*\b/g) ?? [];
  return /(?<![\w.])\d/.test(value) || names.some((name) => numeric.has(name));
}
