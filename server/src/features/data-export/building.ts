import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { DbTransaction } from '../../db/schema.ts';
import { EXPORT, EXPORT_SNAPSHOT_TIMEOUT_MS } from '../../db/timeouts.ts';
import { allow } from '../../db/transaction.ts';
import type { AppContext } from '../../extension/app-context.ts';
import type { ExportedTable, TableExport } from '../../extension/exports.ts';
import type { Storage } from '../../storage/storage.ts';
import { HEDDLE_VERSION } from '../../version.ts';
import { Archive } from './archive.ts';
import { copyFiles, type NamedFiles } from './files.ts';
import { EXPORT_FORMAT_VERSION, type Manifest, TYPE_NAMES, writeManifest } from './manifest.ts';
import type { ExportedOrganization } from './queries.ts';
import { type ReadRow, readRows, readShapes } from './rows.ts';
import { readScope } from './scope.ts';

const REPORT_EVERY_MS = 10_000;

export interface Building {
  readonly row: ExportedOrganization;
  readonly key: string;
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Where the archive is stored. Default: the storage of the server. */
  readonly target?: Pick<Storage, 'put'>;
  /** Default: the log has a line now and then. */
  readonly report?: (progress: ExportProgress) => void;
  readonly snapshotTimeoutMs?: number;
}

/** The table that is written, with the rows of it that are complete, or the number of files that are copied. */
export interface ExportProgress {
  readonly table?: string;
  readonly rows?: number;
  readonly files?: number;
}

/**
 * Stores the archive of an export and returns its size.
 *
 * 1. It writes all rows from one snapshot.
 * 2. It copies the files that these rows name. Files never change, and one that was deleted meanwhile is reported as missing.
 * 3. It writes the manifest.
 */
export function buildArchive(
  app: Pick<AppContext, 'background' | 'db' | 'storage'>,
  exports: readonly TableExport[],
  building: Building,
): Promise<number> {
  const { row, key, signal, log, target = app.storage, snapshotTimeoutMs = EXPORT_SNAPSHOT_TIMEOUT_MS } = building;
  const report = building.report ?? reporter(log, row.id);
  const tables = tablesInOrder(exports.filter((one): one is ExportedTable => 'fields' in one));
  return Archive.store(target, key, signal, async (archive) => {
    const { named, ...facts } = await withTimeout(snapshotTimeoutMs, signal, (over) =>
      writeRows(app, tables, { row, archive, signal: over, log, report }),
    );
    const copied = await copyFiles(app, row.organization_id, { named, archive, report });
    const head = {
      format: EXPORT_FORMAT_VERSION,
      heddle: HEDDLE_VERSION,
      type: TYPE_NAMES[row.type],
      requested_at: row.requested_at.toISOString(),
      ...facts,
    } as const;
    await archive.add('manifest.json', writeManifest(head, copied));
  });
}

/** Tables to which others refer come first, in this order. */
const FIRST = [
  'organizations',
  'users',
  'user_groups',
  'channel_folders',
  'channels',
  'direct_conversations',
  'messages',
];

export function tablesInOrder(tables: readonly ExportedTable[]): readonly ExportedTable[] {
  const first = FIRST.flatMap((name) => tables.filter(({ table }) => table === name));
  return [...first, ...tables.filter((one) => !first.includes(one))];
}

interface Written extends Pick<Manifest, 'migration' | 'snapshot_at' | 'last_event_id' | 'last_message_id' | 'tables'> {
  readonly named: readonly NamedFiles[];
}

function writeRows(
  { background }: Pick<AppContext, 'background'>,
  tables: readonly ExportedTable[],
  {
    row,
    archive,
    signal,
    log,
    report,
  }: Pick<Building, 'row' | 'signal' | 'log'> & Required<Pick<Building, 'report'>> & { readonly archive: Archive },
): Promise<Written> {
  const { organization_id: organizationId, type } = row;
  const snapshot = background.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return snapshot.execute(async (db) => {
    await allow(db, EXPORT);
    // All rows of a cursor are read, so the plan need not return the first ones early.
    await sql`SELECT set_config('TimeZone', 'UTC', true), set_config('cursor_tuple_fraction', '1', true)`.execute(db);
    const facts = await readFacts(db, organizationId);
    const shapes = await readShapes(db);
    const scope = await readScope(db, organizationId, type);
    const written: Manifest['tables'][number][] = [];
    const named: NamedFiles[] = [];
    const watch = (progress: ExportProgress) => {
      signal.throwIfAborted();
      report(progress);
    };
    for (const exported of tables) {
      const { table, files } = exported;
      const shape = shapes.get(table);
      if (shape === undefined) throw new Error(`there is no table ${table}`);
      const counted = { table, rows: 0, ids: [] as number[] };
      const batches = readRows(db, organizationId, { exported, shape, scope });
      const file = await archive.add(`${table}.jsonl`, linesOf(batches, counted, watch), { signal });
      written.push({ ...file, rows: counted.rows });
      if (files !== undefined) named.push({ table, files, ids: counted.ids });
    }
    log.info({ export: row.id, rows: written.reduce((sum, { rows }) => sum + rows, 0) }, 'a data export has all rows');
    return { ...facts, tables: written, named };
  });
}

/** Calls `act` with a signal that is also aborted after this time. */
async function withTimeout<Result>(
  milliseconds: number,
  signal: AbortSignal,
  act: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const late = new AbortController();
  const timer = setTimeout(
    () => late.abort(new Error(`the snapshot lasted longer than ${milliseconds / 1000} s`)),
    milliseconds,
  );
  return act(AbortSignal.any([signal, late.signal])).finally(() => clearTimeout(timer));
}

/** Counts the rows, and collects the ids of those with files. */
async function* linesOf(
  batches: AsyncIterable<readonly ReadRow[]>,
  counted: { readonly table: string; rows: number; readonly ids: number[] },
  watch: (progress: ExportProgress) => void,
): AsyncGenerator<Buffer> {
  for await (const batch of batches) {
    watch({ table: counted.table, rows: counted.rows });
    counted.rows += batch.length;
    for (const { file } of batch) if (file !== null) counted.ids.push(file);
    yield Buffer.from(batch.map(({ line }) => `${line}\n`).join(''));
  }
}

/** Logs the progress of a long export now and then. */
function reporter(log: Logger, id: number): (progress: ExportProgress) => void {
  let last = performance.now();
  return (progress) => {
    if (performance.now() - last < REPORT_EVERY_MS) return;
    last = performance.now();
    log.info({ export: id, ...progress }, 'a data export is being made');
  };
}

type Facts = Pick<Manifest, 'migration' | 'snapshot_at' | 'last_event_id' | 'last_message_id'>;

async function readFacts(db: DbTransaction, organizationId: number): Promise<Facts> {
  const { rows } = await sql<Facts>`
    SELECT (SELECT max(name) FROM kysely_migration) AS migration, to_json(now()) #>> '{}' AS snapshot_at,
           head AS last_event_id, message_head AS last_message_id
      FROM logs WHERE organization_id = ${organizationId}`.execute(db);
  const [facts] = rows;
  if (facts === undefined) throw new Error(`organization ${organizationId} has no log`);
  return facts;
}
