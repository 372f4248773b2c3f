/** Inserts uploaded files. Files that arrive together share one statement and one commit. */
import { deactivatedUser, uploadQuotaExceeded } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import { accountOf } from '../../access/bots.ts';
import type { Config } from '../../config.ts';
import { executePrepared } from '../../db/prepared.ts';
import type { DbTransaction } from '../../db/schema.ts';
import type { GroupedKind, ItemResult, OptimisticChange } from '../../directory/organization.ts';
import { addJobs } from '../../jobs/adding.ts';
import { attachmentEvent } from './events.ts';
import { drawThumbnails } from './job-kinds.ts';
import type { StoredPicture } from './picture.ts';
import { milliseconds } from './queries.ts';
import { fitting } from './space.ts';

/** A file whose content is already stored. */
export interface NewFile {
  readonly ownerId: number;
  readonly key: string;
  readonly pathId: string;
  readonly name: string;
  readonly contentType: string;
  readonly size: number;
  readonly picture: StoredPicture | null;
}

type QuotaConfig = Pick<Config, 'uploadQuotaMib'>;

/** Inserts stored files and notifies their owners. Errors: `REALM_UPLOAD_QUOTA`, `USER_DEACTIVATED`. */
export function attachmentAdditions(config: QuotaConfig): GroupedKind<NewFile, void> {
  return { name: 'attachments', write: (change, files) => write(change, files, config) };
}

async function write(
  { db, directory }: Pick<OptimisticChange, 'db' | 'directory'>,
  files: readonly NewFile[],
  config: QuotaConfig,
): Promise<readonly ItemResult<void>[]> {
  const organizationId = directory.organization.id;
  const owned = files.filter(({ ownerId }) => directory.user(ownerId)?.isActive === true);
  const admitted = new Set(await fitting(db, organizationId, owned, config));
  const added = await insert(db, organizationId, [...admitted]);
  const payloads = files.flatMap(({ key, ownerId, picture }) => {
    const id = picture === null ? undefined : added.get(key)?.id;
    const owner = directory.user(ownerId);
    return id === undefined || owner === undefined ? [] : [{ attachmentId: id, accountId: accountOf(owner) }];
  });
  await addJobs(db, drawThumbnails, { organizationId, payloads });
  return files.map((file): ItemResult<void> => {
    const { ownerId, key, name, pathId, size } = file;
    const row = added.get(key);
    if (row !== undefined) {
      const { id, create_time, space } = row;
      const attachment = { id, name, path_id: pathId, size, create_time, messages: [] };
      return { result: undefined, events: [attachmentEvent(ownerId, { op: 'add', attachment, space })] };
    }
    if (admitted.has(file)) return { error: new Error('a file was given up before it was whole') };
    return { error: owned.includes(file) ? uploadQuotaExceeded() : deactivatedUser() };
  });
}

interface AddedRow {
  readonly id: number;
  readonly key: string;
  readonly size: number;
  readonly create_time: number;
  /** Bytes of all files of the organization, including this one and those before it. */
  readonly space: number;
}

/**
 * Returns the inserted files by key. Files whose key is no longer in `storage_leftovers` are missing: their content was
 * given up.
 */
async function insert(
  db: DbTransaction,
  organizationId: number,
  files: readonly NewFile[],
): Promise<ReadonlyMap<string, AddedRow>> {
  if (files.length === 0) return new Map();
  const keys = files.map(({ key }) => key);
  const rows = await executePrepared<AddedRow>(
    db,
    'add attachments',
    sql`
    WITH kept AS (DELETE FROM storage_leftovers WHERE key = ANY (${keys}::text[]) RETURNING key),
    added AS (
      INSERT INTO attachments (organization_id, owner_id, path_id, storage_key, name, content_type, size, picture)
      SELECT ${organizationId}::integer, owner_id, path_id, key, name, content_type, size, picture::jsonb
        FROM unnest(${files.map(({ ownerId }) => ownerId)}::integer[], ${files.map(({ pathId }) => pathId)}::text[], ${keys}::text[],
                    ${files.map(({ name }) => name)}::text[], ${files.map(({ contentType }) => contentType)}::text[],
                    ${files.map(({ size }) => size)}::bigint[],
                    ${files.map(({ picture }) => (picture === null ? null : JSON.stringify(picture)))}::text[])
             WITH ORDINALITY AS new (owner_id, path_id, key, name, content_type, size, picture, place)
        JOIN kept USING (key)
       ORDER BY place
      RETURNING id, storage_key AS key, size, ${milliseconds(sql`created_at`)} AS create_time),
    space AS (
      INSERT INTO upload_space AS space (organization_id, bytes)
      SELECT ${organizationId}::integer, sum(size) FROM added HAVING count(*) > 0
      ON CONFLICT (organization_id) DO UPDATE SET bytes = space.bytes + excluded.bytes
      RETURNING bytes)
    SELECT added.*, (bytes - sum(size) OVER () + sum(size) OVER (ORDER BY id))::bigint AS space FROM added, space`,
  );
  return new Map(rows.map((row) => [row.key, row]));
}
