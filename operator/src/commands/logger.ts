import type { Writable } from 'node:stream';
import type { Config } from '@heddle/server/config.ts';
import { createLogger as createJsonLogger } from '@heddle/server/http/logging.ts';
import type { Logger } from 'pino';
import { forPeople } from './log-text.ts';

/**
 * Logs to standard error, because standard output contains only results. Terminals get text, programs get JSON lines. Commands log
 * warnings and errors, unless the operator sets a more verbose level than the default.
 */
export function createLogger(
  config: Config,
  purpose: 'serve' | 'command',
  err: Writable & { readonly isTTY?: boolean },
): Logger {
  const level = purpose === 'command' && config.logLevel === 'info' ? 'warn' : config.logLevel;
  const isText = config.logFormat === 'text' || (config.logFormat === 'auto' && err.isTTY === true);
  return createJsonLogger(level, isText ? { write: (line) => void err.write(forPeople(line)) } : err);
}
