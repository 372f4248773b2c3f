/** Imports an archive that the owner of a new organization has uploaded. Its row in `organization_imports` says what to do, and shows how it goes. */
import { createWriteStream } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ApiError } from '@heddle/api/errors.ts';
import type { ConnectionSettings } from '@heddle/server/db/connection-settings.ts';
import { recordFailure, recordProgress } from '@heddle/server/domain/joining/organization-imports/actions.ts';
import { findImport, type ImportRow } from '@heddle/server/domain/joining/organization-imports/queries.ts';
import { findOwner, finishReplacement } from '@heddle/server/domain/joining/organization-imports/replacing.ts';
import type { ImportProgress } from '@heddle/server/domain/joining/organization-imports/tables.ts';
import type { OpenApp } from '@heddle/server/open-app.ts';
import type { Ending } from './finishing.ts';
import { formats } from './formats.ts';
import { cancelInterrupted, type Imported, importInto } from './importing.ts';
import { movedRows } from './moved-rows.ts';
import { ImportReport } from './report.ts';
import { withImportSession } from './session.ts';
import type { ImportSession } from './session-type.ts';
import { BusyImportError, ImportError } from './source.ts';

/** How often the row gets the progress, and this process learns that the import was cancelled. */
const RECORD_INTERVAL_MS = 500;

export interface UploadedImport {
  readonly app: OpenApp;
  readonly connection: ConnectionSettings;
  readonly organizationId: number;
  /** Interrupts the import, which can continue later. */
  readonly signal: AbortSignal;
}

/**
 * Runs the import, and records how it ends. If it is interrupted, nothing is recorded, and the next call continues it.
 * @throws what interrupted it
 */
export async function importUploaded(
  given: UploadedImport,
): Promise<'done' | 'failed' | 'cancelled' | 'not running' | 'busy'> {
  const { app, connection, organizationId, signal } = given;
  const [begun, organization] = await Promise.all([
    findImport(app.db, organizationId),
    app.db.selectFrom('organizations').select('subdomain').where('id', '=', organizationId).executeTakeFirst(),
  ]);
  if (organization === undefined || (begun?.state !== 'running' && begun?.state !== 'stopping')) return 'not running';
  const { subdomain } = organization;
  const remove = () => cancelInterrupted({ ...app, connection }, subdomain);
  const records = new Records(app, organizationId);
  try {
    if (begun.state === 'stopping') throw new CancelledError();
    const running = { ...given, signal: AbortSignal.any([signal, records.cancelled]) };
    await withImportSession({ config: app.config, connection }, { subdomain, replaces: organizationId }, (session) =>
      runIn(session, running, begun, records),
    );
    return 'done';
  } catch (error) {
    if (error instanceof BusyImportError) return 'busy';
    const isExpected = error instanceof CancelledError || error instanceof ImportError || error instanceof ApiError;
    if (!isExpected) throw error;
    await remove();
    return await recordFailure(app.db, organizationId, error.message);
  } finally {
    records.stop();
  }
}

class CancelledError extends Error {
  override readonly name = 'CancelledError';
}

async function runIn(
  session: ImportSession,
  { app, organizationId, signal }: UploadedImport,
  begun: ImportRow,
  records: Records,
): Promise<void> {
  const format = formats.find(({ name }) => name === begun.format);
  if (format === undefined) throw new ImportError(`This version cannot import ${begun.format}.`);
  const report = new ImportReport();
  const path = await archiveIn(session, app, begun);
  const progress = {
    show: (text: string) => {
      signal.throwIfAborted();
      records.reading(text);
    },
  };
  const { source, close } = await format.open({ path, app, session, report, progress, signal });
  await importInto(app, session, source, {
    ...{ report, signal, name: begun.organization_name ?? undefined },
    progress: ({ table, rows, of }) =>
      records.show({ stage: 'importing', table, done: rows, total: of === undefined ? null : Math.max(of, rows) }),
    ending: (imported) => replacement(app, organizationId, imported),
  }).finally(close);
}

/** The archive under a name with the ending of the uploaded file, because that tells the kinds of archives apart. */
async function archiveIn(
  { workDirectory }: ImportSession,
  { config, storage }: Pick<OpenApp, 'config' | 'storage'>,
  { storage_key: key, size, filename }: ImportRow,
): Promise<string> {
  if (key === null) throw new ImportError('There is no archive.');
  const [ending = '.zip'] = /\.(?:zip|tar|tar\.gz|tgz|jsonl?)$/i.exec(filename) ?? [];
  const path = join(workDirectory, `archive${ending.toLowerCase()}`);
  const stored = config.s3Bucket === null ? await storage.whole(key, size) : undefined;
  if (typeof stored === 'string') await symlink(stored, path);
  else if (size === 0) throw new ImportError('The archive is empty.');
  else await pipeline(await storage.get(key, { start: 0, end: size - 1 }), createWriteStream(path));
  return path;
}

/** The last step: the imported organization replaces the new one. */
function replacement(app: OpenApp, replacedId: number, imported: Imported): Ending {
  const { organizationId, rows, lines, messagesLeftOut } = imported;
  const both = { replacedId, organizationId };
  let found: number | undefined;
  return {
    async prepare(db) {
      found = await findOwner(db, both);
    },
    complete: (db, directory) =>
      finishReplacement(db, both, {
        ...{ directory, hooks: app.organizations.hooks, found },
        outcome: {
          imported: movedRows(rows),
          not_imported: lines.map((line) => ({ ...line, examples: [...line.examples] })),
          messages_left_out: messagesLeftOut,
        },
      }),
  };
}

/** Writes the newest progress into the row now and then. */
class Records {
  readonly #app: Pick<OpenApp, 'db' | 'log'>;
  readonly #organizationId: number;
  readonly #cancelled = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #newest: ImportProgress = { stage: 'reading', table: null, done: 0, total: null };
  #isWriting = false;

  constructor(app: Pick<OpenApp, 'db' | 'log'>, organizationId: number) {
    this.#app = app;
    this.#organizationId = organizationId;
    this.#timer = setInterval(() => void this.#write(), RECORD_INTERVAL_MS);
  }

  /** Aborted when somebody has cancelled the import. */
  get cancelled(): AbortSignal {
    return this.#cancelled.signal;
  }

  show(progress: ImportProgress): void {
    this.#newest = progress;
  }

  /** @param text has the number of files or rows */
  reading(text: string): void {
    this.show({ stage: 'reading', table: null, done: Number(/\d+/.exec(text)?.[0] ?? 0), total: null });
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #write(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    try {
      const goesOn = await recordProgress(this.#app.db, this.#organizationId, this.#newest);
      if (!goesOn) this.#cancelled.abort(new CancelledError());
    } catch (error) {
      this.#app.log.debug({ err: error }, 'the progress of an import could not be stored');
    } finally {
      this.#isWriting = false;
    }
  }
}
