import { getAttachments } from '@heddle/client/calls/operations.ts';
import type { Attachment } from '@heddle/client/calls/types.ts';
import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import type { Narrow } from '@heddle/client/model/messages/narrow.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import { type App, useApp } from '../base/app.tsx';
import { matcherOf } from '../base/text-filter.ts';
import { nameOf } from '../content/media.ts';
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
  const [found, setFound] = useState<readonly FoundFile[]>([]);
  const query = text.trim();
  const search = useEffectEvent(async (isOver: () => boolean) => {
    const [own, posted] = await Promise.all([ownFiles(app).catch(() => []), postedFiles(app, query).catch(() => [])]);
    if (isOver()) return;
    const matches = matcherOf(query);
    const files = new Map<string, FoundFile>();
    for (const file of [...posted, ...own]) if (matches(file.name) && !files.has(file.path)) files.set(file.path, file);
    setFound([...files.values()].sort((a, b) => b.timestamp - a.timestamp).slice(0, MAX_FILES));
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
  return query.length < MIN_QUERY_LENGTH_CHARACTERS ? [] : found.filter(({ name }) => matches(name));
}

interface OwnFiles {
  /** The version of the list, as the events of the model count it. */
  readonly version: number;
  readonly files: Promise<readonly FoundFile[]>;
}

const loaded = new WeakMap<Model, OwnFiles>();

/** The user's own files. They are loaded again after a change, and after a failure. */
function ownFiles({ connection, model }: App): Promise<readonly FoundFile[]> {
  if (model.account.isSpectator) return Promise.resolve([]);
  const version = model.fetchedLists.attachments.read();
  const known = loaded.get(model);
  if (known?.version === version) return known.files;
  const files = getAttachments(connection).then(({ attachments }) =>
    attachments.map((one) => ownFile(one, model.ownId)),
  );
  loaded.set(model, { version, files });
  files.catch(() => loaded.get(model)?.files === files && loaded.delete(model));
  return files;
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
  const links = [...fragmentToRead(content).querySelectorAll(`a[href^="${UPLOADS}"]`)];
  return links.map((link) => {
    const path = (link.getAttribute('href') ?? '').replace(/[?#].*$/, '');
    return { path, name: nameOf(path, link.textContent?.trim()), messageId: id, senderId, timestamp };
  });
}
