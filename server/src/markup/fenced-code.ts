import { fencedLines } from './parser.ts';

const LINE_BREAK = /\r\n?|\n/;
/** A cheap test: most messages have no fence. */
const MAYBE_FENCE = /`{3}|~{3}/;

/** A message's source with empty lines in place of its fenced code. Text in quotes and spoilers stays. */
export function withoutFencedCode(source: string): string {
  if (!MAYBE_FENCE.test(source)) return source;
  const lines = source.split(LINE_BREAK);
  const fences = fencedLines(lines.join('\n'));
  if (fences.length === 0) return source;
  for (const [from, to] of fences) lines.fill('', from, to);
  return lines.join('\n');
}
