import type { Writable } from 'node:stream';
import { withoutControls } from './terminal-text.ts';

/** The result of a command, for people and for programs. */
export interface Result {
  readonly text: string;
  readonly json: unknown;
  /** If it is not 0. */
  readonly exitCode?: number;
}

/** Results go to standard output, errors to standard error. */
export interface Output {
  readonly format: 'text' | 'json';
  print(result: Result): void;
  printError(message: string): void;
}

/** Writes text, or with `--json` one JSON value per line. */
export function createOutput(out: Writable, err: Writable, format: 'text' | 'json'): Output {
  const write = (target: Writable, { text, json }: Result): void => {
    const line = format === 'json' ? JSON.stringify(json) : withoutControls(text);
    target.write(line.endsWith('\n') || line === '' ? line : `${line}\n`);
  };
  return {
    format,
    print: (result) => write(out, result),
    printError: (message) => write(err, { text: message, json: { error: message } }),
  };
}

/** The result of a command that lists rows. The text has a column for each entry of `columns`, which gives a row's cell. */
export function listing<Row>(rows: readonly Row[], columns: Readonly<Record<string, (row: Row) => string>>): Result {
  const cells = [Object.keys(columns), ...rows.map((row) => Object.values(columns).map((cellOf) => cellOf(row)))];
  const widths = Object.keys(columns).map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  const lines = cells.map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return { text: lines.map((line) => line.trimEnd()).join('\n'), json: rows };
}
