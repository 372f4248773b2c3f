import type { Connection } from '@heddle/client/calls/connection.ts';
import type { UploadRecord } from '@heddle/client/calls/uploads.ts';
import { Subject } from '@heddle/client/model/changes.ts';
import { t } from '../../base/i18n.ts';
import { loadedCode } from '../../base/load-code.ts';
import { type LiveSession, liveSessions } from '../drafts/live-sessions.ts';
import { insertOnOwnLine, linkTo, textOfLink } from './file-links.ts';

const loadTransfer = () => loadedCode(() => import('./transfer.ts'));

/** How many files are sent at a time. */
const MAX_CONCURRENT_UPLOADS = 2;

/** How many uploaded pictures show a thumbnail in texts that are not sent. */
const MAX_KEPT_PICTURES = 50;

/** Types of which browsers show thumbnails. */
const THUMBNAILS = /^image\/(?:avif|gif|jpeg|png|webp)$/;

const MIB_BYTES = 1024 * 1024;

/** A file on its way into a message. Immutable: a change makes a new object. */
export interface Upload {
  readonly id: string;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly sent: number;
  /** `waiting`: other files come first. */
  readonly state: 'waiting' | 'running' | 'failed' | 'done';
  /** The address of the picture in this page, for a thumbnail. */
  readonly preview?: string;
  /** The size before the picture was scaled down, in bytes. */
  readonly originalSize?: number;
  /** Why it failed, and whether another attempt makes sense. */
  readonly problem?: string;
  readonly canRetry?: boolean;
  /** Stands in the text until the link replaces it. Pictures stay here with their link, until the message is sent. */
  readonly placeholder: string;
}

interface Entry {
  upload: Upload;
  readonly original: File;
  readonly session: LiveSession;
  ending: AbortController;
  /** Whether the user wants the picture as it is. */
  wantsOriginal?: boolean;
  record?: UploadRecord;
}

/**
 * The files that are being uploaded from this page. They continue while the user is in another conversation: the link
 * then replaces the placeholder in the draft.
 */
export class Uploads {
  readonly changes = new Subject();
  readonly #connection: Connection;
  readonly #maxBytes: () => number | undefined;
  readonly #entries = new Map<string, Entry>();
  #running = 0;
  #made = 0;

  /** @param maxMib the largest size of a file; undefined if only the server knows it */
  constructor(connection: Connection, maxMib: () => number | undefined) {
    this.#connection = connection;
    this.#maxBytes = () => {
      const mib = maxMib();
      return mib === undefined ? undefined : mib * MIB_BYTES;
    };
  }

  /** The uploads whose placeholders are in the text. */
  of(text: string): readonly Upload[] {
    return [...this.#entries.values()]
      .map(({ upload }) => upload)
      .filter(({ placeholder }) => text.includes(placeholder));
  }

  /** Resolves when no file of the text is on its way, with one that failed. The text is read again after each change. */
  async settled(textNow: () => string): Promise<Upload | undefined> {
    for (;;) {
      const found = this.of(textNow());
      if (!found.some(isOnItsWay)) return found.find(({ state }) => state === 'failed');
      await this.nextChange();
    }
  }

  /** Inserts placeholders at the cursor, and begins. */
  add(session: LiveSession, files: readonly File[]): void {
    for (const file of files) {
      this.#made += 1;
      const id = String(this.#made);
      const placeholder = this.#placeholderOf(file.name);
      const preview = THUMBNAILS.test(file.type) ? { preview: URL.createObjectURL(file) } : {};
      const upload: Upload = {
        id,
        name: file.name,
        size: file.size,
        sent: 0,
        state: 'waiting',
        placeholder,
        ...preview,
      };
      const entry: Entry = { upload, original: file, session, ending: new AbortController() };
      this.#entries.set(id, entry);
      insertOnOwnLine(session, placeholder);
      if (!this.#mayShrink(entry)) void this.#refuseTooLarge(entry);
    }
    this.#startNext();
    this.changes.changed();
  }

  /** Ends the upload, and removes it from the text. */
  cancel(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    entry.ending.abort();
    this.#drop(entry);
    if (!replaceInTexts(entry, `${entry.upload.placeholder}\n`, ''))
      replaceInTexts(entry, entry.upload.placeholder, '');
    // The server deletes it after a day anyway.
    const { record } = entry;
    if (record !== undefined) {
      loadTransfer()
        .then(({ discardUpload }) => discardUpload(this.#connection, record))
        .catch(() => undefined);
    }
    this.changes.changed();
  }

  /** Uploads the picture again, as it was before it was scaled down. */
  sendOriginal(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.upload.originalSize === undefined) return;
    entry.ending.abort();
    entry.ending = new AbortController();
    entry.wantsOriginal = true;
    delete entry.record;
    const { originalSize: size, placeholder: before, ...rest } = entry.upload;
    const placeholder = rest.state === 'done' ? this.#placeholderOf(rest.name) : before;
    entry.upload = { ...rest, size, sent: 0, state: 'waiting', placeholder };
    if (placeholder !== before) replaceInTexts(entry, before, placeholder);
    this.#startNext();
    this.changes.changed();
  }

  /** The text was sent. Its pictures are shown by the message now. */
  forget(text: string): void {
    for (const entry of this.#entries.values()) {
      if (entry.upload.state === 'done' && text.includes(entry.upload.placeholder)) this.#drop(entry);
    }
  }

  /** Resolves when an upload has changed. */
  nextChange(): Promise<void> {
    return new Promise((resolve) => {
      const end = this.changes.subscribe(() => {
        end();
        resolve();
      });
    });
  }

  retry(id: string): void {
    const entry = this.#entries.get(id);
    if (entry?.upload.state !== 'failed') return;
    this.#change(entry, { state: 'waiting' });
    this.#startNext();
  }

  #mayShrink({ wantsOriginal, upload }: Entry): boolean {
    return isPhone() && !wantsOriginal && upload.preview !== undefined;
  }

  /** Says so at once, and not only when the files before it are uploaded. */
  async #refuseTooLarge(entry: Entry): Promise<void> {
    const maxBytes = this.#maxBytes();
    if (maxBytes === undefined || entry.original.size <= maxBytes) return;
    const { tooLarge } = await loadTransfer();
    if (entry.upload.state === 'waiting') this.#change(entry, { state: 'failed', ...tooLarge(maxBytes) });
  }

  #startNext(): void {
    for (const entry of this.#entries.values()) {
      if (this.#running >= MAX_CONCURRENT_UPLOADS) return;
      if (entry.upload.state === 'waiting') void this.#run(entry);
    }
  }

  async #run(entry: Entry): Promise<void> {
    this.#running += 1;
    const { signal } = entry.ending;
    this.#change(entry, { state: 'running' });
    const code = await loadTransfer();
    try {
      // Phones scale pictures down first, unless the user wants the original.
      const { original } = entry;
      const file = this.#mayShrink(entry) ? await code.scaled(original) : original;
      if (file !== original) this.#change(entry, { size: file.size, originalSize: original.size });
      const maxBytes = this.#maxBytes();
      if (maxBytes !== undefined && file.size > maxBytes) {
        this.#change(entry, { state: 'failed', ...code.tooLarge(maxBytes) });
        return;
      }
      if (signal.aborted) return;
      const { url, filename } = await code.upload(this.#connection, file, {
        signal,
        record: entry.record,
        onRecord: (record) => {
          if (!signal.aborted) entry.record = record;
        },
        onProgress: ({ sent }) => !signal.aborted && this.#change(entry, { sent }),
      });
      if (signal.aborted) return;
      const link = linkTo(filename, url);
      replaceInTexts(entry, entry.upload.placeholder, link);
      delete entry.record;
      this.#change(entry, { state: 'done', placeholder: link });
      if (entry.upload.preview === undefined) this.#drop(entry);
      else this.#dropOldest();
    } catch (error) {
      if (!signal.aborted) this.#change(entry, { state: 'failed', ...code.failureOf(error) });
    } finally {
      this.#running -= 1;
      this.#startNext();
      this.changes.changed();
    }
  }

  #drop({ upload: { id, preview } }: Entry): void {
    this.#entries.delete(id);
    if (preview !== undefined) URL.revokeObjectURL(preview);
  }

  /** Texts that are never sent keep their pictures for a while. */
  #dropOldest(): void {
    const done = [...this.#entries.values()].filter(({ upload }) => upload.state === 'done');
    for (const entry of done.slice(0, -MAX_KEPT_PICTURES)) this.#drop(entry);
  }

  #change(entry: Entry, change: Partial<Upload>): void {
    const { problem: _, canRetry: __, ...rest } = entry.upload;
    entry.upload = { ...rest, ...change };
    this.changes.changed();
  }

  /** No two placeholders are equal. */
  #placeholderOf(name: string): string {
    const label = t('Uploading {name}', { name: textOfLink(name) });
    const taken = new Set([...this.#entries.values()].map(({ upload }) => upload.placeholder));
    for (let number = 1; ; number += 1) {
      const placeholder = `[${label}${number === 1 ? '' : ` (${number})`}…]()`;
      if (!taken.has(placeholder)) return placeholder;
    }
  }
}

export function isOnItsWay({ state }: Upload): boolean {
  return state === 'waiting' || state === 'running';
}

function isPhone(): boolean {
  return window.matchMedia('(pointer: coarse)').matches;
}

/** What stands in texts for files that are on their way. */
export const PLACEHOLDERS = /\[([^[\]\n]+…)\]\(\)\n?/g;

/** Placeholders of uploads that ended with their page. */
export function withoutStalePlaceholders(text: string, uploads: Uploads): string {
  const living = uploads.of(text).map(({ placeholder }) => placeholder);
  return text.replaceAll(PLACEHOLDERS, (found) => (living.includes(found.trimEnd()) ? found : ''));
}

/** Replaces in the text that the user sees, or else in the draft. */
function replaceInTexts({ session }: Entry, part: string, text: string): boolean {
  for (const live of liveSessions) {
    if (!live.text.replaceOnce(part, text)) continue;
    // The user does not type in a message that waits, so nothing else stores it.
    live.save();
    return true;
  }
  return session.replaceStored(part, text);
}
