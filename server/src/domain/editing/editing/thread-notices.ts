/**
 * Notices of the notification bot in the old and new thread of moved messages (public reference: "Move a topic to
 * another channel").
 */

import { EMPTY_TOPIC_DISPLAY_NAME } from '../../../access/limits.ts';
import type { ChannelRecord, UserRecord } from '../../../directory/records.ts';
import { channelPath, encodeHashComponent, messagePath } from '../../../markup/index.ts';
import { silentMention } from '../../sending/sending/notices.ts';

export interface MovedThread {
  readonly mover: UserRecord;
  readonly from: ChannelRecord;
  readonly fromTopic: string;
  readonly to: ChannelRecord;
  readonly toTopic: string;
  /** The named message. */
  readonly messageId: number;
  readonly count: number;
  /** Whether messages that the mover can see stay in the old thread. */
  readonly leavesSome: boolean;
  /** Whether the new thread had messages that the mover can see. */
  readonly findsSome: boolean;
}

export function oldThreadNotice({ mover, to, toTopic, count, leavesSome }: MovedThread): string {
  const where = `to ${topicLink(to, toTopic)} by ${silentMention(mover)}.`;
  if (!leavesSome) return `This topic was moved ${where}`;
  if (count === 1) return `A message was moved from this topic ${where}`;
  return `${count} messages were moved from this topic ${where}`;
}

/** @param organizationUrl the address of the organization, without a slash at the end */
export function newThreadNotice(thread: MovedThread, organizationUrl: string): string {
  const { mover, from, fromTopic, to, toTopic, messageId, count, leavesSome, findsSome } = thread;
  const whence = `from ${topicLink(from, fromTopic)} by ${silentMention(mover)}.`;
  if (!leavesSome && !findsSome) return `This topic was moved here ${whence}`;
  if (count > 1) return `${count} messages were moved here ${whence}`;
  return `[A message](${organizationUrl}${messagePath(to, toTopic, String(messageId))}) was moved here ${whence}`;
}

/** Characters in a name that would end a link to a topic early, or change its meaning. */
const BREAKING = /[`>*&[\]]|\$\$|@\d+$/g;

/** Uses the short syntax if the names allow it, and an ordinary link otherwise. */
function topicLink(channel: ChannelRecord, topic: string): string {
  if (![channel.name, topic].some((name) => name.match(BREAKING) !== null)) return `#**${channel.name}>${topic}**`;
  const shown = topic === '' ? EMPTY_TOPIC_DISPLAY_NAME : topic;
  const address = `${channelPath(channel).slice(1)}/topic/${encodeHashComponent(topic)}`;
  return `[#${escaped(channel.name)} > ${escaped(shown)}](${address})`;
}

function escaped(name: string): string {
  return name.replace(/[`>*&[\]$]/g, (character) => `&#${character.codePointAt(0)};`);
}
