/** The text with which the notification bot reminds a user of a message (form: the public reference). */
import { MAX_MESSAGE_LENGTH } from '../../access/limits.ts';
import { messageLink } from '../../domain/sending/sending/message-link.ts';
import { silentMention } from '../../domain/sending/sending/notices.ts';
import { truncate } from '../../domain/texts/shared/truncate.ts';
import { messagePath } from '../../markup/index.ts';
import type { Target } from './target.ts';

/** The text for a deleted message. */
export const OF_DELETED = 'You requested a reminder for a message that has been deleted.';
/** The same as HTML. */
export const OF_DELETED_HTML = `<p>${OF_DELETED}</p>`;

/** @param organizationUrl the address of the organization, without a slash at the end */
export function reminderText(target: Target, note: string, organizationUrl: string): string {
  const what =
    target.channel === null ? 'the following direct message' : messageLink(target.channel, target.topic, target.id);
  const url = `${organizationUrl}${pathOf(target)}`;
  const quoteHead = `${silentMention(target.sender)} [said](${url}):`;
  const head = `${withNote(`You requested a reminder for ${what}.`, note)}\n\n${quoteHead}\n`;
  const fence = unusedFence(target.content);
  const quoted = (text: string) => `${fence}quote\n${text}\n${fence}`;
  const room = MAX_MESSAGE_LENGTH - [...head, ...quoted('')].length;
  return head + quoted(truncate(target.content, room, '\n[message truncated]'));
}

/** @param note may be empty */
export function withNote(text: string, note: string): string {
  if (note === '') return text;
  const lines = note.split(/\r\n?|\n/).map((line) => ` > ${line}`);
  return `${text} Note:\n${lines.join('\n')}`;
}

function pathOf({ id, channel, topic, participants }: Target): string {
  if (channel !== null) return messagePath(channel, topic, String(id));
  return `/#narrow/dm/${participants.join(',')}/near/${id}`;
}

/** Longer than every run of backticks in the text. */
function unusedFence(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  return '`'.repeat(longest + 1);
}
