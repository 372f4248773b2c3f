/** Facts about an event, and the words of other services. */
import { bold, bullets, joined, type Markdown, type MarkdownValue, md } from './markdown.ts';

/** A list of names with their values. Empty values are left out. */
export function facts(pairs: readonly (readonly [name: string, value: MarkdownValue])[]): Markdown {
  const known = pairs.filter(([, value]) => joined([value], '').toString() !== '');
  return bullets(known.map(([name, value]) => md`${bold(name)}: ${value}`));
}

export interface Change {
  readonly name: string;
  /** '' if there was none, or if the service does not say. */
  readonly before?: string;
  readonly after: string;
}

/** A list of what changed. */
export function changes(list: readonly Change[]): Markdown {
  return bullets(
    list.map(({ name, before = '', after }) => {
      if (after === '') return before === '' ? md`${bold(name)} was removed` : md`${bold(name)}: ${before} was removed`;
      return before === '' ? md`${bold(name)}: ${after}` : md`${bold(name)}: from ${before} to ${after}`;
    }),
  );
}

/** The words of a name like `AssignedTo`, `partial_outage` or `SECURITY-RATING`, in lower case except for the first letter. */
export function spelledOut(name: string): string {
  const words = name
    .slice(0, 200)
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, ' ')
    .replaceAll(/[_\s-]+/g, ' ')
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The first letter in upper case. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
