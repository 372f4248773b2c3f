import type { StateCore, Token } from 'markdown-it';

/**
 * Makes one list of bullet lists that follow each other directly. The parser, as CommonMark, begins a new list where the bullet changes
 * (`- a`, `* b`); clients of this API expect one.
 */
export function mergeBulletLists(state: StateCore): void {
  const { tokens } = state;
  let merged: Token[] | undefined;
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index];
    if (token === undefined) break;
    if (token.type === 'bullet_list_close' && tokens[index + 1]?.type === 'bullet_list_open') {
      merged ??= tokens.slice(0, index);
      // Leaves out the end of this list and the beginning of the next.
      index++;
      continue;
    }
    merged?.push(token);
  }
  if (merged) state.tokens = merged;
}
