import { stripVTControlCharacters } from 'node:util';

/** What an entry of the log has besides what it is about. */
interface Entry {
  readonly time?: string;
  readonly level?: string;
  readonly msg?: string;
  readonly err?: { readonly message?: string; readonly stack?: string };
}

/**
 * A line of the log as people read it: the time of day, the level where it is no everyday one, what happened, and the facts of it;
 * an error's stack follows on lines of its own.
 */
export function forPeople(line: string): string {
  const { time = '', level = '', msg = '', err, ...facts } = JSON.parse(line) as Entry & Record<string, unknown>;
  const told = Object.entries(facts).map(([name, value]) => `${name}=${inWords(value)}`);
  const head = [new Date(time).toTimeString().slice(0, 8), level === 'info' ? '' : level.toUpperCase(), msg, ...told];
  const trace = err === undefined ? [] : [err.stack ?? err.message ?? ''];
  const text = [head.filter((part) => part !== '').join('  '), ...trace].join('\n').replaceAll('\n', '\n    ');
  // Texts of others may be in it: they move no cursor.
  return `${stripVTControlCharacters(text)}\n`;
}

function inWords(value: unknown): string {
  return typeof value === 'string' && /^[^\s"]+$/.test(value) ? value : JSON.stringify(value);
}
