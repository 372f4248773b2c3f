import { getAttachments } from '@heddle/client/calls/operations.ts';
import type { Attachment } from '@heddle/client/calls/types.ts';
import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import type { Narrow } from '@heddle/client/model/messages/narrow.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import { type App, useApp } from '../base/app.tsx';
import { matcherOf } from '../base/text-filter.ts';
import { fragmentToRead } from '../content/message-html.ts';

/** A file with the message that links to it. */
export interface FoundFile {
  /** The address, without the host. It identifies the file. */
  readonly path: string;
  readonly name: string;
  /** Undefined for a file of the user that no message links to. */
  readonly messageId: number | undefined;
  readonly senderId: number | undefined;
  /** Seconds since the epoch. */
  readonly timestamp: number;
}

const MAX_FILES = 4;
const MIN_QUERY_LENGTH_CHARACTERS = 2;
/** The server is asked after a pause of the user, not for each character. */
const PAUSE_MS = 250;
const READ_MESSAGES_PER_SEARCH = 30;
const UPLOADS = '/user_uploads/';

/**
 * Files whose names match the text: those of messages that the user can read, and the user's own. Messages are found by whole words,
 * own files also by the beginnings of words.
 */
export function useFoundFiles(text: string): readonly FoundFile[] {
  const app = useApp();
  const [found, setFound] = useState<{ readonly text: string; readonly files: readonly FoundFile[] }>(NOTHING);
  const [load] = useState(() => ownFilesOf(app));
  const query = text.trim();
  const search = useEffectEvent(async (isOver: () => boolean) => {
    const [own, posted] = await Promise.all([load().catch(() => []), postedFiles(app, query).catch(() => [])]);
    if (isOver()) return;
    const matches = matcherOf(query);
    const files = new Map<string, FoundFile>();
    for (const file of [...posted, ...own]) if (matches(file.name) && !files.has(file.path)) files.set(file.path, file);
    setFound({ text: query, files: [...files.values()].sort((a, b) => b.timestamp - a.timestamp).slice(0, MAX_FILES) });
  });
  useEffect(() => {
    if (query.length < MIN_QUERY_LENGTH_CHARACTERS || query.includes(':')) return;
    let isOver = false;
    const timer = setTimeout(() => void search(() => isOver), PAUSE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [query]);
  // Until the response, those of the earlier text that still match stay.
  const matches = matcherOf(query);
  return query.length < MIN_QUERY_LENGTH_CHARACTERS ? [] : found.files.filter(({ name }) => matches(name));
}

const NOTHING = { text: '', files: [] };

/** The user's own files, loaded once. */
function ownFilesOf({ connection, model }: App): () => Promise<readonly FoundFile[]> {
  let loaded: Promise<readonly FoundFile[]> | undefined;
  return () => {
    if (model.account.isSpectator) return Promise.resolve([]);
    loaded ??= getAttachments(connection).then(({ attachments }) =>
      attachments.map((one) => ownFile(one, model.ownId)),
    );
    return loaded;
  };
}

function ownFile({ path_id, name, messages, create_time }: Attachment, ownId: number): FoundFile {
  const newest = messages.reduce((most, { id }) => Math.max(most, id), 0);
  return {
    path: `${UPLOADS}${path_id}`,
    name,
    messageId: newest === 0 ? undefined : newest,
    senderId: ownId,
    timestamp: create_time / 1000,
  };
}

/** Files of messages whose texts have these words. */
async function postedFiles({ model }: App, query: string): Promise<readonly FoundFile[]> {
  const narrow: Narrow = [
    { operator: 'has', operand: 'attachment' },
    { operator: 'search', operand: query },
  ];
  const records = await model.cache.newestMatches(narrow, READ_MESSAGES_PER_SEARCH);
  return records.flatMap(filesOf);
}

function filesOf({ id, content, senderId, timestamp }: MessageRecord): FoundFile[] {
  const links = [...fragmentToRead(content).querySelectorAll<HTMLAnchorElement>(`a[href*="${UPLOADS}"]`)];
  return links.flatMap((link) => {
    const path = new URL(link.getAttribute('href') ?? '', window.location.origin).pathname;
    const name = link.textContent.trim() || decodeURIComponent(path.split('/').at(-1) ?? '');
    return path.startsWith(UPLOADS) ? { path, name, messageId: id, senderId, timestamp } : [];
  });
}
