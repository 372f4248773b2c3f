import { fragmentToRead } from './message-html.ts';

/** The text of a message without its formatting. What a spoiler hides stays hidden. Empty if it has only files or pictures. */
export function messageText(html: string): string {
  const fragment = fragmentToRead(html);
  for (const spoiler of fragment.querySelectorAll('.spoiler-content')) spoiler.replaceWith('(…)');
  for (const image of fragment.querySelectorAll('img')) image.replaceWith(image.alt);
  for (const formula of fragment.querySelectorAll('.katex')) {
    formula.replaceWith(formula.querySelector('annotation')?.textContent ?? '');
  }
  // No regular expression: one that looks for spaces around line ends takes quadratic time for spaces without a line end.
  const lines = (fragment.textContent ?? '').split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').join('\n');
}
