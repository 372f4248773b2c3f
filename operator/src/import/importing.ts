import { rm } from 'node:fs/promises';
import { features } from '@heddle/server/all-features.ts';
import type { ConnectionSettings } from '@heddle/server/db/connection-settings.ts';
import { loadDirectoryFrom } from '@heddle/server/directory/load.ts';
import type { AppContext } from '@heddle/server/extension/app-context.ts';
import type { ExportedTable } from '@heddle/server/extension/exports.ts';
import { tablesInOrder } from '@heddle/server/features/data-export/building.ts';
import { readShapes } from '@heddle/server/features/data-export/rows.ts';
import type { Bus } from '@heddle/server/log/bus/bus.ts';
import type pg from 'pg';
import { openBackupConnection } from '../backup/tables.ts';
import { type AdaptingContext, adaptOrganization, adaptRow } from './adapting.ts';
import { beginImport, cancelImport, hiddenSubdomain, lockSubdomain } from './beginning.ts';
import { type Column, storableJson } from './copy-text.ts';
import { storeFiles } from './files.ts';
import { type Adapted, explained, type Filling, fillTables } from './filling.ts';
import { type Ending, finishImport } from './finishing.ts';
import { keepPinLimits } from './pin-limits.ts';
import type { ImportReport, ReportLine } from './report.ts';
import { workDirectoryOf } from './session.ts';
import type { ImportSession } from './session-type.ts';
import { ImportError, type ImportSource, NO_ROW, SOURCE_PATH, type SourceRow } from './source.ts';

export interface ImportContext
  extends Pick<AppContext, 'config' | 'db' | 'organizations' | 'pool' | 'secret' | 'storage'> {
  readonly bus: Bus;
}

export interface ImportOptions {
  /** The name of the organization; undefined: that of the archive. It must be valid. */
  readonly name?: string | undefined;
  readonly report: ImportReport;
  readonly progress: Filling['report'];
  readonly signal: AbortSignal;
  /** Further work of the last step. */
  readonly ending?: (imported: Imported) => Ending;
}

export interface Imported {
  readonly organizationId: number;
  readonly rows: Readonly<Record<string, number>>;
  readonly lines: readonly ReportLine[];
  /** Messages of the archive that were not imported; the lines say why. Notices of a program itself do not count. */
  readonly messagesLeftOut: number;
  /** Whether an interrupted import was continued. */
  readonly isContinued: boolean;
}

/**
 * Fills a new organization from the source. The organization is not reachable before the last step. An interrupted import continues when this runs again
 * with the same archive.
 * @throws ImportError
 */
export async function importInto(
  app: ImportContext,
  session: ImportSession,
  source: ImportSource,
  options: ImportOptions,
): Promise<Imported> {
  const { client, subdomain } = session;
  const { name, report, progress, signal, ending } = options;
  const { organizationId, done } = await beginImport(client, session, source.fingerprint);
  const columns = await writtenColumns(app);
  for (const table of source.tables) {
    if (!columns.has(table)) report.skipNamed('Tables that this version does not know', table);
  }
  const found = await organizationOf(source);
  const organization: SourceRow = name === undefined ? found : { ...found, name };
  const adapting: AdaptingContext = {
    organizationId,
    subdomain: hiddenSubdomain(subdomain),
    secret: app.secret,
    imagePreviews: app.config.imagePreviews,
    lastMessageId: source.lastMessageId,
    lastEventId: source.lastEventId,
    report,
    users: await importedUsers(client, organizationId),
    fields: await importedFields(client, organizationId),
  };
  await updateOrganization(client, columns, adaptOrganization(adapting, organization));
  const adapt = adapterFor(app, source, adapting, columns);
  const attached: Record<string, number> = {};
  const filled = await fillTables({
    client,
    organizationId,
    source: { ...source, ...withoutOrganization(source) },
    done,
    columns,
    adapt,
    report: progress,
    countAttached: (table, count) => {
      attached[table] = (attached[table] ?? 0) + count;
    },
    signal,
  });
  await setBotOwners(client, organizationId, source).catch((error: unknown) => {
    throw explained(error, 'users, bot_owner_id');
  });
  await keepPinLimits(client, organizationId, report);
  const messages = await countMessages(client, organizationId);
  const imported: Imported = {
    organizationId,
    rows: { ...filled, ...attached, ...(filled.messages !== undefined && { messages }) },
    lines: report.lines,
    messagesLeftOut: report.skippedMessages + (filled.messages ?? 0) - messages,
    isContinued: Object.keys(done).length > 0,
  };
  await finishImport({
    client,
    pool: app.pool,
    organizationId,
    subdomain,
    source,
    // Somebody who replaces their organization wants to use it.
    deactivatedAt: session.replaces === undefined ? organization.deactivated_at : null,
    load: (db) =>
      loadDirectoryFrom(db, organizationId, app.organizations.directoryParts).catch((error: unknown) => {
        throw explained(error, 'the organization as a whole');
      }),
    ending: ending?.(imported),
  });
  app.bus.publish(organizationId);
  return imported;
}

/** Those of an earlier run too. */
async function countMessages(client: pg.Client, organizationId: number): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM messages WHERE organization_id = $1',
    [organizationId],
  );
  return rows[0]?.count ?? 0;
}

/** Removes an interrupted import. Returns whether there was one. */
export async function cancelInterrupted(
  app: Pick<ImportContext, 'config' | 'db'> & { readonly connection: ConnectionSettings },
  subdomain: string,
): Promise<boolean> {
  const client = await openBackupConnection(app.connection, 'heddle import');
  try {
    await lockSubdomain(client, subdomain);
    await rm(workDirectoryOf(app.config, subdomain), { recursive: true, force: true });
    const shapes = await app.db.transaction().execute((db) => readShapes(db));
    const exported = exportedTables().map(({ table }) => table);
    const others = [...shapes.keys()].filter((name) => !exported.includes(name) && name !== 'imports');
    return await cancelImport(client, subdomain, [...exported, ...others]);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function exportedTables(): readonly ExportedTable[] {
  return tablesInOrder(
    features.flatMap(({ exports = [] }) => exports).filter((one): one is ExportedTable => 'fields' in one),
  );
}

/** The columns that an import writes: those of an export, and those that it withholds. */
async function writtenColumns({ db }: Pick<ImportContext, 'db'>): Promise<ReadonlyMap<string, readonly Column[]>> {
  const shapes = await db.transaction().execute((transaction) => readShapes(transaction));
  return new Map(
    exportedTables().map(({ table, fields, withheld = {} }) => {
      const written = new Set(['organization_id', ...fields, ...Object.keys(withheld)]);
      return [table, (shapes.get(table)?.columns ?? []).filter(({ name }) => written.has(name))];
    }),
  );
}

async function organizationOf(source: ImportSource): Promise<SourceRow> {
  for await (const row of source.rows('organizations')) return row;
  throw new ImportError('The archive has no organization.');
}

/** The row exists already. */
function withoutOrganization(source: ImportSource) {
  return {
    tables: source.tables.filter((table) => table !== 'organizations'),
    rows: (table: string, after?: number) => source.rows(table, after),
    countOf: (table: string) => source.countOf(table),
    file: (row: SourceRow) => source.file(row),
  };
}

async function updateOrganization(
  client: pg.Client,
  columns: ReadonlyMap<string, readonly Column[]>,
  row: SourceRow,
): Promise<void> {
  const written = (columns.get('organizations') ?? []).filter(
    ({ name }) => name !== 'id' && name !== 'told_server' && row[name] !== undefined,
  );
  const values = written.map(({ name, type }) => {
    const value = row[name];
    if (type === 'jsonb' && value !== null) return storableJson(value);
    return typeof value === 'string' ? value.replaceAll('\0', '') : value;
  });
  const sets = written.map(({ name }, index) => `"${name}" = $${index + 2}`);
  try {
    await client.query(`UPDATE organizations SET ${sets.join(', ')} WHERE id = $1`, [row.id, ...values]);
  } catch (error) {
    throw explained(error, 'organizations');
  }
}

/** Owners that one statement sets. */
const MAX_OWNERS_AT_ONCE = 1000;

/** Only when all users exist, because a bot can come before its owner. */
async function setBotOwners(client: pg.Client, organizationId: number, source: ImportSource): Promise<void> {
  let bots: { readonly id: unknown; readonly owner: unknown }[] = [];
  const flush = async () => {
    await client.query(
      `UPDATE users SET bot_owner_id = owned.owner FROM unnest($2::integer[], $3::integer[]) AS owned (id, owner)
        WHERE organization_id = $1 AND users.id = owned.id`,
      [organizationId, bots.map(({ id }) => id), bots.map(({ owner }) => owner)],
    );
    bots = [];
  };
  for await (const { id, bot_owner_id: owner } of source.rows('users')) {
    if (owner !== null && owner !== undefined) bots.push({ id, owner });
    if (bots.length === MAX_OWNERS_AT_ONCE) await flush();
  }
  await flush();
}

/** The users that an earlier run has imported. */
async function importedUsers(client: pg.Client, organizationId: number): Promise<Set<number>> {
  const { rows } = await client.query<{ id: number }>('SELECT id FROM users WHERE organization_id = $1', [
    organizationId,
  ]);
  return new Set(rows.map(({ id }) => id));
}

/** The profile fields that an earlier run has imported. */
async function importedFields(client: pg.Client, organizationId: number): Promise<AdaptingContext['fields']> {
  const { rows } = await client.query<{ id: number; name: string; type: number; data: string }>(
    'SELECT id, name, type, data FROM profile_fields WHERE organization_id = $1',
    [organizationId],
  );
  return new Map(rows.map(({ id, ...field }) => [id, field]));
}

function adapterFor(
  { db, storage }: Pick<ImportContext, 'db' | 'storage'>,
  source: ImportSource,
  adapting: AdaptingContext,
  columns: ReadonlyMap<string, readonly Column[]>,
): Filling['adapt'] {
  const withheld = new Map(exportedTables().map((one) => [one.table, Object.keys(one.withheld ?? {})]));
  const known = new Map(
    [...columns].map(([table, some]) => {
      const names = new Set(some.map(({ name }) => name));
      for (const name of withheld.get(table) ?? []) names.delete(name);
      return [table, names];
    }),
  );
  return async (table, given): Promise<Adapted> => {
    const present = given.filter((row) => row !== NO_ROW);
    for (const row of present) {
      for (const field of Object.keys(row)) {
        if (known.get(table)?.has(field) === false && field !== SOURCE_PATH)
          adapting.report.skipNamed('Fields that this version does not know', `${table}.${field}`);
      }
    }
    const pairs = present.flatMap((row) => {
      const original = withoutFields(row, withheld.get(table) ?? []);
      const adapted = adaptRow(adapting, table, original);
      return adapted === undefined ? [] : [{ original, adapted }];
    });
    const rows = pairs.map(({ adapted }) => adapted);
    if (table !== 'attachments') return { rows };
    return { rows, keys: await storeFiles({ db, storage, source, report: adapting.report }, pairs) };
  };
}

/** No export has these fields. An archive with them could set the password of an owner, or name another file of the storage. */
function withoutFields(row: SourceRow, names: readonly string[]): SourceRow {
  if (!names.some((name) => name in row)) return row;
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
}
