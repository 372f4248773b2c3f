import type { Connection } from '@heddle/client/calls/connection.ts';
import { UnexpectedAnswerError } from '@heddle/client/calls/errors.ts';
import { discardUpload, UploadError, type UploadRecord, uploadFile } from '@heddle/client/calls/uploads.ts';
import { Subject } from '@heddle/client/model/changes.ts';
import { t } from '../../base/i18n.ts';
import { formatBytes } from '../../base/i18n-formats.ts';
import { type LiveSession, liveSessions } from '../drafts/live-sessions.ts';
import { problemOf } from '../problems.ts';

/** How many files are sent at a time. */
const MAX_CONCURRENT_UPLOADS = 2;

const MIB_BYTES = 1024 * 1024;

/** A file on its way into a message. Immutable: a change makes a new object. */
export interface Upload {
  readonly id: string;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly sent: number;
  /** `waiting`: other files come first. */
  readonly state: 'waiting' | 'running' | 'failed';
  /** Why it failed, and whether another attempt makes sense. */
  readonly problem?: string;
  readonly canRetry?: boolean;
  /** Stands in the text until the link replaces it. */
  readonly placeholder: string;
}

interface Entry {
  upload: Upload;
  readonly file: File;
  readonly session: LiveSession;
  readonly ending: AbortController;
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
      await new Promise<void>((resolve) => {
        const end = this.changes.subscribe(() => {
          end();
          resolve();
        });
      });
    }
  }

  /** Inserts placeholders at the cursor, and begins. */
  add(session: LiveSession, files: readonly File[]): void {
    const maxBytes = this.#maxBytes();
    for (const file of files) {
      this.#made += 1;
      const id = String(this.#made);
      const placeholder = this.#placeholderOf(file.name);
      const upload: Upload = { id, name: file.name, size: file.size, sent: 0, state: 'waiting', placeholder };
      const entry: Entry = { upload, file, session, ending: new AbortController() };
      this.#entries.set(id, entry);
      insertOnOwnLine(session, placeholder);
      if (maxBytes !== undefined && file.size > maxBytes) this.#tooLarge(entry, maxBytes);
    }
    this.#startNext();
    this.changes.changed();
  }

  /** Ends the upload, and removes it from the text. */
  cancel(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    entry.ending.abort();
    this.#entries.delete(id);
    if (!replaceInTexts(entry, `${entry.upload.placeholder}\n`, ''))
      replaceInTexts(entry, entry.upload.placeholder, '');
    // The server deletes it after a day anyway.
    if (entry.record !== undefined) discardUpload(this.#connection, entry.record).catch(() => undefined);
    this.changes.changed();
  }

  retry(id: string): void {
    const entry = this.#entries.get(id);
    if (entry?.upload.state !== 'failed') return;
    this.#change(entry, { state: 'waiting' });
    this.#startNext();
  }

  #tooLarge(entry: Entry, maxBytes: number): void {
    const problem = t('The file is too large. The limit is {limit}.', { limit: formatBytes(maxBytes) });
    this.#change(entry, { state: 'failed', problem, canRetry: false });
  }

  #startNext(): void {
    for (const entry of this.#entries.values()) {
      if (this.#running >= MAX_CONCURRENT_UPLOADS) return;
      if (entry.upload.state === 'waiting') void this.#run(entry);
    }
  }

  async #run(entry: Entry): Promise<void> {
    this.#running += 1;
    this.#change(entry, { state: 'running' });
    try {
      const { url, filename } = await uploadFile(this.#connection, entry.file, {
        signal: entry.ending.signal,
        record: entry.record,
        onRecord: (record) => {
          entry.record = record;
        },
        onProgress: ({ sent }) => this.#change(entry, { sent }),
      });
      this.#entries.delete(entry.upload.id);
      replaceInTexts(entry, entry.upload.placeholder, linkTo(filename, url));
    } catch (error) {
      if (!entry.ending.signal.aborted) this.#failed(entry, error);
    } finally {
      this.#running -= 1;
      this.#startNext();
      this.changes.changed();
    }
  }

  #failed(entry: Entry, error: unknown): void {
    if (error instanceof UploadError && error.reason === 'too-large' && error.maxSize !== undefined) {
      this.#tooLarge(entry, error.maxSize);
    } else if (error instanceof UploadError && error.reason === 'quota') {
      this.#change(entry, {
        state: 'failed',
        problem: t('Your organization has no space left for files.'),
        canRetry: false,
      });
    } else if (error instanceof UnexpectedAnswerError && error.status === 413) {
      // A proxy before the server refuses it, and does not say what it allows.
      this.#change(entry, { state: 'failed', problem: t('The file is too large for the server.'), canRetry: false });
    } else {
      const problem = error instanceof UploadError ? error.message : problemOf(error);
      this.#change(entry, { state: 'failed', problem, canRetry: true });
    }
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

/** Placeholders of uploads that ended with their page. */
export function withoutStalePlaceholders(text: string, uploads: Uploads): string {
  const living = uploads.of(text).map(({ placeholder }) => placeholder);
  return text.replaceAll(/\[[^[\]\n]+…\]\(\)\n?/g, (found) => (living.includes(found.trimEnd()) ? found : ''));
}

/** Files stand on lines of their own, because the server shows previews for them. */
function insertOnOwnLine({ text }: LiveSession, placeholder: string): void {
  const { start } = text.selection;
  const before = text.value.slice(0, start);
  text.insert(`${before === '' || before.endsWith('\n') ? '' : '\n'}${placeholder}\n`);
}

/** Replaces in the text that the user sees, or else in the draft. */
function replaceInTexts({ session }: Entry, part: string, text: string): boolean {
  for (const live of liveSessions) if (live.text.replaceOnce(part, text)) return true;
  return session.replaceStored(part, text);
}

/** The text of a link has no brackets, so that it stays one link. */
function textOfLink(name: string): string {
  return name.replaceAll(/[[\]\n]/g, ' ').trim();
}

function linkTo(name: string, url: string): string {
  return `[${textOfLink(name)}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`;
}
