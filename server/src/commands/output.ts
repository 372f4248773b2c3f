import type { Writable } from 'node:stream';

/** What a command has to say, for people and for programs. */
export interface Said {
  readonly text: string;
  readonly json: unknown;
}

/** Where the command line speaks: answers to standard output, complaints to standard error. */
export interface Output {
  say(said: Said): void;
  complain(message: string): void;
}

/** Speaks as text, or with `--json` as one JSON value a line. */
export function createOutput(out: Writable, err: Writable, format: 'text' | 'json'): Output {
  const line = (text: string): string => (text.endsWith('\n') || text === '' ? text : `${text}\n`);
  return {
    say({ text, json }) {
      out.write(format === 'json' ? `${JSON.stringify(json)}\n` : line(text));
    },
    complain(message) {
      err.write(format === 'json' ? `${JSON.stringify({ error: message })}\n` : line(message));
    },
  };
}

/** Rows under their headings, columns aligned. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
