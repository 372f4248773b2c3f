/** Messages of the reference server, with their flags, reactions and widgets. */
import type { ArchiveFiles } from '../archives/archive-files.ts';
import type { DetailsOf, NeutralEdit, NeutralFile, NeutralMessage } from '../conversion/neutral.ts';
import type { RowStore } from '../conversion/row-store.ts';
import { type Json, keyIn, numberIn, objectsIn, textIn, timeOf } from '../fields.ts';
import { readJsonItems } from '../json-items.ts';
import type { ImportReport } from '../report.ts';
import { emojiOf } from './emoji.ts';
import type { Recipients } from './people.ts';
import type { TableReader } from './reading.ts';
import type { OwnHosts } from './zulip-links.ts';

export interface Reading {
  readonly rows: RowStore;
  readonly reader: TableReader;
  readonly recipients: Recipients;
  /** Channels whose subscribers read only what they received. */
  readonly protectedChannels: ReadonlySet<string>;
  readonly clients: ReadonlyMap<string, string>;
  readonly hosts: OwnHosts;
  readonly uploadOf: (path: string) => NeutralFile | undefined;
  readonly report: ImportReport;
}

export const MESSAGE_FILE = /^messages-\d+\.json$/;

export async function* readMessages(
  archive: ArchiveFiles,
  reading: Reading,
): AsyncGenerator<NeutralMessage | DetailsOf> {
  const paths = [...archive.files.keys()].filter((path) => MESSAGE_FILE.test(path)).sort();
  for (const path of paths) yield* readFile(archive, path, reading);
  for (const kind of ['zerver_reaction', 'zerver_submessage']) {
    for (const row of reading.rows.of(kind)) {
      const details = detailsOf(kind, row);
      if (details === undefined) reading.report.skip('Reactions and widgets without a message or a user', kind);
      else yield details;
    }
  }
}

/** The flags need the messages of the file: if they come first, the file is read again. */
async function* readFile(
  archive: ArchiveFiles,
  path: string,
  reading: Reading,
): AsyncGenerator<NeutralMessage | DetailsOf> {
  const protectedMessages = new Set<string>();
  let flagsComeFirst = false;
  let hasMessages = false;
  for await (const { list, item } of readJsonItems(await archive.open(path), path, 'object')) {
    if (list === 'zerver_usermessage' && !hasMessages) {
      flagsComeFirst = true;
      continue;
    }
    const row = reading.reader.accepted(list, item);
    if (row === undefined) continue;
    if (list === 'zerver_message') {
      hasMessages = true;
      const message = messageOf(row, reading);
      if (message?.channel != null && reading.protectedChannels.has(message.channel))
        protectedMessages.add(message.key);
      if (message !== undefined) yield message;
    } else if (list === 'zerver_usermessage') yield* flagsOf(row, protectedMessages);
    else if (list === 'zerver_reaction' || list === 'zerver_submessage') {
      const details = detailsOf(list, row);
      if (details !== undefined) yield details;
    } else reading.report.skip('Rows of tables that do not belong to files of messages', list);
  }
  if (!flagsComeFirst) return;
  for await (const { list, item } of readJsonItems(await archive.open(path), path, 'object')) {
    const row = list === 'zerver_usermessage' ? reading.reader.accepted(list, item) : undefined;
    if (row !== undefined) yield* flagsOf(row, protectedMessages);
  }
}

/** Bits of the flags of a user's message. */
const Flag = { read: 1, starred: 2, collapsed: 4, mentioned: 8, channel: 16, topic: 32, group: 64, alerted: 512 };

function* flagsOf(row: Json, protectedMessages: ReadonlySet<string>): Generator<DetailsOf> {
  const [of, user] = [keyIn(row, 'message'), keyIn(row, 'user_profile')];
  if (of === undefined || user === undefined) return;
  const mask = numberIn(row, 'flags_mask') ?? Flag.read;
  const list = (isSet: boolean) => (isSet ? [user] : undefined);
  const has = (bits: number) => list((mask & bits) !== 0);
  const details = {
    unreadBy: list((mask & Flag.read) === 0),
    starredBy: has(Flag.starred),
    collapsedBy: has(Flag.collapsed),
    mentioned: has(Flag.mentioned | Flag.group),
    channelMentioned: has(Flag.channel),
    topicMentioned: has(Flag.topic),
    alerted: has(Flag.alerted),
    receivedBy: list(protectedMessages.has(of)),
  };
  const given = Object.entries(details).filter(([, users]) => users !== undefined);
  if (given.length > 0) yield { of, ...Object.fromEntries(given) };
}

function detailsOf(kind: string, row: Json): DetailsOf | undefined {
  const of = keyIn(row, 'message');
  const user = keyIn(row, kind === 'zerver_reaction' ? 'user_profile' : 'sender');
  if (of === undefined || user === undefined) return undefined;
  if (kind === 'zerver_reaction')
    return { of, reactions: [{ name: textIn(row, 'emoji_name') ?? '', users: [user], emoji: emojiOf(row) }] };
  return { of, widgets: [{ sender: user, content: textIn(row, 'content') ?? '' }] };
}

function messageOf(row: Json, reading: Reading): NeutralMessage | undefined {
  const { recipients, report, clients, hosts } = reading;
  const [key, sender, recipient] = [keyIn(row, 'id'), keyIn(row, 'sender'), keyIn(row, 'recipient')];
  // Before version 2.1, the time of a message had another name.
  const sentAt = timeOf(row.date_sent) ?? timeOf(row.pub_date);
  if (key === undefined || sender === undefined || recipient === undefined || sentAt === undefined) {
    report.skipMessages('Messages without a sender, a recipient or a valid time', String(key));
    return undefined;
  }
  const channel = recipients.channels.get(recipient) ?? null;
  const participants = recipients.direct.get(recipient);
  if (channel === null && participants === undefined) {
    report.skipMessages('Messages whose recipients the archive does not describe', key);
    return undefined;
  }
  const text = textIn(row, 'content') ?? '';
  hosts.note(text, textIn(row, 'rendered_content') ?? '');
  return {
    key,
    sender,
    channel,
    participants: channel === null ? (participants ?? null) : null,
    topic: topicOf(textIn(row, 'subject') ?? ''),
    text,
    sentAt,
    editedAt: timeOf(row.last_edit_time),
    edits: editsOf(textIn(row, 'edit_history'), report),
    files: filesIn(text, reading.uploadOf),
    client: clients.get(keyIn(row, 'sending_client') ?? ''),
  };
}

/** The reference server stores a direct message with a placeholder as its topic. */
function topicOf(text: string): string {
  return text === '\u0007' ? '' : text;
}

function filesIn(text: string, uploadOf: Reading['uploadOf']): readonly NeutralFile[] {
  const found = new Map<string, NeutralFile>();
  for (const [, path = ''] of text.matchAll(/user_uploads\/(\d+\/[^\s()[\]<>"'`\\?#]{1,1000})/g)) {
    const file = uploadOf(path);
    if (file !== undefined) found.set(path, file);
  }
  return [...found.values()];
}

/** The history is a text of JSON, newest first. */
function editsOf(history: string | undefined, report: ImportReport): readonly NeutralEdit[] | undefined {
  if (history === undefined || history === '' || history === 'null') return undefined;
  let entries: readonly Json[];
  try {
    entries = objectsIn(JSON.parse(history));
  } catch {
    report.skip('Edit histories that are not valid');
    return undefined;
  }
  const edits = entries.toReversed().flatMap((entry) => editOf(entry) ?? []);
  if (edits.length < entries.length) report.skip('Edits without a previous text or place, or without a valid time');
  return edits;
}

function editOf(entry: Json): NeutralEdit | undefined {
  const editedAt = timeOf(entry.timestamp);
  const previousText = textIn(entry, 'prev_content');
  // Old entries have the previous topic under another name, and not the new one.
  const [fromTopic, toTopic] = [textIn(entry, 'prev_topic') ?? textIn(entry, 'prev_subject'), textIn(entry, 'topic')];
  const [fromChannel, toChannel] = [keyIn(entry, 'prev_stream'), keyIn(entry, 'stream')];
  const topic = fromTopic === undefined || toTopic === undefined ? undefined : { from: fromTopic, to: toTopic };
  const channel =
    fromChannel === undefined || toChannel === undefined ? undefined : { from: fromChannel, to: toChannel };
  if (editedAt === undefined || (previousText === undefined && topic === undefined && channel === undefined))
    return undefined;
  return { user: keyIn(entry, 'user_id') ?? '', editedAt, previousText, topic, channel };
}
