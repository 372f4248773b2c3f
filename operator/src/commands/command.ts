import type { Readable, Writable } from 'node:stream';
import type { Config } from '@heddle/server/config.ts';
import type { HostProcess } from '@heddle/server/lifecycle.ts';
import type { Logger } from 'pino';
import type { Output, Result } from './output.ts';

/** An option of a command with a value: `--email EMAIL`. */
export interface Option {
  /** The name of the value in the help: `EMAIL`. */
  readonly value: string;
  readonly help: string;
  readonly required?: true;
  readonly choices?: readonly string[];
}

/** An option of a command without a value: `--cluster`. */
export interface Flag {
  readonly isFlag: true;
  readonly help: string;
}

type Options = Readonly<Record<string, Option | Flag>>;

/** The values of a command's options: `boolean` for a flag, `string` if required, else `string | undefined`. */
type Values<O extends Options> = {
  readonly [Name in keyof O]: O[Name] extends Flag
    ? boolean
    : O[Name] extends { required: true }
      ? string
      : string | undefined;
};

/** The values of any command. */
export type AnyValues = Readonly<Record<string, string | boolean | undefined>>;

/** The streams, the environment and the host of the command line. In production they belong to the process. */
export interface Terminal {
  readonly out: Writable;
  readonly err: Writable & { readonly isTTY?: boolean };
  readonly input: Readable & { readonly isTTY?: boolean };
  /** `serve` deletes the variables that its children must not inherit. */
  readonly environment: NodeJS.ProcessEnv;
  readonly host: HostProcess;
}

export interface CommandContext {
  readonly config: Config;
  readonly log: Logger;
  readonly output: Output;
  readonly terminal: Terminal;
}

/** A required argument without an option's name: `DIR` of `backup DIR`. */
export interface Operand {
  readonly value: string;
  readonly help: string;
}

interface CommandDefinition<O extends Options> {
  /** As typed: `org create`. */
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** More for the command's own help. */
  readonly details?: string;
  readonly operands?: readonly Operand[];
  readonly options: O;
  /** Returns the result to print, or an exit code after it has printed everything. */
  readonly run: (values: Values<O>, context: CommandContext, ...operands: string[]) => Promise<Result | number>;
}

/** A command with any options, as the command line handles it. */
export interface Command extends Omit<CommandDefinition<Options>, 'run'> {
  readonly run: (
    values: AnyValues,
    context: CommandContext,
    ...operands: readonly string[]
  ) => Promise<Result | number>;
}

/** The arguments are wrong: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command failed, and the message tells the operator why: exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Defines a command. `run` receives its options typed. */
export function defineCommand<const O extends Options>(definition: CommandDefinition<O>): Command {
  // The parser has checked required options before it calls `run`.
  return { ...definition, run: (values, ...more) => definition.run(values as Values<O>, ...more) };
}
