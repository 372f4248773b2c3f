import { type Message, msg } from '../../base/i18n.ts';

/** Commands that the app carries out. Nothing is sent as a message. */
export const APP_COMMANDS = ['remind', 'status', 'dnd', 'invite', 'topic', 'gif'] as const;
export type AppCommandName = (typeof APP_COMMANDS)[number];

/** What the box offers after `/`. The first three are messages, which the server shows in another form. */
export const COMMANDS: readonly (readonly [name: string, description: Message])[] = [
  ['me', msg('Says what you are doing: /me is having coffee')],
  ['poll', msg('A poll: a question, then one option per line')],
  ['todo', msg('A to-do list: a title, then one task per line')],
  ['remind', msg('Reminds you of the newest message here: /remind answer Ada')],
  ['status', msg('Sets your status: /status At lunch')],
  ['dnd', msg('Pauses notifications for minutes or hours: /dnd 30m')],
  ['invite', msg('Adds the people that you mention to this channel')],
  ['gif', msg('Finds a GIF: /gif good morning')],
  ['topic', msg('Goes to a topic of this channel, or begins it: /topic release')],
];

export interface AppCommand {
  readonly name: AppCommandName;
  /** What stands behind the name. */
  readonly argument: string;
}

const FORM = /^\/([a-z]+)(?:[ \t]+([^\n]*))?\s*$/;

/** The command that a text is. Other texts, and those of several lines, are messages. */
export function commandOf(text: string): AppCommand | undefined {
  const [, word, argument = ''] = FORM.exec(text) ?? [];
  const name = APP_COMMANDS.find((one) => one === word);
  return name === undefined ? undefined : { name, argument: argument.trim() };
}

/** What is sent for the text of a box. Another slash before a command of the app makes it a message: `//status` sends `/status`. */
export function sentTextOf(written: string): string {
  const text = written.trim();
  return text.startsWith('//') && commandOf(text.slice(1)) !== undefined ? text.slice(1) : text;
}
