import { stripVTControlCharacters } from 'node:util';

/**
 * The text as a terminal can show it. Texts of users, archives and other servers must not control the terminal: change its colors or title,
 * or overwrite what stands before them.
 */
export function withoutControls(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/[^\P{Cc}\n\t]/gu, '\ufffd');
}
