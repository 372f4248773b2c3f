/** The text of a report. Texts of users are in quotes, line by line, so that their markup cannot extend beyond. */
import { MAX_MESSAGE_LENGTH } from '../../access/limits.ts';
import type { UserRecord } from '../../directory/records.ts';
import type { MessageContent } from '../../domain/messages/messages/message-body.ts';
import { messageLink } from '../../domain/sending/sending/message-link.ts';
import { silentMention } from '../../domain/sending/sending/notices.ts';
import { truncate } from '../../domain/texts/shared/truncate.ts';

export interface Report {
  readonly reporter: UserRecord;
  readonly messageId: number;
  readonly message: MessageContent;
  readonly type: string;
  /** Written by the reporter; may be empty. */
  readonly description: string;
}

/** The room for the reported text beside the longest description, quoted. */
const MAX_QUOTE_LENGTH = MAX_MESSAGE_LENGTH - 4000;
/** The maximum of participants whose names appear. */
const MAX_NAMED_PARTICIPANTS = 10;

/** The topic that collects reports about one user. */
export function reportTopic({ message }: Report): string {
  return `${message.sender.fullName}'s moderation requests`;
}

/** The report in the words of the notification bot. */
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
    truncate(quoted(message.content), MAX_QUOTE_LENGTH, '\n> [message truncated]'),
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
  if (names.length > MAX_NAMED_PARTICIPANTS)
    return `${names.slice(0, MAX_NAMED_PARTICIPANTS).join(', ')}, and ${names.length - MAX_NAMED_PARTICIPANTS} others`;
  return `${names.slice(0, -1).join(', ')}, and ${names.at(-1)}`;
}

function quoted(text: string): string {
  return text
    .split(/\r\n?|\n/)
    .map((line) => `> ${line}`)
    .join('\n');
}
