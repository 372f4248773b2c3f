import type { StateBlock } from 'markdown-it';

type BlockRule = (state: StateBlock, startLine: number, endLine: number, silent: boolean) => boolean;

/** A table with more cells than this stays text: short rows would make a message many times its size. */
const MAX_TABLE_CELLS = 5000;
/** Stands for a `|` that is no border while a table is parsed. The parser has replaced any that a message held. */
const INNER_PIPE = '\0';
/** Runs of backticks, and the pipes among them. Behind a backslash a pipe is no border anyway. */
const CODE_MARKS = /`+|\\.|\|/g;

/**
 * The parser's tables, bounded, with code in their cells: `` `a|b` `` is one cell. The parser splits its lines at every
 * pipe, so those inside code are hidden from it.
 */
export function codeAwareTable(rule: BlockRule): BlockRule {
  return (state, startLine, endLine, silent) => {
    if (startLine + 2 > endLine) return false;
    const header = lineOf(state, startLine);
    if (!header.includes('|') || !/^[\s|:-]+$/.test(lineOf(state, startLine + 1))) return false;
    let end = startLine + 2;
    while (end < endLine && !state.isEmpty(end)) end++;
    if (header.split('|').length * (end - startLine - 2) > MAX_TABLE_CELLS) return false;

    const { src } = state;
    const from = state.bMarks[startLine] ?? 0;
    const to = state.eMarks[end - 1] ?? src.length;
    const table = src.slice(from, to);
    const hidden = table.includes('`') ? table.split('\n').map(hideCodePipes).join('\n') : table;
    if (hidden === table) return rule(state, startLine, endLine, silent);

    const firstToken = state.tokens.length;
    state.src = src.slice(0, from) + hidden + src.slice(to);
    const matched = rule(state, startLine, endLine, silent);
    state.src = src;
    for (let index = firstToken; index < state.tokens.length; index++) {
      const token = state.tokens[index];
      if (token?.type === 'inline') token.content = token.content.replaceAll(INNER_PIPE, '|');
    }
    return matched;
  };
}

function lineOf(state: StateBlock, line: number): string {
  return state.src.slice(state.bMarks[line], state.eMarks[line]);
}

/** The line, as long as it was, without the pipes between a run of backticks and the next run as long as that. */
function hideCodePipes(line: string): string {
  if (!line.includes('`') || !line.includes('|')) return line;
  const marks = [...line.matchAll(CODE_MARKS)].filter(([mark]) => !mark.startsWith('\\'));
  /** Where the next run of this length begins, for each run: filled from the end, so that it takes one pass. */
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
