import { type Finding, type SourceFile, type Token, tokenize } from './source.ts';

/** The one place that waits for all tests. */
const UNTIL = 'server/src/testing/server/until.ts';

const SLEEPS = new Set(['setTimeout', 'waitForTimeout']);
const CLOCKS = new Set(['hrtime', 'threadCpuUsage', 'cpuUsage']);
/** What Playwright reads from a page at once. */
const READS = new Set(
  'allInnerTexts allTextContents count getAttribute innerText inputValue isChecked isDisabled isEnabled isHidden isVisible textContent'.split(
    ' ',
  ),
);
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

const A_SLEEP = 'a test does not sleep; wait with until()';
const A_LOOP = 'a loop without a limit; wait with until()';
const A_PROMISE = 'waitForFunction takes the promise for true; wait with until() and page.evaluate()';
const AN_INSTANT = 'a page may show this only later; compare with untilEqual()';
const A_CLOCK = 'a test does not measure time; count work instead, or move it to bench/';

const isOfBrowser = (path: string) => /browser\.test\.tsx?$/.test(path);
const isForTests = (path: string) => /\.test\.tsx?$|(^|\/)testing\//.test(path);

/** The index behind the bracket that closes the one at `open`. */
function behindBracket(tokens: readonly Token[], open: number): number {
  const closing = CLOSING[tokens[open]?.text ?? ''];
  let depth = 0;
  for (let at = open; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token?.kind !== 'punctuation') continue;
    if (token.text === tokens[open]?.text) depth += 1;
    if (token.text === closing) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return tokens.length;
}

/** The index behind the statement that begins at `start`. */
function behindStatement(tokens: readonly Token[], start: number): number {
  if (isPunctuation(tokens[start], '{')) return behindBracket(tokens, start);
  let at = start;
  while (at < tokens.length && !isPunctuation(tokens[at], ';'))
    at = isOpening(tokens[at]) ? behindBracket(tokens, at) : at + 1;
  return at + 1;
}

const isPunctuation = (token: Token | undefined, text: string) => token?.kind === 'punctuation' && token.text === text;
const isOpening = (token: Token | undefined) => token?.kind === 'punctuation' && token.text in CLOSING;
const isWord = (token: Token | undefined, text: string) => token?.kind === 'word' && token.text === text;
const awaits = (tokens: readonly Token[]) => tokens.some((token) => isWord(token, 'await'));

/** Whether the loop that begins at this word has no end of its own, or waits in an unknown number of rounds. */
function isUnbounded(tokens: readonly Token[], index: number): boolean {
  const next = index + 1;
  if (isWord(tokens[index], 'do')) return awaits(tokens.slice(next, behindStatement(tokens, next)));
  if (!isPunctuation(tokens[next], '(')) return false;
  const end = behindBracket(tokens, next);
  const head = tokens.slice(next + 1, end - 1);
  if (isWord(tokens[index], 'while')) {
    const isEndless = head.length === 1 && (head[0]?.text === 'true' || head[0]?.text === '1');
    return isEndless || awaits(head) || awaits(tokens.slice(end, behindStatement(tokens, end)));
  }
  return head.some((token, at) => isPunctuation(token, ';') && isPunctuation(head[at + 1], ';'));
}

/** Whether `Date.now()` at this index is part of a difference with another measured time. */
function isDifference(tokens: readonly Token[], index: number): boolean {
  if (isPunctuation(tokens[index - 1], '-')) return true;
  const [minus, other, after] = tokens.slice(index + 5, index + 8);
  return isPunctuation(minus, '-') && other?.kind === 'word' && !['*', '('].includes(after?.text ?? '');
}

/** Whether this word begins `assert.equal(await page.locator('p').count(), 1)`. */
function comparesOnce(tokens: readonly Token[], index: number): boolean {
  const [dot, comparison, bracket, wait] = tokens.slice(index + 1, index + 5);
  if (!isPunctuation(dot, '.') || !isPunctuation(bracket, '(') || !isWord(wait, 'await')) return false;
  if (!isWord(comparison, 'equal') && !isWord(comparison, 'deepEqual')) return false;
  let at = index + 5;
  let last = at;
  while (at < tokens.length && !isPunctuation(tokens[at], ',')) {
    if (isPunctuation(tokens[at], '.')) last = at + 1;
    at = isOpening(tokens[at]) ? behindBracket(tokens, at) : at + 1;
  }
  return READS.has(tokens[last]?.text ?? '');
}

function problemAt(path: string, tokens: readonly Token[], index: number): string | undefined {
  const token = tokens[index];
  if (token?.kind !== 'word') return undefined;
  if (SLEEPS.has(token.text)) return A_SLEEP;
  const isCall = token.text === 'waitForFunction' && isPunctuation(tokens[index + 1], '(');
  if (isCall && isWord(tokens[index + 2], 'async')) return A_PROMISE;
  if (token.text === 'assert' && isOfBrowser(path) && comparesOnce(tokens, index)) return AN_INSTANT;
  const isName = isPunctuation(tokens[index - 1], '.') || isPunctuation(tokens[index + 1], ':');
  if (!isName && ['for', 'while', 'do'].includes(token.text) && isUnbounded(tokens, index)) return A_LOOP;
  if (path.startsWith('bench/')) return undefined;
  const readsNow = isPunctuation(tokens[index + 1], '.') && isWord(tokens[index + 2], 'now');
  const isClock = CLOCKS.has(token.text) || (token.text === 'performance' && readsNow);
  if (isClock || (token.text === 'Date' && readsNow && isDifference(tokens, index))) return A_CLOCK;
  return undefined;
}

/**
 * Reports sleeps, loops without a limit, waits that wait for nothing, comparisons with what a page shows at one instant, and measured times in tests and their helpers. An exception has a comment `timing:` with its reason, on its line or the
 * line before. Benchmarks may measure time. Rule: `CONTRIBUTING.md`, "Rules that `npm run check` enforces".
 */
export function checkTestWaits(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path, text }) => {
    if (!isForTests(path) || path === UNTIL) return [];
    const lines = text.split('\n');
    const isAllowed = (line: number) =>
      /\/\/ timing: \S/.test(lines[line - 1] ?? '') || /^\s*\/\/ timing: \S/.test(lines[line - 2] ?? '');
    const tokens = tokenize(text);
    return tokens.flatMap(({ line }, index) => {
      const problem = problemAt(path, tokens, index);
      return problem === undefined || isAllowed(line) ? [] : [{ path, line, problem }];
    });
  });
}
