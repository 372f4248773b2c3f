import type { Writable } from 'node:stream';
import { type Logger, pino } from 'pino';
import type { Config } from '../config.ts';

/**
 * The process's log: JSON lines on standard error, so that standard output holds only what a command says. Commands are
 * quiet about what goes well unless more than the default level is asked for.
 */
export function createLogger(config: Config, purpose: 'serve' | 'command', err: Writable): Logger {
  const level = purpose === 'command' && config.logLevel === 'info' ? 'warn' : config.logLevel;
  return pino({ level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, err);
}
