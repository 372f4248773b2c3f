import type { Connection } from '@heddle/client/calls/connection.ts';
import { type StartImportParameters, startImport } from '@heddle/client/calls/operations.ts';
import { discardUpload, type UploadRecord, uploadFile } from '@heddle/client/calls/uploads.ts';
import { Subject } from '@heddle/client/model/changes.ts';
import { accountKey, writeLocal } from '../../base/account-storage.ts';
import { asPageWork } from '../../base/page-work.ts';
import { failureOf } from '../../compose/uploads/transfer.ts';

/** The archive on its way to the server. */
export interface Sending {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly sent: number;
  /** Why it stopped. The same file then continues where it was. */
  readonly problem?: string;
}

/** One upload of this page. It goes on while the user is in another view, and then starts the import. */
class ArchiveUpload {
  readonly changes = new Subject();
  #sending: Sending | undefined;
  #ending = new AbortController();

  get sending(): Sending | undefined {
    return this.#sending;
  }

  /** Sends the file. A file with the name and size of an interrupted upload continues it, also after a reload of the page. */
  send(connection: Connection, ownId: number, file: File, choices: StartImportParameters): Promise<void> {
    return asPageWork(() => this.#send(connection, ownId, file, choices));
  }

  async #send(connection: Connection, ownId: number, file: File, choices: StartImportParameters): Promise<void> {
    const key = accountKey(ownId, 'archive');
    const ending = new AbortController();
    this.#ending = ending;
    const { name, size } = file;
    this.#show({ name, size, sent: 0 });
    try {
      await uploadFile(connection, file, {
        purpose: 'import',
        signal: ending.signal,
        record: recordOf(key),
        onRecord: (record) => writeLocal(key, JSON.stringify(record)),
        onProgress: ({ sent }) => this.#show({ name, size, sent }),
      });
      writeLocal(key, undefined);
      await startImport(connection, choices);
      this.#show(undefined);
    } catch (error) {
      if (ending.signal.aborted) return;
      this.#show({ name, size, sent: this.#sending?.sent ?? 0, problem: failureOf(error).problem });
    }
  }

  /** Ends the upload, and deletes what the server has of it. */
  cancel(connection: Connection, ownId: number): void {
    const key = accountKey(ownId, 'archive');
    const record = recordOf(key);
    this.#ending.abort();
    writeLocal(key, undefined);
    this.#show(undefined);
    // The server deletes it after a day anyway.
    if (record !== undefined) discardUpload(connection, record).catch(() => undefined);
  }

  /** Shows the choice of a file again, after a failure. */
  close(): void {
    this.#show(undefined);
  }

  #show(sending: Sending | undefined): void {
    this.#sending = sending;
    this.changes.changed();
  }
}

export const archiveUpload = new ArchiveUpload();

/** The upload that an earlier page has begun. */
function recordOf(key: string): UploadRecord | undefined {
  try {
    const stored = localStorage.getItem(key);
    return stored === null ? undefined : (JSON.parse(stored) as UploadRecord);
  } catch {
    return undefined;
  }
}

/** The name of the file whose upload an earlier page has not finished. */
export function unfinishedUpload(ownId: number): string | undefined {
  return recordOf(accountKey(ownId, 'archive'))?.name;
}
