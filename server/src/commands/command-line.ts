import { readConfig, SettingsError } from '../config.ts';
import { HEDDLE_VERSION } from '../version.ts';
import { type Command, readOptions, type Terminal, UsageError } from './command.ts';
import { commandsUnder, findCommand, helpOn, helpOnCommands } from './help.ts';
import { createOutput, type Output } from './output.ts';

/** Runs the command that the arguments name. Resolves with the exit code: 0 done, 1 failed, 2 usage or settings. */
export async function runCommandLine(
  commands: readonly Command[],
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const output = createOutput(terminal.out, terminal.err, args.includes('--json') ? 'json' : 'text');
  try {
    return await run(commands, args, terminal, output);
  } catch (error) {
    const isUsage = error instanceof UsageError;
    if (isUsage) output.complain(`${error.message}\nTry --help.`);
    else output.complain(messageOf(error));
    return isUsage || error instanceof SettingsError ? 2 : 1;
  }
}

async function run(
  commands: readonly Command[],
  args: readonly string[],
  terminal: Terminal,
  output: Output,
): Promise<number> {
  const [first = ''] = args;
  const wantsHelp = args.includes('--help') || args.includes('-h');
  const isGroup = commandsUnder(commands, first) !== undefined && !args[1]?.match(/^\w/);
  if (wantsHelp && (first.startsWith('-') || isGroup)) {
    const listed = commandsUnder(commands, first) ?? commands;
    const text = helpOnCommands(listed, 'Heddle, a team chat server');
    output.say({ text, json: listed.map(({ name, summary }) => ({ name, summary })) });
    return 0;
  }
  if (first === '--version') {
    output.say({ text: `Heddle ${HEDDLE_VERSION}`, json: { version: HEDDLE_VERSION } });
    return 0;
  }
  const { command, rest } = findCommand(commands, args);
  const options = readOptions(command, rest);
  if (options.wantsHelp) {
    const { name, summary, details, operand, options: known } = command;
    output.say({ text: helpOn(command), json: { name, summary, details, operand, options: known } });
    return 0;
  }
  const { config, warnings } = readConfig(terminal.environment);
  const { createLogger } = await import('./logger.ts');
  const log = createLogger(config, command.name === 'serve' ? 'serve' : 'command', terminal.err);
  for (const warning of warnings) log.warn(warning);
  const result = await command.run(options.values, { config, log, output, terminal }, options.operand);
  if (typeof result === 'number') return result;
  output.say(result);
  return 0;
}

// What Node itself throws: without a code of the system's, such an error is a mistake of ours.
const unforeseen = new Set(['Error', 'TypeError', 'RangeError', 'ReferenceError', 'SyntaxError']);

/** What to tell about a failure: its message where it was foreseen, all there is to know where it was not. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Of several addresses none answered: the causes say more than the whole.
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('\n');
  const isForeseen = !unforeseen.has(error.name) || 'code' in error;
  return isForeseen ? error.message : (error.stack ?? error.message);
}
