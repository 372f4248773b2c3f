import type { Directory } from '../../../directory/directory.ts';
import { withoutFencedCode } from '../../../markup/index.ts';
import { alertWordsPart } from './alert-words.ts';

/**
 * The users whose alert words are in a message's text. Words in fenced code do not count, words in code spans do (reference). Few
 * messages contain an alert word, so only these are parsed for fences.
 */
export function alertedBy(directory: Directory, content: string): ReadonlySet<number> {
  const words = directory.part(alertWordsPart);
  const alerted = words.usersAlertedBy(content);
  if (alerted.size === 0) return alerted;
  const prose = withoutFencedCode(content);
  return prose === content ? alerted : words.usersAlertedBy(prose);
}
