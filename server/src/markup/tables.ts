import type { StateBlock } from 'markdown-it';

type BlockRule = (state: StateBlock, startLine: number, endLine: number, silent: boolean) => boolean;

/** A table with more cells than this stays text: short rows would make a message many times its size. */
const MAX_TABLE_CELLS = 5000;
/** Stands for a `|` that separates no cells while a table is parsed. The parser has replaced any that a message contained. */
const INNER_PIPE = '\0';
/** Runs of backticks, and the pipes among them. A pipe behind a backslash separates no cells in any case. */
const CODE_MARKS = /`+|\\.|\|/g;

/**
 * The parser's tables, with a bound, and with two differences. Code in a cell may contain pipes: `` `a|b` `` is one cell. A row with more
 * cells than the table has columns keeps their text: the last column shows it, with its pipes. The parser splits a line at every pipe, so
 * this rule hides those pipes from it.
 */
export function lenientTable(rule: BlockRule): BlockRule {
  return (state, startLine, endLine, silent) => {
    if (startLine + 2 > endLine) return false;
    const header = lineOf(state, startLine);
    if (!header.includes('|') || !/^[\s|:-]+$/.test(lineOf(state, startLine + 1))) return false;
    let end = startLine + 2;
    while (end < endLine && !state.isEmpty(end)) end++;
    if (header.split('|').length * (end - startLine - 2) > MAX_TABLE_CELLS) return false;

    const { src } = state;
    const hidden = withHiddenPipes(state, startLine, end);
    if (hidden === undefined) return rule(state, startLine, endLine, silent);
    const firstToken = state.tokens.length;
    state.src = hidden;
    const matched = rule(state, startLine, endLine, silent);
    state.src = src;
    for (let index = firstToken; index < state.tokens.length; index++) {
      const token = state.tokens[index];
      if (token?.type === 'inline') token.content = token.content.replaceAll(INNER_PIPE, '|');
    }
    return matched;
  };
}

/** Where the line begins within the quote or the list item that it is in. */
function startOf(state: StateBlock, line: number): number {
  return (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
}

function lineOf(state: StateBlock, line: number): string {
  return state.src.slice(startOf(state, line), state.eMarks[line]);
}

/** The source, as long as it was, with the pipes hidden that separate no cells; undefined where there are none. */
function withHiddenPipes(state: StateBlock, startLine: number, end: number): string | undefined {
  const { src } = state;
  const columns = separatorsIn(hideCodePipes(lineOf(state, startLine))).length + 1;
  let hidden = '';
  let done = 0;
  for (let line = startLine; line < end; line++) {
    const written = lineOf(state, line);
    const inCode = hideCodePipes(written);
    const shown = line < startLine + 2 ? inCode : hideSurplusPipes(inCode, columns);
    if (shown === written) continue;
    hidden += src.slice(done, startOf(state, line)) + shown;
    done = state.eMarks[line] ?? src.length;
  }
  return done === 0 ? undefined : hidden + src.slice(done);
}

/** Where the pipes between cells are, without those that border the row. */
function separatorsIn(line: string): readonly number[] {
  const row = line.trim();
  const start = line.length - line.trimStart().length;
  const found: number[] = [];
  for (let at = row.indexOf('|'); at >= 0; at = row.indexOf('|', at + 1)) {
    const isBorder = at === 0 || at === row.length - 1;
    if (!isBorder && row[at - 1] !== '\\') found.push(start + at);
  }
  return found;
}

/** The line without the pipes between the cells that the table has no columns for, where any of these has a text. */
function hideSurplusPipes(line: string, columns: number): string {
  const surplus = separatorsIn(line).slice(columns - 1);
  const first = surplus[0];
  if (first === undefined || !/[^\s|]/.test(line.slice(first))) return line;
  let hidden = '';
  let done = 0;
  for (const at of surplus) {
    hidden += line.slice(done, at) + INNER_PIPE;
    done = at + 1;
  }
  return hidden + line.slice(done);
}

/** The line, as long as it was, without the pipes between a run of backticks and the next run of the same length. */
function hideCodePipes(line: string): string {
  if (!line.includes('`') || !line.includes('|')) return line;
  const marks = [...line.matchAll(CODE_MARKS)].filter(([mark]) => !mark.startsWith('\\'));
  /** Where the next run of this length begins, for each run. The loop fills it from the end, so one pass is enough. */
  const closers = new Map<number, number>();
  const closerOf: (number | undefined)[] = [];
  for (let index = marks.length - 1; index >= 0; index--) {
    const [mark] = marks[index] ?? [''];
    if (mark === '|') continue;
    closerOf[index] = closers.get(mark.length);
    closers.set(mark.length, index);
  }
  let hidden = '';
  let end = 0;
  for (let index = 0; index < marks.length; index++) {
    const closer = closerOf[index];
    if (closer === undefined) continue;
    for (index++; index < closer; index++) {
      const mark = marks[index];
      if (mark?.[0] !== '|') continue;
      hidden += line.slice(end, mark.index) + INNER_PIPE;
      end = mark.index + 1;
    }
  }
  return hidden + line.slice(end);
}
