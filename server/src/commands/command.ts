import type { Readable, Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Output, Said } from './output.ts';

/** An option of a command; all take a value. */
export interface Option {
  /** What the help calls the value: `EMAIL`. */
  readonly value: string;
  readonly help: string;
  readonly required?: true;
  readonly choices?: readonly string[];
}

type Options = Readonly<Record<string, Option>>;

/** The values of a command's options: `string` where required, `string | undefined` elsewhere. */
type Values<O extends Options> = {
  readonly [Name in keyof O]: O[Name] extends { required: true } ? string : string | undefined;
};

/** What the command line works with; in production the process's own. */
export interface Terminal {
  readonly out: Writable;
  readonly err: Writable;
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** What every command gets besides its options. */
export interface CommandContext {
  readonly config: Config;
  readonly log: Logger;
  readonly output: Output;
  readonly terminal: Terminal;
}

/** What a command takes without an option's name, after its own: `DIR` of `backup DIR`. Always required. */
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
  readonly operand?: Operand;
  readonly options: O;
  /** Acts, and returns what there is to say; a number is an exit code after everything was said. */
  readonly run: (values: Values<O>, context: CommandContext, operand: string) => Promise<Said | number>;
}

/** A command of whatever options, as the command line handles it. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly details?: string;
  readonly operand?: Operand;
  readonly options: Options;
  readonly run: (
    values: Readonly<Record<string, string>>,
    context: CommandContext,
    operand: string,
  ) => Promise<Said | number>;
}

/** The command line cannot be understood: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What was asked cannot be done, for a reason that the message tells: exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Defines a command; `run` receives its options typed. */
export function defineCommand<const O extends Options>(definition: CommandDefinition<O>): Command {
  // `readOptions` has checked required options and choices before `run` is called.
  return { ...definition, run: (values, ...more) => definition.run(values as Values<O>, ...more) };
}

export interface ReadOptions {
  readonly values: Readonly<Record<string, string>>;
  /** Empty where the command takes none. */
  readonly operand: string;
  readonly wantsHelp: boolean;
  readonly wantsJson: boolean;
}

/**
 * Reads the arguments that follow a command's name.
 * @throws UsageError on an unknown, repeated or missing option, a missing value, or one that is no choice
 */
export function readOptions(
  command: Pick<Command, 'name' | 'options' | 'operand'>,
  args: readonly string[],
): ReadOptions {
  const read = parse(command, args);
  const { values, operand, wantsHelp } = read;
  if (wantsHelp) return read;
  if (command.operand !== undefined && operand === '') throw new UsageError(`${command.operand.value} is missing`);
  for (const [name, option] of Object.entries(command.options)) {
    const value = values[name];
    if (value === undefined && option.required) throw new UsageError(`--${name} ${option.value} is missing`);
    if (value !== undefined && option.choices && !option.choices.includes(value)) {
      throw new UsageError(`--${name} is ${JSON.stringify(value)}; accepted is one of ${option.choices.join(', ')}`);
    }
  }
  return read;
}

function parse(command: Pick<Command, 'options' | 'operand'>, args: readonly string[]): ReadOptions {
  const own = Object.keys(command.options).map((name) => [name, { type: 'string', multiple: true }] as const);
  let parsed: ReturnType<typeof parseArgs>['values'];
  let operands: readonly string[];
  try {
    ({ values: parsed, positionals: operands } = parseArgs({
      args: [...args],
      allowPositionals: command.operand !== undefined,
      options: { ...Object.fromEntries(own), help: { type: 'boolean', short: 'h' }, json: { type: 'boolean' } },
    }));
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  const [operand = '', excess] = operands;
  if (excess !== undefined) throw new UsageError(`${JSON.stringify(excess)} is one argument too many`);
  const values: Record<string, string> = {};
  for (const name of Object.keys(command.options)) {
    const given = parsed[name];
    if (!Array.isArray(given)) continue;
    if (given.length > 1) throw new UsageError(`--${name} is given more than once`);
    if (typeof given[0] === 'string') values[name] = given[0];
  }
  return { values, operand, wantsHelp: parsed.help === true, wantsJson: parsed.json === true };
}
