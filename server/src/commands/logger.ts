import type { Writable } from 'node:stream';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { createLogger as createJsonLogger } from '../http/logging.ts';
import { forPeople } from './log-text.ts';

/**
 * The process's log, on standard error, so that standard output holds only what a command says: text where people read it, JSON lines
 * for programs. Commands are quiet about what goes well unless more than the default level is asked for.
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
