/** The rows of a message of another program, with those that belong to it. */

import { MAX_MENTIONS_BY_ROWS } from '@heddle/server/access/mass-mentions.ts';
import { FlagBit } from '@heddle/server/db/flag-bits.ts';
import { userBits } from '@heddle/server/db/user-bits.ts';
import { MAX_SUBMESSAGE_BYTES, MAX_SUBMESSAGES } from '@heddle/server/domain/messages/submessages/limits.ts';
import { isObject } from '../json.ts';
import type { ImportReport } from '../report.ts';
import { ATTACHED, type AttachedRows, type RowWithOthers, type SourceRow } from '../source.ts';
import type { People } from './converted.ts';
import type { NeutralEdit, NeutralMessage } from './neutral.ts';
import { sortedIds } from './people.ts';
import { MAX_IMPORTED_CONTENT_LENGTH, type TextRenderer } from './rendering.ts';
import type { StagedMessage, Staging } from './staging.ts';

export interface MessageContext {
  readonly people: People;
  readonly staging: Staging;
  readonly renderer: TextRenderer;
  readonly report: ImportReport;
  /** The program, as messages name the client that sent them. */
  readonly client: string;
}

const TRUNCATED = '\n[message truncated]';
/** A message of only a picture or a deleted file has no text. */
const WITHOUT_TEXT = '*(no text)*';
const MAX_EDITS = 100;

/** More would make one row of a conversation as large as a table. */
const MAX_PARTICIPANTS = 1000;

export function messageRow(context: MessageContext, message: StagedMessage): RowWithOthers | undefined {
  const { people, staging, renderer, report, client } = context;
  const sender = people.users.get(message.sender);
  const channel = message.channel === null ? undefined : people.channels.get(message.channel);
  if (sender === undefined) return skipped(report, 'Messages whose sender is unknown', message);
  if (message.channel !== null && channel === undefined)
    return skipped(report, 'Messages in channels that the archive does not describe', message);
  const participants = channel === undefined ? participantsOf(people, message) : [];
  const conversation = channel === undefined ? staging.conversationOf(participants) : null;
  if (conversation === undefined)
    return skipped(report, `Direct messages with more than ${MAX_PARTICIPANTS} participants`, message);
  reportUnknown(context, message);
  const content = contentOf(context, message);
  const { html, mentionedUserIds, mentionsChannel, isMeMessage, uploads } = renderer.render(content);
  // Before the texts of edits are converted, because the renderer knows the files of the last text.
  const fileIds = renderer.fileIds(uploads);
  const members = channel === undefined ? new Set(participants) : (people.members.get(channel.id) ?? NOBODY);
  const edits = (message.edits ?? []).slice(-MAX_EDITS);
  const moves = edits.filter(({ topic, channel: moved }) => topic !== undefined || moved !== undefined);
  const reactions = reactionRows(context, message, members);
  const widgets = widgetRows(context, message);
  const topic = renderer.topicOf(message);
  if (message.topic !== undefined && message.topic.trim() !== topic)
    report.skip('Topics that are not valid here, and are changed', message.topic);
  const editRowsOf = editRows(context, message, edits);
  return {
    id: message.id,
    sender_id: sender.id,
    channel_id: channel?.id ?? null,
    conversation_id: conversation,
    topic,
    content,
    rendered_content: html,
    mentions_channel: mentionsChannel && channel !== undefined,
    is_me_message: isMeMessage,
    client: message.client ?? client,
    sent_at: new Date(message.sentAt),
    edit_count: editRowsOf.length,
    edited_at: message.editedAt === undefined ? null : new Date(message.editedAt),
    moved_at: moves.length === 0 ? null : new Date(moves.at(-1)?.editedAt ?? 0),
    has_reactions: reactions.length > 0,
    has_submessages: widgets.length > 0,
    [ATTACHED]: {
      ...flagRows(context, message, mentionedUserIds, members),
      reactions,
      message_edits: editRowsOf,
      submessages: widgets,
      attachment_messages: fileIds.map((id) => ({ attachment_id: id, message_id: message.id })),
    },
  };
}

const NOBODY: ReadonlySet<number> = new Set();

function skipped(report: ImportReport, what: string, { key }: StagedMessage): undefined {
  report.skip(what, key);
  return undefined;
}

/** The ids of the users of a direct message, ascending. Empty if the message is not imported. */
export function participantsOf(people: People, { sender, participants }: NeutralMessage): readonly number[] {
  if (!people.users.has(sender)) return [];
  const ids = sortedIds(people, [sender, ...(participants ?? [])]);
  return ids.length > MAX_PARTICIPANTS ? [] : ids;
}

function reportUnknown({ people, report }: MessageContext, { participants }: StagedMessage): void {
  for (const key of participants ?? []) {
    if (!people.users.has(key)) report.skip('Participants of direct conversations who are unknown', key);
  }
}

/** The text, and a line with a link for each file. */
function contentOf({ renderer, report }: MessageContext, message: StagedMessage): string {
  const text = renderer.markdown(message.text, message.channel).trimEnd().replace(/^\n+/, '');
  const lines = message.files.flatMap(({ key, name, isInText }) => {
    if (isInText) return [];
    const line = renderer.fileLine(key, name);
    if (line === undefined) report.skip('Files that the archive does not have', name);
    return line ?? `*(file: ${name.replaceAll(/[*\n]/g, ' ')})*`;
  });
  const whole = [text, ...lines].filter((part) => part.trim() !== '').join('\n');
  if (whole === '') return WITHOUT_TEXT;
  if (whole.length <= MAX_IMPORTED_CONTENT_LENGTH) return whole.replaceAll('\0', '');
  report.skip(`Texts of more than ${MAX_IMPORTED_CONTENT_LENGTH} characters: they are cut`, message.key);
  return `${whole.slice(0, MAX_IMPORTED_CONTENT_LENGTH - TRUNCATED.length)}${TRUNCATED}`;
}

/** Everything is read, except what the archive calls unread. */
function flagRows(
  { people }: MessageContext,
  message: StagedMessage,
  mentionedIds: readonly number[],
  members: ReadonlySet<number>,
): AttachedRows {
  const bits = new Map<number, number>();
  const add = (user: number | undefined, bit: number) => {
    if (user !== undefined) bits.set(user, (bits.get(user) ?? 0) | bit);
  };
  const addAll = (keys: readonly string[] = [], bit: number) => {
    for (const key of keys) add(people.users.get(key)?.id, bit);
  };
  for (const user of mentionedIds) if (members.has(user)) add(user, FlagBit.mentioned);
  addAll(message.mentioned, FlagBit.mentioned);
  addAll(message.topicMentioned, FlagBit.topicMentioned);
  addAll(message.alerted, FlagBit.alerted);
  addAll(message.starredBy, FlagBit.starred);
  addAll(message.collapsedBy, FlagBit.collapsed);
  for (const key of message.unreadBy ?? []) {
    const user = people.users.get(key)?.id;
    if (user !== undefined && members.has(user)) add(user, FlagBit.unread);
  }
  const together = sortedIds(people, message.channelMentioned ?? []);
  const isMass = together.length > MAX_MENTIONS_BY_ROWS;
  if (!isMass) for (const user of together) add(user, FlagBit.mentioned);
  return {
    message_flags: [...bits].map(([user, flags]) => ({ user_id: user, message_id: message.id, flags })),
    mass_mentions: isMass ? [massMention(message.id, together)] : [],
  };
}

function massMention(messageId: number, users: readonly number[]): SourceRow {
  const { first, bits } = userBits(users);
  return { message_id: messageId, first_user_id: first, user_bits: bits };
}

/** The first one defines the widget, so it must be of the sender. */
function widgetRows({ people, report }: MessageContext, message: StagedMessage): readonly SourceRow[] {
  const widgets = message.widgets ?? [];
  if (widgets.length === 0) return [];
  const rows: SourceRow[] = [];
  let bytes = 0;
  for (const { sender, content } of widgets) {
    const user = people.users.get(sender);
    bytes += Buffer.byteLength(content);
    const isFirst = rows.length === 0;
    const fits = rows.length < MAX_SUBMESSAGES && bytes <= MAX_SUBMESSAGE_BYTES;
    if (user === undefined || !fits || !isJsonObject(content) || (isFirst && sender !== message.sender)) {
      report.skip('Parts of polls and to-do lists that are not valid, or too many', message.key);
      if (isFirst) return [];
      continue;
    }
    rows.push({ message_id: message.id, place: rows.length, sender_id: user.id, kind: 'widget', content });
  }
  return rows;
}

function isJsonObject(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

function reactionRows(
  { people, renderer, report }: MessageContext,
  message: StagedMessage,
  members: ReadonlySet<number>,
) {
  const rows = new Map<string, SourceRow>();
  for (const { name, users, emoji: known } of message.reactions ?? []) {
    const emoji = renderer.emojiOf(name, known);
    if (emoji === undefined) {
      report.skip('Reactions with an emoji that does not exist here', name);
      continue;
    }
    for (const key of users) {
      const user = people.users.get(key);
      if (user === undefined) report.skip('Reactions of unknown users', key);
      else {
        rows.set(`${emoji.kind} ${emoji.code} ${user.id}`, {
          message_id: message.id,
          emoji_kind: emoji.kind,
          emoji_code: emoji.code,
          user_id: user.id,
          emoji_name: emoji.name,
          by_outsider: !members.has(user.id),
        });
      }
    }
  }
  return [...rows.values()];
}

function editRows(
  { people, renderer }: MessageContext,
  message: StagedMessage,
  edits: readonly NeutralEdit[],
): readonly SourceRow[] {
  const sender = people.users.get(message.sender)?.id;
  return edits.map(({ user, editedAt, previousText, topic, channel }, index) => {
    const [from, to] = [channel && people.channels.get(channel.from), channel && people.channels.get(channel.to)];
    const content =
      previousText === undefined
        ? null
        : (renderer.markdown(previousText, message.channel) || WITHOUT_TEXT).slice(0, MAX_IMPORTED_CONTENT_LENGTH);
    const isMoved = from !== undefined && to !== undefined;
    return {
      message_id: message.id,
      number: index + 1,
      user_id: people.users.get(user)?.id ?? sender,
      edited_at: new Date(editedAt),
      prev_content: content,
      prev_rendered_content: content === null ? null : renderer.render(content).html,
      prev_topic: topic === undefined ? null : renderer.validTopic(topic.from),
      topic: topic === undefined ? null : renderer.validTopic(topic.to),
      prev_channel_id: isMoved ? from.id : null,
      channel_id: isMoved ? to.id : null,
    };
  });
}
