/**
 * Checks which tests hold the rules of docs/interface.md. A row of that document is a rule: an id and a text. A comment directly above a
 * test names its rules:
 *
 *     // rules: send-3, edit-12
 *     test('a topic is required for channel messages', …);
 *
 * Tests name rules, and not the reverse, so that a test can change its name or its file without a change of the document.
 */
import { type Finding, type SourceFile, type Token, tokenize, tokensOf } from './source.ts';

export const RULES_DOCUMENT = 'docs/interface.md';

const RULE_ID = /^[a-z]+(?:-[a-z]+)*-[1-9]\d*$/;
const RULES_COMMENT = /^\s*\/\/ rules:(.*)$/;

/** A rule of the document. */
export interface Rule {
  readonly id: string;
  readonly text: string;
  /** Its line in the document. */
  readonly line: number;
}

/** A test that names rules. */
export interface TestOfRules {
  readonly path: string;
  readonly line: number;
  /** The test's name as in its source, with `…` for each `${…}`. */
  readonly name: string;
}

export interface RulesChecked {
  /** Errors in the document and in the comments of tests. */
  readonly findings: readonly Finding[];
  /** One finding for each rule that no test names. */
  readonly untested: readonly Finding[];
  readonly rules: readonly Rule[];
  /** The tests of each rule, by its id, sorted by path and line. */
  readonly tests: ReadonlyMap<string, readonly TestOfRules[]>;
}

/** A test as its source names it. */
export interface NamedTest {
  readonly name: string;
  readonly line: number;
  /** True for skipped tests and for tests that are still to do. */
  readonly isSkipped: boolean;
  /** The ids in the comments above the test. */
  readonly rules: readonly string[];
}

/** The tests of a file, in their order. A test in a skipped suite counts as skipped. */
export function testsIn(text: string, tokens: readonly Token[] = tokenize(text)): readonly NamedTest[] {
  const lines = text.split('\n');
  const found: { readonly at: number; readonly line: number; readonly name: string }[] = [];
  for (const [at, { line }] of tokens.entries()) {
    const name = nameAt(tokens, at);
    if (name !== undefined) found.push({ at, line, name });
  }
  const isSuiteSkipped = tokens.some(({ text: word }, at) => {
    return (word === 'describe' || word === 'suite') && isSkipping(tokens.slice(at, endOfOptions(tokens, at)));
  });
  return found.map(({ at, line, name }, index) => {
    const own = tokens.slice(at, found[index + 1]?.at);
    const rules = commentLinesAbove(lines, line).flatMap((above) => idsIn(lines[above - 1]));
    return { name, line, isSkipped: isSuiteSkipped || isSkipping(own), rules };
  });
}

/** The lines (from 1) of the comments directly above a line. A rule comment can be one of several. */
function commentLinesAbove(lines: readonly string[], line: number): readonly number[] {
  let first = line;
  while (lines[first - 2]?.trimStart().startsWith('//')) first -= 1;
  return Array.from({ length: line - first }, (_, index) => first + index);
}

/** The rule ids in a line; empty if the line is not a rule comment. */
function idsIn(line: string | undefined): readonly string[] {
  const listed = RULES_COMMENT.exec(line ?? '')?.[1];
  return listed === undefined ? [] : listed.split(',').map((id) => id.trim());
}

/** `skip: without…` does not count: such a test needs a program that a machine may lack, and that CI has. */
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
function endOfOptions(tokens: readonly Token[], at: number): number {
  const end = tokens.findIndex(({ text }, index) => index > at && text === '=');
  return end === -1 ? tokens.length : end;
}

/** The text of a template, with `…` for each substitution. Templates inside a substitution belong to it. */
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

/** Compares the rules of the document with the rules that the tests name. */
export function checkInterfaceRules(document: string, sources: readonly SourceFile[]): RulesChecked {
  const { rules, findings } = rulesIn(document);
  const tests = new Map<string, TestOfRules[]>(rules.map(({ id }) => [id, []]));
  for (const file of sources) {
    const { path, text } = file;
    if (!path.endsWith('.test.ts')) continue;
    const found = testsIn(text, tokensOf(file));
    for (const { name, line, isSkipped, rules: ids } of found) {
      const report = (problem: string) => findings.push({ path, line, problem });
      if (isSkipped && ids.length > 0) report(`the test '${name}' is skipped, but names rules`);
      for (const id of ids) {
        if (tests.has(id)) tests.get(id)?.push({ path, line, name });
        else report(`the test '${name}' names the rule '${id}', which ${RULES_DOCUMENT} does not have`);
      }
    }
    findings.push(...commentsWithoutTest(path, text, found));
  }
  const untested = rules
    .filter(({ id }) => tests.get(id)?.length === 0)
    .map(({ id, line }) => ({ path: RULES_DOCUMENT, line, problem: `no test names the rule '${id}'` }));
  return { findings, untested, rules, tests };
}

/** A rule comment has no effect unless a test begins directly below it. */
function commentsWithoutTest(path: string, text: string, tests: readonly NamedTest[]): readonly Finding[] {
  const lines = text.split('\n');
  const read = new Set(tests.flatMap(({ line }) => commentLinesAbove(lines, line)));
  return [...lines.entries()]
    .filter(([index, line]) => RULES_COMMENT.test(line) && !read.has(index + 1))
    .map(([index]) => ({ path, line: index + 1, problem: 'no test begins directly below this rule comment' }));
}

/** The rules in the tables of the document, and its errors. */
function rulesIn(document: string): { readonly rules: readonly Rule[]; readonly findings: Finding[] } {
  const rules = new Map<string, Rule>();
  const findings: Finding[] = [];
  for (const [index, row] of document.split('\n').entries()) {
    const [id, text] = cellsOf(row);
    if (id === undefined || id === 'id' || /^-+$/.test(id)) continue;
    const line = index + 1;
    const report = (problem: string) => findings.push({ path: RULES_DOCUMENT, line, problem });
    if (!RULE_ID.test(id)) report(`'${id}' is not a rule id, such as 'send-3'`);
    else if (text === undefined || text === '') report(`the rule '${id}' has no text`);
    else if (rules.has(id)) report(`line ${rules.get(id)?.line} has the id '${id}' too`);
    else rules.set(id, { id, text, line });
  }
  return { rules: [...rules.values()], findings };
}

/** The cells of a row of a table; empty for other lines. */
function cellsOf(line: string): readonly string[] {
  if (!line.startsWith('|')) return [];
  const cells = line.split(/(?<!\\)\|/).slice(1, -1);
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'));
}
