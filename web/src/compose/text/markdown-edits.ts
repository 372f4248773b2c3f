/** Edits of Markdown around a selection: pure functions from a text and a selection to a replacement. */
import type { TextEdit, TextSelection } from './box-text.ts';

export type MarkdownEdit = (text: string, selection: TextSelection) => TextEdit;

/** Puts marks around the selection, or removes them. With nothing selected, the cursor is between them. */
export function surround(mark: string): MarkdownEdit {
  const { length } = mark;
  return (text, { start, end }) => {
    const [from, to] = withoutSpace(text, start, end);
    const inner = text.slice(from, to);
    if (isMarked(text, from, to, mark)) {
      const selection = { start: from - length, end: to - length };
      return { from: from - length, to: to + length, text: inner, selection };
    }
    if (inner.length > 2 * length && isMarked(text, from + length, to - length, mark)) {
      return { from, to, text: inner.slice(length, -length), selection: { start: from, end: to - 2 * length } };
    }
    return { from, to, text: mark + inner + mark, selection: { start: from + length, end: to + length } };
  };
}

/** `*` beside another `*` belongs to bold text. */
function isMarked(text: string, from: number, to: number, mark: string): boolean {
  const { length } = mark;
  if (text.slice(from - length, from) !== mark || text.slice(to, to + length) !== mark || from < length) return false;
  if (mark !== '*') return true;
  const before = /\**$/.exec(text.slice(0, from))?.[0].length ?? 0;
  const after = /^\**/.exec(text.slice(to))?.[0].length ?? 0;
  return Math.min(before, after) % 2 === 1;
}

function withoutSpace(text: string, start: number, end: number): readonly [number, number] {
  const selected = text.slice(start, end);
  if (selected.trim() === '') return [start, end];
  return [start + selected.length - selected.trimStart().length, end - (selected.length - selected.trimEnd().length)];
}

/** Code: in a line with backticks, over several lines in a block. */
export const toCode: MarkdownEdit = (text, selection) => {
  const { start, end } = selection;
  return text.slice(start, end).includes('\n') ? fence('')(text, selection) : surround('`')(text, selection);
};

/** Formulas: in a line with `$$`, over several lines in a block. */
export const toFormula: MarkdownEdit = (text, selection) => {
  const { start, end } = selection;
  return text.slice(start, end).includes('\n') ? fence('math')(text, selection) : surround('$$')(text, selection);
};

/** A block of backticks around the lines of the selection. The cursor or the selection is inside. */
export function fence(language: string): MarkdownEdit {
  return (text, selection) => {
    const { from, to } = linesOf(text, selection);
    const inner = text.slice(from, to);
    const longest = Math.max(2, ...[...inner.matchAll(/^`{3,}/gm)].map(([ticks]) => ticks.length));
    const ticks = '`'.repeat(longest + 1);
    const opening = `${ticks}${language}\n`;
    const start = from + opening.length;
    return { from, to, text: `${opening}${inner}\n${ticks}`, selection: { start, end: start + inner.length } };
  };
}

/** A spoiler around the lines of the selection. The header is selected. */
export function spoiler(header: string): MarkdownEdit {
  return (text, selection) => {
    const edit = fence(`spoiler ${header}`)(text, selection);
    const start = edit.from + edit.text.indexOf(header);
    return { ...edit, selection: { start, end: start + header.length } };
  };
}

/** Adds a prefix to each line of the selection, or removes it from all. */
export function prefixLines(prefixOf: (index: number) => string, pattern: RegExp): MarkdownEdit {
  return (text, selection) => {
    const { from, to } = linesOf(text, selection);
    const lines = text.slice(from, to).split('\n');
    const isPrefixed = lines.every((line) => pattern.test(line));
    const changed = lines
      .map((line, index) => (isPrefixed ? line.replace(pattern, '') : prefixOf(index) + line))
      .join('\n');
    const end = from + changed.length;
    return { from, to, text: changed, selection: { start: lines.length > 1 ? from : end, end } };
  };
}

export const toBullets: MarkdownEdit = prefixLines(() => '- ', /^[-*+] /);
export const toNumbers: MarkdownEdit = prefixLines((index) => `${index + 1}. `, /^\d+\. /);
export const toQuote: MarkdownEdit = prefixLines(() => '> ', /^> ?/);

const URL_TEXT = /^(?:https?:\/\/|mailto:)\S+$/i;

/** A link of the selected text. The part that is missing is selected. A selected URL is the target. */
export function link(placeholders: { readonly text: string; readonly url: string }): MarkdownEdit {
  return (text, { start, end }) => {
    const selected = text.slice(start, end);
    const isUrl = URL_TEXT.test(selected);
    const label = isUrl || selected === '' ? placeholders.text : selected;
    const url = isUrl ? selected : placeholders.url;
    const made = `[${label}](${url})`;
    const missing =
      isUrl || selected === '' ? { at: start + 1, part: label } : { at: start + label.length + 3, part: url };
    return {
      from: start,
      to: end,
      text: made,
      selection: { start: missing.at, end: missing.at + missing.part.length },
    };
  };
}

/** A pasted URL over selected text makes a link. Undefined if it is no URL, or the selection is none or another URL. */
export function pastedLink(text: string, { start, end }: TextSelection, pasted: string): TextEdit | undefined {
  const selected = text.slice(start, end);
  if (!URL_TEXT.test(pasted) || selected.trim() === '' || URL_TEXT.test(selected) || /[[\]\n]/.test(selected)) {
    return undefined;
  }
  return { from: start, to: end, text: `[${selected}](${pasted.replaceAll('(', '%28').replaceAll(')', '%29')})` };
}

const ITEM = /^(\s*)([-*+]|(\d+)\.)( +)(.*)$/;

/**
 * A new line that continues a list or a quote. In an empty item, it ends the list instead.
 * Undefined if the cursor is in no list, so that the browser inserts the line.
 */
export function newLine(text: string, { start, end }: TextSelection): TextEdit | undefined {
  if (start !== end) return undefined;
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const line = text.slice(from, start);
  const match = ITEM.exec(line);
  if (match === null) return undefined;
  const [, indent = '', bullet = '', number, space = ' ', rest = ''] = match;
  if (rest.trim() === '') return { from, to: start, text: '' };
  const next = number === undefined ? bullet : `${Number(number) + 1}.`;
  return { from: start, to: end, text: `\n${indent}${next}${space}` };
}

/** The whole lines that the selection touches. */
function linesOf(text: string, { start, end }: TextSelection): { readonly from: number; readonly to: number } {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const last = end > start && text.charAt(end - 1) === '\n' ? end - 1 : end;
  const next = text.indexOf('\n', last);
  return { from, to: next < 0 ? text.length : next };
}
