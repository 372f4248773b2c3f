import { SettingsError } from '@heddle/server/config/settings-error.ts';
import { HEDDLE_VERSION } from '@heddle/server/version.ts';
import { CommanderError } from 'commander';
import { type AnyValues, type Command, type Terminal, UsageError } from './command.ts';
import { createOutput, type Output, type Result } from './output.ts';
import { createParser } from './parser.ts';

/** Runs the command that the arguments name. Resolves with the exit code (`README.md`). */
export async function runCommandLine(
  commands: readonly Command[],
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const output = createOutput(terminal.out, terminal.err, args.includes('--json') ? 'json' : 'text');
  let written = '';
  let result: Result | number = 0;
  const parser = createParser(
    commands,
    (text) => {
      written += text;
    },
    async (command, values, operands) => {
      result = await execute(command, values, operands, { output, terminal });
    },
  );
  try {
    await parser.parseAsync(args, { from: 'user' });
    if (typeof result === 'number') return result;
    const { exitCode = 0 } = result;
    output.print(result);
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode !== 0) output.printError(written.replace(/^error: /, ''));
      else if (error.code === 'commander.version') output.print({ text: written, json: { version: HEDDLE_VERSION } });
      else output.print({ text: written, json: { help: written } });
      return error.exitCode === 0 ? 0 : 2;
    }
    const isUsage = error instanceof UsageError;
    output.printError(isUsage ? `${error.message}\nTry --help.` : messageOf(error));
    return isUsage || error instanceof SettingsError ? 2 : 1;
  }
}

async function execute(
  command: Command,
  values: AnyValues,
  operands: readonly string[],
  { output, terminal }: { readonly output: Output; readonly terminal: Terminal },
): Promise<Result | number> {
  const [{ readConfig }, { createLogger }, { isWorker }] = await Promise.all([
    import('@heddle/server/config.ts'),
    import('./logger.ts'),
    import('../workers/messages.ts'),
  ]);
  const { config, warnings } = readConfig(terminal.environment);
  const log = createLogger(config, command.name === 'serve' ? 'serve' : 'command', terminal.err);
  // The primary process of a worker has logged them.
  if (!isWorker(terminal.environment)) for (const warning of warnings) log.warn(warning);
  return command.run(values, { config, log, output, terminal }, ...operands);
}

// The errors of JavaScript itself. Without a code of the operating system, such an error is a bug.
const BUGS = new Set(['Error', 'TypeError', 'RangeError', 'ReferenceError', 'SyntaxError']);

/** The message of an expected error, and the stack of an unexpected one. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A connection attempt to several addresses has a cause for each.
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('\n');
  const isExpected = !BUGS.has(error.name) || 'code' in error;
  return isExpected ? error.message : (error.stack ?? error.message);
}
