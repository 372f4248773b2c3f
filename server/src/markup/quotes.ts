import type { StateBlock } from 'markdown-it';

type BlockRule = (state: StateBlock, startLine: number, endLine: number, silent: boolean) => boolean;

/**
 * Quotes, with two differences to the parser's. A `>` with nothing after it, and alone in its block, is text. And a quote ends with its
 * block: the text in `>\n>\ntext` is quoted, although no paragraph of the quote is open there.
 */
export function quote(rule: BlockRule): BlockRule {
  return (state, startLine, endLine, silent) => {
    if (!isMarked(state, startLine)) return false;
    const isAlone = startLine + 1 >= endLine || state.isEmpty(startLine + 1);
    if (isAlone && isEmptyQuote(state, startLine)) return false;
    if (!rule(state, startLine, endLine, silent)) return false;
    while (!silent && continues(state, endLine)) continueQuote(rule, state, endLine);
    return true;
  };
}

/** Whether an empty line of the quote is before this line, and a paragraph begins in it. */
function continues(state: StateBlock, endLine: number): boolean {
  const { line } = state;
  if (line >= endLine || state.isEmpty(line) || (state.sCount[line] ?? 0) < state.blkIndent) return false;
  if (isMarked(state, line) || !isEmptyQuote(state, line - 1)) return false;
  return !state.md.block.ruler.getRules('blockquote').some((other) => other(state, line, endLine, true));
}

/** Moves the end of the quote behind its further lines. */
function continueQuote(rule: BlockRule, state: StateBlock, endLine: number): void {
  const { lineMax, parentType, level } = state;
  let end = state.line;
  while (end < endLine && !state.isEmpty(end) && !isMarked(state, end)) end += 1;
  const close = state.tokens.pop();
  state.lineMax = end;
  state.parentType = 'blockquote';
  state.level = level + 1;
  state.md.block.tokenize(state, state.line, end);
  state.lineMax = lineMax;
  state.parentType = parentType;
  state.level = level;
  // Marked lines that follow directly would be a quote of their own.
  const next = state.tokens.length;
  if (state.line === end && end < endLine && isMarked(state, end) && rule(state, end, endLine, false)) {
    state.tokens.splice(next, 1);
  } else if (close !== undefined) state.tokens.push(close);
}

function isMarked(state: StateBlock, line: number): boolean {
  return state.src.charCodeAt((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0)) === 62;
}

/** The mark of a quote, and nothing else. */
function isEmptyQuote(state: StateBlock, line: number): boolean {
  const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
  return /^>[>\s]*$/.test(state.src.slice(start, state.eMarks[line]));
}
