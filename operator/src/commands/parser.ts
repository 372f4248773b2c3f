import { basename } from 'node:path';
import { HEDDLE_VERSION } from '@heddle/server/version.ts';
import { Argument, Command as Parser, Option as ParserOption } from 'commander';
import type { AnyValues, Command, Flag, Option } from './command.ts';

/** As people type it: the npm package installs a program, and the repository has a script. */
const PROGRAM = basename(process.argv[1] ?? '', '.js') === 'heddle' ? 'heddle' : 'npm run -s heddle --';

const NOTES = `
Settings come from HEDDLE_* environment variables; docs/settings.md lists them.
Exit codes: 0 success, 1 failure, 2 wrong usage or settings, 3 an import that left out messages.`;

export type Run = (command: Command, values: AnyValues, operands: readonly string[]) => Promise<void>;

/**
 * A parser for the commands. It calls `run` for the command that the arguments name, and `write` with help and messages. It throws
 * commander's `CommanderError` if it runs no command.
 */
export function createParser(commands: readonly Command[], write: (text: string) => void, run: Run): Parser {
  const program = new Parser(PROGRAM)
    .description('Heddle, a team chat server')
    .version(`Heddle ${HEDDLE_VERSION}`, '--version', 'Print the version')
    .option('--json', 'Write JSON, one value per line')
    .helpOption('-h, --help', 'Print this help')
    .helpCommand(false)
    .addHelpText('afterAll', NOTES)
    .exitOverride()
    .showHelpAfterError('Try --help.')
    .showSuggestionAfterError(false)
    .configureOutput({ writeOut: write, writeErr: write })
    .configureHelp({ showGlobalOptions: true, visibleCommands: leavesOf, subcommandTerm: nameOf });
  for (const command of commands) addCommand(program, command, run);
  return program;
}

function addCommand(program: Parser, command: Command, run: Run): void {
  const { name, summary, details, operands = [], options } = command;
  const words = name.split(' ');
  const last = words.pop() ?? '';
  const group = words.reduce((parent, word) => childOf(parent, word) ?? parent.command(word), program);
  const parser = group
    .command(last)
    .summary(summary)
    .description(details === undefined ? `${summary}.` : `${summary}.\n\n${details}`);
  for (const { value, help } of operands) parser.addArgument(new Argument(`<${value}>`, `${help}.`));
  for (const [option, definition] of Object.entries(options)) addOption(parser, option, definition);
  parser.action(() => {
    const own = Object.keys(options).map((option) => [option, parser.getOptionValue(attributeOf(option))]);
    return run(command, Object.fromEntries(own), parser.args);
  });
}

function addOption(parser: Parser, name: string, definition: Option | Flag): void {
  const option = 'isFlag' in definition ? flagFor(name, definition) : optionFor(name, definition);
  parser.addOption(option);
  let isGiven = false;
  // Commander would ignore all but the last.
  parser.on(`option:${name}`, () => {
    if (isGiven) parser.error(`error: option '${option.flags}' is given more than once`);
    isGiven = true;
  });
}

function flagFor(name: string, { help }: Flag): ParserOption {
  return new ParserOption(`--${name}`, `${help}.`).default(false);
}

function optionFor(name: string, { value, help, required, choices }: Option): ParserOption {
  const option = new ParserOption(`--${name} <${value}>`, `${help}.${required ? ' Required.' : ''}`);
  if (choices !== undefined) option.choices(choices);
  return option.makeOptionMandatory(required === true);
}

function attributeOf(option: string): string {
  return new ParserOption(`--${option}`).attributeName();
}

function childOf(parent: Parser, name: string): Parser | undefined {
  return parent.commands.find((command) => command.name() === name);
}

/** The commands in a group and its groups, so that the help of the program lists all. */
function leavesOf(group: Parser): Parser[] {
  return group.commands.flatMap((command) => (command.commands.length > 0 ? leavesOf(command) : command));
}

/** Without the name of the program: `org create`. */
function nameOf(command: Parser): string {
  const parent = command.parent?.parent ? `${nameOf(command.parent)} ` : '';
  return `${parent}${command.name()}`;
}
