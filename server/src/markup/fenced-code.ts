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

const CODE_SPAN = /(`[^`\n]+`)/;

/** Replaces text outside fenced code and code spans. Text in quotes and spoilers is not code. */
export function replaceProse(source: string, replace: (prose: string) => string): string {
  const outsideSpans = (text: string) =>
    text
      .split(CODE_SPAN)
      .map((part, index) => (index % 2 === 1 ? part : replace(part)))
      .join('');
  if (!MAYBE_FENCE.test(source)) return outsideSpans(source);
  const lines = source.split(LINE_BREAK);
  const parts: string[] = [];
  let end = 0;
  for (const [from, to] of fencedLines(lines.join('\n'))) {
    if (from > end) parts.push(outsideSpans(lines.slice(end, from).join('\n')));
    parts.push(lines.slice(from, to).join('\n'));
    end = to;
  }
  if (end < lines.length) parts.push(outsideSpans(lines.slice(end).join('\n')));
  return parts.join('\n');
}
