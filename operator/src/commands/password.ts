import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CommandError, type Terminal, UsageError } from './command.ts';

/** The help of a password option. */
export const passwordHelp =
  'The password. With - the command reads one line from standard input, which other users of the machine cannot see';

/** 120 random bits in 20 characters. */
export function generatePassword(): string {
  return randomBytes(15).toString('base64url');
}

/**
 * The password of an option. `-` means a line of standard input.
 * @throws UsageError if that line is empty or missing
 */
export async function passwordFrom(option: string, terminal: Terminal): Promise<string> {
  if (option !== '-') return option;
  return terminal.input.isTTY ? askForPassword(terminal) : readLine(terminal);
}

/**
 * Asks for a password twice and does not echo it.
 * @throws UsageError if there is no terminal
 * @throws CommandError if the two differ, or after Ctrl-C
 */
export async function askForPassword(terminal: Terminal): Promise<string> {
  if (!terminal.input.isTTY)
    throw new UsageError('--password is missing, and there is no terminal on which to ask for it.');
  const password = await ask('Password: ', terminal);
  if (password === '') throw new CommandError('The password is empty.');
  if ((await ask('Repeat the password: ', terminal)) !== password)
    throw new CommandError('The two passwords are different.');
  return password;
}

async function readLine({ input }: Terminal): Promise<string> {
  const lines = createInterface({ input });
  for await (const line of lines) {
    lines.close();
    if (line !== '') return line;
    break;
  }
  throw new UsageError('Standard input contains no password.');
}

function ask(question: string, { input, err }: Terminal): Promise<string> {
  // Readline echoes the input to its output.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: nowhere, terminal: true });
  return new Promise<string>((resolve, reject) => {
    lines.once('line', resolve);
    lines.once('SIGINT', () => reject(new CommandError('Interrupted.')));
    lines.once('close', () => reject(new CommandError('Interrupted.')));
    err.write(question);
  }).finally(() => {
    lines.close();
    err.write('\n');
  });
}
