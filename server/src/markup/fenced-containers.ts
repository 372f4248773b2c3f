import type { StateBlock } from 'markdown-it';

/**
 * Fences that contain text instead of code: ```` ```quote ```` and ```` ```spoiler header ````. They nest: inside one, a fence with a
 * language opens another block, and a bare fence closes the innermost block that it fits. A fence that nothing closes ends with its
 * container.
 */

const OPENING = /^(`{3,}|~{3,})[ \t]*\{?\.?(quote|quoted|spoiler)\}?(?:[ \t]+([^`~]*))?$/i;
const ANY_OPENING = /^(`{3,}|~{3,})[ \t]*([^`~]*)$/;

export function fencedContainer(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (columnOf(state, startLine) >= 4) return false;
  const first = state.src.charCodeAt((state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0));
  if (first !== 96 && first !== 126) return false;
  const opening = OPENING.exec(lineText(state, startLine));
  const fence = opening?.[1];
  if (!opening || fence === undefined) return false;
  const header = opening[3]?.trim() ?? '';
  const isSpoiler = opening[2]?.toLowerCase() === 'spoiler';
  if (header !== '' && !isSpoiler) return false;
  if (silent) return true;

  const closingLine = findClosingLine(state, fence, startLine + 1, endLine);
  const oldLineMax = state.lineMax;
  const oldParentType = state.parentType;
  state.lineMax = closingLine;
  state.parentType = 'blockquote';
  if (isSpoiler) {
    state.push('spoiler_open', 'div', 1);
    state.push('spoiler_header_open', 'div', 1);
    if (header !== '') {
      state.push('paragraph_open', 'p', 1);
      const inline = state.push('inline', '', 0);
      inline.content = header;
      inline.children = [];
      state.push('paragraph_close', 'p', -1);
    }
    state.push('spoiler_header_close', 'div', -1);
    state.push('spoiler_content_open', 'div', 1);
    state.md.block.tokenize(state, startLine + 1, closingLine);
    state.push('spoiler_content_close', 'div', -1);
    state.push('spoiler_close', 'div', -1);
  } else {
    state.push('blockquote_open', 'blockquote', 1);
    state.md.block.tokenize(state, startLine + 1, closingLine);
    state.push('blockquote_close', 'blockquote', -1);
  }
  state.parentType = oldParentType;
  state.lineMax = oldLineMax;
  state.line = Math.min(closingLine + 1, Math.max(endLine, startLine + 1));
  if (closingLine < endLine && isOutdented(state, closingLine)) state.line = closingLine;
  return true;
}

/** The line that closes the fence; `endLine` where nothing does. */
function findClosingLine(state: StateBlock, fence: string, from: number, endLine: number): number {
  const open = [{ fence, isCode: false }];
  for (let line = from; line < endLine; line++) {
    if (state.isEmpty(line)) continue;
    if (isOutdented(state, line)) return line;
    const first = state.src.charCodeAt((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0));
    if ((first !== 96 && first !== 126) || columnOf(state, line) >= 4) continue;
    const match = ANY_OPENING.exec(lineText(state, line));
    const marker = match?.[1];
    const innermost = open.at(-1);
    if (!match || marker === undefined || !innermost) continue;
    const info = match[2] ?? '';
    if (info === '' && marker[0] === innermost.fence[0] && marker.length >= innermost.fence.length) {
      open.pop();
      if (open.length === 0) return line;
    } else if (!innermost.isCode) {
      open.push({ fence: marker, isCode: !/^\{?\.?(?:quoted?\}?$|spoiler(?:\}|\s|$))/i.test(info) });
    }
  }
  return endLine;
}

/** A line that ends the list item (or other indented block) that contains the fence. */
function isOutdented(state: StateBlock, line: number): boolean {
  return !state.isEmpty(line) && (state.sCount[line] ?? 0) < state.blkIndent;
}

function columnOf(state: StateBlock, line: number): number {
  return (state.sCount[line] ?? 0) - state.blkIndent;
}

function lineText(state: StateBlock, line: number): string {
  return state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]).trimEnd();
}
