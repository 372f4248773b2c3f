/** Messages of Rocket.Chat, with their threads, files, reactions and attachments. */
import type { NeutralFile, NeutralMessage, NeutralReaction } from '../conversion/neutral.ts';
import type { FieldNotes } from '../field-notes.ts';
import { isTrue, type Json, numberIn, objectIn, objectsIn, textIn, textsIn } from '../fields.ts';
import type { ImportReport } from '../report.ts';
import { type Dump, idIn, timeIn } from './bson-documents.ts';
import { attachmentOf, blockText, isQuote, locationOf } from './rocketchat-attachments.ts';
import type { Room } from './rocketchat-people.ts';

export interface Reading {
  readonly dump: Dump;
  readonly rooms: ReadonlyMap<string, Room>;
  readonly userKeys: ReadonlyMap<string, string>;
  /** The path of a file's content; '' if the archive does not have it. */
  readonly pathOf: (fileId: string) => string;
  readonly notes: FieldNotes;
  readonly report: ImportReport;
}

export async function* readMessages(reading: Reading): AsyncGenerator<NeutralMessage> {
  for await (const message of reading.dump.documents('rocketchat_message')) {
    reading.notes.note('message', message);
    const converted = messageOf(message, reading);
    if (converted !== undefined) yield converted;
  }
}

const ENCRYPTED = 'e2e';
const REMOVED = 'rm';
/** Kinds of messages that a person has written. */
const WRITTEN = new Set(['', ENCRYPTED, 'me']);

function messageOf(message: Json, reading: Reading): NeutralMessage | undefined {
  const { rooms, report, userKeys } = reading;
  const [key, type] = [idIn(message, '_id'), textIn(message, 't') ?? ''];
  if (isTrue(message, '_hidden')) {
    report.skip('Earlier texts of edited messages, and messages that Rocket.Chat hides', key);
    return undefined;
  }
  if (!WRITTEN.has(type)) {
    report.skip(type === REMOVED ? 'Messages that were deleted' : 'Notices of Rocket.Chat itself', type);
    return undefined;
  }
  const [sentAt, room] = [timeIn(message, 'ts'), rooms.get(idIn(message, 'rid') ?? '')];
  const sender = senderOf(message);
  if (key === undefined || sentAt === undefined) return skipped(report, 'Messages without an id or a valid time', key);
  if (sender === undefined) return skipped(report, 'Messages without a sender', key);
  if (type === ENCRYPTED) return skipped(report, 'Encrypted messages: only their readers have the keys', key);
  if (room === undefined || room.kind === 'unknown')
    return skipped(report, 'Messages of live chats, calls and unknown rooms', idIn(message, 'rid'));
  if (isTrue(message, 'pinned')) report.skip('Pinned messages: Heddle has no pins', key);
  const isRoot = (numberIn(message, 'tcount') ?? 0) > 0;
  return {
    key,
    ...sender,
    channel: room.kind === 'channel' ? room.channel : null,
    participants: room.kind === 'direct' ? room.participants : null,
    thread: idIn(message, 'tmid') ?? (isRoot ? key : undefined),
    topic: room.topic,
    text: textOf(message, reading),
    sentAt,
    editedAt: timeIn(message, 'editedAt'),
    reactions: reactionsOf(message, userKeys),
    files: filesOf(message, reading),
    starredBy: objectsIn(message.starred).flatMap((one) => idIn(one, '_id') ?? []),
    followers: isRoot ? textsIn(message, 'replies') : undefined,
  };
}

function skipped(report: ImportReport, what: string, example: string | undefined): undefined {
  report.skipMessages(what, example);
  return undefined;
}

/** Programs post under a name that they choose. Those that use the API of Rocket.Chat are not marked as programs. */
function senderOf(message: Json): { readonly sender: string; readonly senderName: string | undefined } | undefined {
  const user = objectIn(message, 'u');
  const [id, username] = [idIn(user, '_id'), textIn(user, 'username')];
  const name = textIn(user, 'name') || username;
  if (id === undefined) return undefined;
  const alias = textIn(message, 'alias');
  if (alias && alias !== name) return { sender: `${id} as ${alias}`, senderName: alias };
  return { sender: id, senderName: name };
}

/** `{ ":heart:": { usernames: ["ada"] } }` */
function reactionsOf(message: Json, userKeys: ReadonlyMap<string, string>): readonly NeutralReaction[] {
  const reactions = objectIn(message, 'reactions');
  return Object.keys(reactions).map((name) => ({
    name: name.replaceAll(/^:|:$/g, ''),
    users: textsIn(objectIn(reactions, name), 'usernames').map((username) => userKeys.get(username) ?? username),
  }));
}

function filesOf(message: Json, { pathOf }: Reading): readonly NeutralFile[] {
  const listed = objectsIn(message.files).filter(
    (file) => textIn(file, 'typeGroup') !== 'thumb' && textIn(file, 'name')?.startsWith('thumb-') !== true,
  );
  const files = listed.length > 0 ? listed : [objectIn(message, 'file')];
  return files.flatMap((file) => {
    const key = idIn(file, '_id');
    return key === undefined ? [] : [{ key, name: textIn(file, 'name') ?? key, path: pathOf(key) }];
  });
}

/** A quoted message begins with a link that shows nothing. */
const QUOTE_LINKS = /^(?:\[ ?\]\(https?:\/\/[^\s()]{1,2000}\)\s*)+/;

function textOf(message: Json, { notes, report }: Reading): string {
  const attachments = objectsIn(message.attachments);
  for (const attachment of attachments) noteAttachment(attachment, notes);
  const blocks = objectsIn(message.blocks)
    .filter(({ type }) => type !== 'divider')
    .map(blockText);
  if (blocks.includes('')) report.skip('Blocks that only work in Rocket.Chat, such as buttons', idIn(message, '_id'));
  const quotes = attachments.filter(isQuote).map(attachmentOf);
  const others = attachments.filter((one) => !isQuote(one)).map(attachmentOf);
  const written = textIn(message, 'msg') ?? '';
  const own = quotes.length > 0 ? written.replace(QUOTE_LINKS, '') : written;
  const parts = [...quotes, own, ...others, ...blocks, locationOf(objectIn(message, 'location'))];
  const text = parts.filter((part) => part.trim() !== '').join('\n\n');
  return textIn(message, 't') === 'me' ? `/me ${text}` : text;
}

/** Deeper ones have the same fields. */
function noteAttachment(attachment: Json, notes: FieldNotes): void {
  for (const one of [attachment, ...objectsIn(attachment.attachments)]) notes.note('attachment', one);
}
