/** What a report says. Whatever people wrote stands in quotes, line by line, so that no markup of theirs reaches beyond. */
import { MAX_MESSAGE_LENGTH } from '../../access/limits.ts';
import type { UserRecord } from '../../directory/records.ts';
import type { MessageContent } from '../messages/present.ts';
import { messageLink, silentMention } from '../sending/actions.ts';
import { truncate } from '../truncate.ts';

export interface Report {
  readonly reporter: UserRecord;
  readonly messageId: number;
  readonly message: MessageContent;
  readonly type: string;
  /** The reporter's own words; may be empty. */
  readonly description: string;
}

/** What is left for the reported text beside the longest notes, quoted. */
const LONGEST_QUOTE = MAX_MESSAGE_LENGTH - 4000;
/** So many participants of a direct conversation are named. */
const MOST_NAMED = 10;

/** The topic under which reports about one person gather. */
export function reportTopic({ message }: Report): string {
  return `${message.sender.fullName}'s moderation requests`;
}

/** The report as the notification bot writes it. */
export function reportText(report: Report): string {
  const { description, message, type } = report;
  const sender = silentMention(message.sender);
  const notes = description.trim() === '' ? [] : ['- Notes:', '', quoted(description)];
  return [
    whatWasReported(report, sender),
    '',
    `- Reason: **${type}**`,
    ...notes,
    '',
    `\`\`\` spoiler **Message sent by ${sender}**`,
    truncate(quoted(message.content), LONGEST_QUOTE, '\n> [message truncated]'),
    '```',
  ].join('\n');
}

function whatWasReported({ reporter, message, messageId }: Report, sender: string): string {
  const who = silentMention(reporter);
  const { channel, topic, participants } = message;
  if (channel !== null) return `${who} reported ${messageLink(channel, topic, messageId)} sent by ${sender}.`;
  if (participants.length <= 2) return `${who} reported a DM sent by ${sender}.`;
  return `${who} reported a DM sent by ${sender} to ${enumerated(participants.map(silentMention))}.`;
}

function enumerated(names: readonly string[]): string {
  if (names.length > MOST_NAMED)
    return `${names.slice(0, MOST_NAMED).join(', ')}, and ${names.length - MOST_NAMED} others`;
  return `${names.slice(0, -1).join(', ')}, and ${names.at(-1)}`;
}

function quoted(text: string): string {
  return text
    .split(/\r\n?|\n/)
    .map((line) => `> ${line}`)
    .join('\n');
}
