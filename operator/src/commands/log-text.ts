import { withoutControls } from './terminal-text.ts';

/** The common fields of a log entry. */
interface Entry {
  readonly time?: string;
  readonly level?: string;
  readonly msg?: string;
  readonly err?: { readonly message?: string; readonly stack?: string };
}

/** Formats a JSON line of the log for people. It omits the level `info`, and adds the stack of an error. */
export function forPeople(line: string): string {
  const { time = '', level = '', msg = '', err, ...facts } = JSON.parse(line) as Entry & Record<string, unknown>;
  const fields = Object.entries(facts).map(([name, value]) => `${name}=${inWords(value)}`);
  const head = [new Date(time).toTimeString().slice(0, 8), level === 'info' ? '' : level.toUpperCase(), msg, ...fields];
  const trace = err === undefined ? [] : [err.stack ?? err.message ?? ''];
  const text = [head.filter((part) => part !== '').join('  '), ...trace].join('\n').replaceAll('\n', '\n    ');
  return `${withoutControls(text)}\n`;
}

function inWords(value: unknown): string {
  return typeof value === 'string' && /^[^\s"]+$/.test(value) ? value : JSON.stringify(value);
}
