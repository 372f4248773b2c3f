/** `*bold*`, `_italic_` and `~struck~` in a line of mrkdwn. */

/** These characters stand for parts of the text: what emphasis can contain, the same inside emphasis, and references. */
export const PART = '\ue000';
export const EMPHASIZED_PART = '\ue001';
export const REFERENCE = '\ue002';

const MARKS: Readonly<Record<string, string>> = { '*': '**', _: '*', '~': '~~' };
const BEFORE = /[\s([{<"'“‘«:;,>|—–!*_~\ue000\ue002]/;
const WORD = /[\p{L}\p{N}]/u;

/**
 * The line with our emphasis. A reference at an end of emphasis stays outside, because our mentions and channel links cannot follow a star:
 * `*<@U1> did it*` is `@**Ada** **did it**`.
 */
export function emphasized(line: string): string {
  let result = '';
  let end = 0;
  for (let at = 0; at < line.length; at++) {
    const mark = MARKS[line.charAt(at)];
    if (mark === undefined || !canOpen(line, at)) continue;
    const close = closing(line, at);
    if (close < 0) continue;
    result += line.slice(end, at) + wrapped(emphasized(line.slice(at + 1, close)), mark);
    end = close + 1;
    at = close;
  }
  return result + line.slice(end);
}

function canOpen(line: string, at: number): boolean {
  const [marker, before, after] = [line.charAt(at), line.charAt(at - 1), line.charAt(at + 1)];
  if (before !== '' && (before === marker || !BEFORE.test(before))) return false;
  return after !== '' && after !== marker && !/\s/.test(after);
}

/** The next such character that is not inside a word, if it can end emphasis; otherwise -1. */
function closing(line: string, open: number): number {
  const marker = line.charAt(open);
  for (let at = line.indexOf(marker, open + 1); at >= 0; at = line.indexOf(marker, at + 1)) {
    const [before, after] = [line.charAt(at - 1), line.charAt(at + 1)];
    const touchesWord = WORD.test(after);
    if (touchesWord && WORD.test(before)) continue;
    return touchesWord || after === marker || /\s/.test(before) ? -1 : at;
  }
  return -1;
}

function wrapped(text: string, mark: string): string {
  const isOutside = (index: number) => text.charAt(index) === REFERENCE || /\s/.test(text.charAt(index));
  let [begin, end] = [0, text.length];
  while (begin < end && isOutside(begin)) begin += 1;
  while (end > begin && isOutside(end - 1)) end -= 1;
  if (begin === end) return text;
  const inner = text.slice(begin, end).replaceAll(PART, EMPHASIZED_PART);
  return `${text.slice(0, begin)}${mark}${inner}${mark}${text.slice(end)}`;
}
