import type { Writable } from 'node:stream';
import type { Config } from '@heddle/server/config.ts';
import { createLogger as createJsonLogger } from '@heddle/server/http/logging.ts';
import type { Logger } from 'pino';
import { forPeople } from './log-text.ts';

type LogTarget = Writable & { readonly isTTY?: boolean };

/**
 * Logs to standard error, because standard output contains only results. Terminals get text, programs get JSON lines. Commands log
 * warnings and errors, unless the operator sets a more verbose level than the default.
 */
export function createLogger(config: Config, purpose: 'serve' | 'command', err: LogTarget): Logger {
  const level = purpose === 'command' && config.logLevel === 'info' ? 'warn' : config.logLevel;
  return createJsonLogger(level, isText(config, err) ? { write: (line) => void err.write(forPeople(line)) } : err);
}

/** Writes lines of the logs of other processes of this server, which log JSON. What they write otherwise stays as it is. */
export function lineWriter(config: Config, err: LogTarget): (line: string) => void {
  const format = isText(config, err) ? forPeople : (line: string) => `${line}\n`;
  return (line) => void err.write(line.startsWith('{') ? format(line) : `${line}\n`);
}

function isText({ logFormat }: Config, err: LogTarget): boolean {
  return logFormat === 'text' || (logFormat === 'auto' && err.isTTY === true);
}
