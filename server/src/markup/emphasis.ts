import type { StateInline } from 'markdown-it';
import { renderStateOf } from './render-state.ts';

/**
 * `*emphasis*`, `**strong**`, `***both***` and `~~struck out~~`, by the rules of this API's clients. They differ from CommonMark.
 *
 * - Underscores mean nothing. No emphasis spans lines.
 * - Strong text may begin or end with a space or touch a letter. Some languages write no spaces between words.
 * - `*emphasis*` and `***both***` contain no `^`, except in strong text, code, formulas and links.
 *
 * Both rules act only while the parser produces tokens. In its look-ahead, the search for the end of a link's label, they do nothing: a
 * link binds tighter than emphasis. A link's text stays as it was written, except for `***both***`.
 */

const NEWLINE_CODE = 10;
const STAR_CODE = 42;
const CARET_CODE = 94;
const TILDE_CODE = 126;

/**
 * Characters of a message that the search for the ends of emphasis may look at. Emphasis that begins later is text. People's messages need
 * far fewer, but markers without an end, nested in each other, would take time that grows with the square of the length.
 */
const MAX_SCANNED_CHARACTERS = 400_000;

export function emphasis(state: StateInline, silent: boolean): boolean {
  const { src, pos: start, posMax } = state;
  if (silent || src.charCodeAt(start) !== STAR_CODE) return false;
  const run = runLength(state, start, STAR_CODE);
  if (run > 3 || (run < 3 && state.linkLevel > 0)) {
    state.pending += src.slice(start, start + run);
    state.pos += run;
    return true;
  }
  if (run === 3) {
    const end = tightEnd(state, start + 3, '***');
    if (end >= 0) {
      state.push('strong_open', 'strong', 1);
      wrap(state, 'em', start + 3, end, end + 3, posMax);
      state.push('strong_close', 'strong', -1);
      return true;
    }
  }
  if (run >= 2) {
    const end = strongEnd(state, start);
    if (end >= 0) return wrap(state, 'strong', start + 2, end, end + 2, posMax);
  }
  if (run === 1) {
    const end = tightEnd(state, start + 1, '*');
    if (end >= 0) return wrap(state, 'em', start + 1, end, end + 1, posMax);
  }
  return false;
}

export function strikethrough(state: StateInline, silent: boolean): boolean {
  const { src, pos: start, posMax } = state;
  if (silent || src.charCodeAt(start) !== TILDE_CODE) return false;
  const run = runLength(state, start, TILDE_CODE);
  if (run === 2 && state.linkLevel === 0) {
    const end = strikethroughEnd(state, start + 2);
    if (end >= 0) return wrap(state, 'del', start + 2, end, end + 2, posMax);
  }
  state.pending += src.slice(start, start + run);
  state.pos += run;
  return true;
}

function wrap(state: StateInline, tag: string, from: number, to: number, next: number, posMax: number): true {
  state.push(`${tag}_open`, tag, 1);
  state.pos = from;
  state.posMax = to;
  state.md.inline.tokenize(state);
  state.push(`${tag}_close`, tag, -1);
  state.pos = next;
  state.posMax = posMax;
  return true;
}

function runLength(state: StateInline, start: number, marker: number): number {
  let pos = start;
  while (pos < state.posMax && state.src.charCodeAt(pos) === marker) pos++;
  return pos - start;
}

/** The end of the text of `**strong**` that starts at `start`, or -1: the first `**` after at least one character. */
function strongEnd(state: StateInline, start: number): number {
  const { src, posMax } = state;
  let pos = start + 2;
  while (pos < posMax && mayLook(state)) {
    const code = src.charCodeAt(pos);
    if (code === NEWLINE_CODE) return -1;
    if (code === STAR_CODE && pos > start + 2 && pos + 1 < posMax && src.charCodeAt(pos + 1) === STAR_CODE) return pos;
    pos = next(state, pos, code);
  }
  return -1;
}

/** The end of a text that neither begins nor ends with a space. It contains no caret, and no star, but those of strong text. */
function tightEnd(state: StateInline, from: number, marker: '*' | '***'): number {
  const { src, posMax } = state;
  if (isSpaceAt(src, from)) return -1;
  let pos = from;
  while (pos < posMax && mayLook(state)) {
    const code = src.charCodeAt(pos);
    if (code === NEWLINE_CODE || code === CARET_CODE) return -1;
    if (code === STAR_CODE) {
      if (marker === '*' && src.charCodeAt(pos + 1) === STAR_CODE) {
        const end = strongEnd(state, pos);
        if (end >= 0) {
          pos = end + 2;
          continue;
        }
      }
      const closes = pos > from && pos + marker.length <= posMax && src.startsWith(marker, pos);
      return closes && !isSpaceAt(src, pos - 1) ? pos : -1;
    }
    pos = next(state, pos, code);
  }
  return -1;
}

function strikethroughEnd(state: StateInline, from: number): number {
  const { src, posMax } = state;
  let pos = from;
  while (pos < posMax && mayLook(state)) {
    const code = src.charCodeAt(pos);
    if (code === NEWLINE_CODE) return -1;
    if (code === TILDE_CODE) return pos > from && runLength(state, pos, TILDE_CODE) === 2 ? pos : -1;
    pos = next(state, pos, code);
  }
  return -1;
}

function isSpaceAt(src: string, pos: number): boolean {
  const code = src.charCodeAt(pos);
  return code === 32 || code === 9 || code === NEWLINE_CODE || code === 0xa0;
}

/** Whether the search may look at more characters. */
function mayLook({ env }: StateInline): boolean {
  return (renderStateOf(env).looked ?? 0) < MAX_SCANNED_CHARACTERS;
}

/** Steps over one character, or over a whole code span, formula, link, mention or time, inside which markers mean nothing. */
function next(state: StateInline, pos: number, code: number): number {
  const render = renderStateOf(state.env);
  render.looked = (render.looked ?? 0) + 1;
  switch (code) {
    case 35: // #
    case 36: // $
    case 58: // :
    case 60: // <
    case 64: // @
    case 91: // [
    case 96: {
      // `
      const saved = state.pos;
      state.pos = pos;
      state.md.inline.skipToken(state);
      const after = state.pos;
      state.pos = saved;
      return after;
    }
    default:
      return pos + 1;
  }
}
