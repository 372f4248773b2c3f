/** The rows of a message of another program, with those that belong to it. */
import { FlagBit } from '../../db/flag-bits.ts';
import type { ImportReport } from '../report.ts';
import { ATTACHED, type RowWithOthers, type SourceRow } from '../source.ts';
import type { NeutralEdit } from './neutral.ts';
import type { People } from './people.ts';
import { MAX_IMPORTED_CONTENT, type TextRenderer } from './rendering.ts';
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

export function messageRow(context: MessageContext, message: StagedMessage): RowWithOthers | undefined {
  const { people, staging, renderer, report, client } = context;
  const sender = people.users.get(message.sender);
  const channel = message.channel === null ? undefined : people.channels.get(message.channel);
  if (sender === undefined) return skipped(report, 'Messages whose sender is unknown', message);
  if (message.channel !== null && channel === undefined)
    return skipped(report, 'Messages in channels that the archive does not describe', message);
  const participants = participantsIn(context, message, sender.id);
  const content = contentOf(context, message);
  const { html, mentionedUserIds, mentionsChannel, isMeMessage, uploads } = renderer.render(content);
  // Before the texts of edits are converted, because the renderer knows the files of the last text.
  const fileIds = renderer.fileIds(uploads);
  const members = channel === undefined ? new Set(participants) : membersOf(people, channel.members);
  const edits = (message.edits ?? []).slice(-MAX_EDITS);
  const reactions = reactionRows(context, message, members);
  return {
    id: message.id,
    sender_id: sender.id,
    channel_id: channel?.id ?? null,
    conversation_id: channel === undefined ? staging.conversation(participants) : null,
    topic: renderer.topicOf(message),
    content,
    rendered_content: html,
    mentions_channel: mentionsChannel && channel !== undefined,
    is_me_message: isMeMessage,
    client,
    sent_at: new Date(message.sentAt),
    edit_count: edits.length,
    edited_at: message.editedAt === undefined ? null : new Date(message.editedAt),
    has_reactions: reactions.length > 0,
    [ATTACHED]: {
      message_flags: flagRows(
        context,
        message,
        mentionedUserIds.filter((id) => members.has(id)),
        members,
      ),
      reactions,
      message_edits: editRows(context, message, edits),
      attachment_messages: fileIds.map((id) => ({ attachment_id: id, message_id: message.id })),
    },
  };
}

function skipped(report: ImportReport, what: string, { key }: StagedMessage): undefined {
  report.skip(what, key);
  return undefined;
}

function participantsIn({ people, report }: MessageContext, message: StagedMessage, sender: number): readonly number[] {
  const ids = new Set([sender]);
  for (const key of message.participants ?? []) {
    const user = people.users.get(key);
    if (user === undefined) report.skip('Participants of direct conversations who are unknown', key);
    else ids.add(user.id);
  }
  return [...ids].sort((a, b) => a - b);
}

function membersOf(people: People, keys: readonly string[]): ReadonlySet<number> {
  return new Set(keys.flatMap((key) => people.users.get(key)?.id ?? []));
}

/** The text, and a line with a link for each file. */
function contentOf({ renderer, report }: MessageContext, message: StagedMessage): string {
  const text = renderer.markdown(message.text).trimEnd().replace(/^\n+/, '');
  const lines = message.files.flatMap(({ key, name, isInText }) => {
    if (isInText) return [];
    const line = renderer.fileLine(key, name);
    if (line === undefined) report.skip('Files that the archive does not have', name);
    return line ?? `*(file: ${name.replaceAll(/[*\n]/g, ' ')})*`;
  });
  const whole = [text, ...lines].filter((part) => part.trim() !== '').join('\n');
  if (whole === '') return WITHOUT_TEXT;
  if (whole.length <= MAX_IMPORTED_CONTENT) return whole.replaceAll('\0', '');
  report.skip(`Texts of more than ${MAX_IMPORTED_CONTENT} characters: they are cut`, message.key);
  return `${whole.slice(0, MAX_IMPORTED_CONTENT - TRUNCATED.length)}${TRUNCATED}`;
}

/** Everything is read, except what the archive calls unread. */
function flagRows(
  { people }: MessageContext,
  { id, unreadBy = [], starredBy = [] }: StagedMessage,
  mentioned: readonly number[],
  members: ReadonlySet<number>,
): readonly SourceRow[] {
  const bits = new Map<number, number>();
  const add = (user: number | undefined, bit: number) => {
    if (user !== undefined) bits.set(user, (bits.get(user) ?? 0) | bit);
  };
  for (const user of mentioned) add(user, FlagBit.mentioned);
  for (const key of starredBy) add(people.users.get(key)?.id, FlagBit.starred);
  for (const key of unreadBy) {
    const user = people.users.get(key)?.id;
    if (user !== undefined && members.has(user)) add(user, FlagBit.unread);
  }
  return [...bits].map(([user, flags]) => ({ user_id: user, message_id: id, flags }));
}

function reactionRows(
  { people, renderer, report }: MessageContext,
  message: StagedMessage,
  members: ReadonlySet<number>,
) {
  const rows = new Map<string, SourceRow>();
  for (const { name, users } of message.reactions) {
    const emoji = renderer.emojiOf(name);
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
          emoji_name: name,
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
  return edits.map(({ user, editedAt, previousText }, index) => {
    const content = renderer.markdown(previousText);
    return {
      message_id: message.id,
      number: index + 1,
      user_id: people.users.get(user)?.id ?? people.users.get(message.sender)?.id,
      edited_at: new Date(editedAt),
      prev_content: content,
      prev_rendered_content: renderer.render(content).html,
    };
  });
}
