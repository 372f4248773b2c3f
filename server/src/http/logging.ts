/**
 * Logs contain no header fields, query strings or bodies: these contain keys, passwords and messages. Paths are logged as in the contract,
 * `/users/{email}`, so they contain no addresses either.
 */
import { type DestinationStream, type LogFn, type Logger, type LoggerOptions, pino } from 'pino';
import { linesLogged } from '../measures.ts';

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/**
 * A logger that writes JSON lines.
 * @param destination default: standard output
 */
export function createLogger(level: LogLevel, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    hooks: { logMethod: countProblem },
    serializers: { err: describeError, error: describeError, req: () => undefined, res: () => undefined },
  };
  return destination ? pino(options, destination) : pino(options);
}

const PROBLEMS: Readonly<Record<number, string>> = { 40: 'warn', 50: 'error', 60: 'fatal' };

/** Counts lines that tell of a problem. Pino calls it for lines that it writes. */
function countProblem(this: Logger, args: Parameters<LogFn>, method: LogFn, level: number): void {
  const problem = PROBLEMS[level];
  if (problem !== undefined) linesLogged.inc({ level: problem });
  method.apply(this, args);
}

interface ErrorDescription {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: ErrorDescription;
}

/** Only these fields: the other fields of a database error (`detail`, `parameters`, …) quote data. */
function describeError(error: unknown): ErrorDescription {
  if (!(error instanceof Error)) return { type: typeof error, message: 'something that is not an Error was thrown' };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    ...(error.stack === undefined ? {} : { stack: error.stack }),
    ...(error.cause instanceof Error ? { cause: describeError(error.cause) } : {}),
  };
}
