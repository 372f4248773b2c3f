import { type Command, UsageError } from './command.ts';
import { table } from './output.ts';

const invocation = 'npm run -s heddle --';

const exitCodes = 'Exit codes: 0 success, 1 failure, 2 wrong usage or settings.';

/** The list of commands: all, or those that begin with a word such as `org`. */
export function helpOnCommands(commands: readonly Command[], title: string): string {
  return `${title}

Usage: ${invocation} <command> [options]

Commands:
${indent(commands.map(({ name, summary }) => [name, summary]))}

Options of every command:
${indent(commonOptions)}

${invocation} --version prints the version.

Settings come from HEDDLE_* environment variables; docs/settings.md lists them. ${exitCodes}`;
}

const commonOptions = [
  ['--json', 'Write JSON, one value per line'],
  ['--help, -h', 'Show this help and do nothing else'],
] as const;

/** A command's own help. */
export function helpOn({ name, summary, details, operand, options }: Command): string {
  const usage = Object.entries(options)
    .map(([option, { value, required }]) => (required ? `--${option} ${value}` : `[--${option} ${value}]`))
    .join(' ');
  const own = Object.entries(options).map(([option, { value, help, required, choices }]) => {
    const notes = [choices && `One of ${choices.join(', ')}.`, required && 'Required.'].filter((note) => note);
    return [`--${option} ${value}`, [`${help}.`, ...notes].join(' ')];
  });
  return `${summary}.${details === undefined ? '' : `\n\n${details}`}

Usage: ${[invocation, name, operand?.value ?? '', usage].filter((part) => part !== '').join(' ')}
${operand === undefined ? '' : `\n${indent([[operand.value, `${operand.help}.`]])}\n`}
Options:
${indent([...own, ...commonOptions])}

${exitCodes}`;
}

function indent(rows: readonly (readonly string[])[]): string {
  return table(['', ''], rows)
    .split('\n')
    .slice(1)
    .map((line) => `  ${line}`)
    .join('\n');
}

/** A command that the arguments name, with the arguments that follow its name. */
export interface Found {
  readonly command: Command;
  readonly rest: readonly string[];
}

/**
 * The command whose name the arguments begin with.
 * @throws UsageError naming the commands that could have been meant
 */
export function findCommand(commands: readonly Command[], args: readonly string[]): Found {
  for (const command of commands) {
    const words = command.name.split(' ');
    if (words.every((word, index) => args[index] === word)) return { command, rest: args.slice(words.length) };
  }
  const [first = ''] = args;
  const under = commandsUnder(commands, first);
  const [second = ''] = args.slice(1);
  const isCut = first === '' || first.startsWith('-') || (under !== undefined && !/^\w/.test(second));
  const problem = isCut ? 'A command is missing.' : `There is no command ${args.slice(0, 2).join(' ')}.`;
  const listed = indent((under ?? commands).map(({ name, summary }) => [name, summary]));
  throw new UsageError(`${problem} There ${under === undefined ? 'are' : `are, of ${first}`}:\n${listed}`);
}

/** The commands whose first word it is; undefined when it is none's. */
export function commandsUnder(commands: readonly Command[], word: string): readonly Command[] | undefined {
  const under = commands.filter(({ name }) => name.startsWith(`${word} `));
  return under.length === 0 ? undefined : under;
}
