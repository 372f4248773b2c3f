/**
 * Holds docs/interface.md to the tests that it names. A row is a rule and the tests that hold it, each as `` `place/file`: name ``, one
 * after the other with `<br>` between. The place is the end of the test file's path; what a name puts together when it runs is `…`.
 */
import { type Finding, type SourceFile, type Token, tokenize } from './source.ts';

export const RULES_DOCUMENT = 'docs/interface.md';
/** The part whose rows have a reason in place of a test. */
const WITHOUT_TEST = 'Without a test';

/** A test as its source names it. */
export interface NamedTest {
  readonly name: string;
  /** It says somewhere that it is to be skipped, or is still to be done. */
  readonly isSkipped: boolean;
}

export interface RulesChecked {
  readonly findings: readonly Finding[];
  /** How many rules have tests, and how many have none. */
  readonly tested: number;
  readonly untested: number;
}

/** The tests in a file, in their order. What is skipped with a whole suite counts as skipped one by one. */
export function testsIn(text: string): readonly NamedTest[] {
  const tokens = tokenize(text);
  const found: { readonly at: number; readonly name: string }[] = [];
  for (const at of tokens.keys()) {
    const name = nameAt(tokens, at);
    if (name !== undefined) found.push({ at, name });
  }
  const isSuiteSkipped = tokens.some(({ text: word }, at) => {
    return (word === 'describe' || word === 'suite') && isSkipping(tokens.slice(at, endOfName(tokens, at)));
  });
  return found.map(({ at, name }, index) => {
    const own = tokens.slice(at, found[index + 1]?.at);
    return { name, isSkipped: isSuiteSkipped || isSkipping(own) };
  });
}

/** `skip: withoutBrowser` is no skipping: it says what a machine may lack, and that CI brings it. */
const isSkipping = (tokens: readonly Token[]) =>
  tokens.some(({ kind, text }, at) => {
    if (kind !== 'word' || (text !== 'skip' && text !== 'todo')) return false;
    return !(tokens[at + 1]?.text === ':' && tokens[at + 2]?.text.startsWith('without'));
  });

/** The name of the test that begins with this word: `test('…'`, `it.skip(`…``. */
function nameAt(tokens: readonly Token[], at: number): string | undefined {
  const word = tokens[at];
  if (word?.kind !== 'word' || (word.text !== 'test' && word.text !== 'it') || tokens[at - 1]?.text === '.')
    return undefined;
  const open = tokens[at + 1]?.text === '.' ? at + 3 : at + 1;
  const first = tokens[open + 1];
  if (tokens[open]?.text !== '(' || first?.kind !== 'string') return undefined;
  return unescaped(first.part === undefined ? first.text : wholeTemplate(tokens, open + 1));
}

/** The options of a suite end where its function begins. */
function endOfName(tokens: readonly Token[], at: number): number {
  const end = tokens.findIndex(({ text }, index) => index > at && text === '=');
  return end === -1 ? tokens.length : end;
}

/** A template's stretches, with `…` for what is between them; templates inside of those belong to them. */
function wholeTemplate(tokens: readonly Token[], at: number): string {
  let depth = 0;
  let name = '';
  for (const { text, part } of tokens.slice(at)) {
    if (part === undefined) continue;
    if (part === 'first') depth += 1;
    if (depth === 1) name += part === 'last' ? text : `${text}…`;
    if (part === 'last') depth -= 1;
    if (depth === 0) break;
  }
  return name;
}

const unescaped = (text: string) => text.replaceAll(/\\(['"`\\])/g, '$1');

/** Every row names tests that exist and run, or stands among those without. */
export function checkInterfaceRules(document: string, sources: readonly SourceFile[]): RulesChecked {
  const tests = new Map(
    sources.filter(({ path }) => path.endsWith('.test.ts')).map(({ path, text }) => [path, testsIn(text)]),
  );
  const findings: Finding[] = [];
  let [tested, untested, heading] = [0, 0, ''];
  for (const [index, text] of document.split('\n').entries()) {
    if (text.startsWith('## ')) heading = text.slice('## '.length);
    const [rule, named] = cellsOf(text);
    if (rule === undefined || isHead(rule)) continue;
    const report = (problem: string) => findings.push({ path: RULES_DOCUMENT, line: index + 1, problem });
    if (heading === WITHOUT_TEST) {
      untested += 1;
      continue;
    }
    tested += 1;
    if (named === undefined || named === '') report(`no test is named for '${rule}'`);
    else for (const reference of named.split('<br>')) checkReference(reference, tests, report);
  }
  return { findings, tested, untested };
}

const isHead = (cell: string) => cell === 'rule' || /^-+$/.test(cell);

/** The cells of a table's row, none of other lines. */
function cellsOf(line: string): readonly string[] {
  if (!line.startsWith('| ') && !line.startsWith('|-')) return [];
  const cells = line.split(/(?<!\\)\|/).slice(1, -1);
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'));
}

function checkReference(
  reference: string,
  tests: ReadonlyMap<string, readonly NamedTest[]>,
  report: (problem: string) => void,
): void {
  const [, place, name] = /^`([^`]+)`: (.+)$/.exec(reference) ?? [];
  const paths = [...tests.keys()].filter((path) => path.endsWith(`/${place}.test.ts`));
  const found = paths.flatMap((path) => tests.get(path) ?? []).filter((test) => test.name === name);
  if (name === undefined) report(`'${reference}' does not name a test's file and the test`);
  else if (paths.length !== 1) report(`there are ${paths.length} files of tests called '${place}'`);
  else if (found.length === 0) report(`there is no test '${name}' in '${place}'`);
  else if (found.some(({ isSkipped }) => isSkipped)) report(`the test '${name}' in '${place}' is skipped`);
}
