import type { Directory } from '../../directory/directory.ts';
import { withoutFencedCode } from '../../markup/index.ts';

/**
 * The users whose alert words are in a message's text. Words in fenced code do not count, words in code spans do (reference). Few
 * messages contain an alert word, so only these are parsed for fences.
 */
export function alertedBy({ alertWords }: Pick<Directory, 'alertWords'>, content: string): ReadonlySet<number> {
  const alerted = alertWords.usersAlertedBy(content);
  if (alerted.size === 0) return alerted;
  const prose = withoutFencedCode(content);
  return prose === content ? alerted : alertWords.usersAlertedBy(prose);
}
