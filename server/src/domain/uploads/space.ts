/** The space that an organization's files use, and its quota. */
import { uploadQuotaExceeded } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import type { Config } from '../../config.ts';
import type { DbTransaction } from '../../db/schema.ts';
import { spaceReserved } from './queries.ts';

const MIB_BYTES = 1024 * 1024;

/**
 * Returns those of the files that fit into the quota, in order. Existing files and the reservations of resumable
 * uploads count as used, except the reservations of these files. The lock on the organization's row excludes other
 * uploads until the end of the transaction.
 */
export async function fitting<File extends { readonly key: string; readonly size: number }>(
  db: DbTransaction,
  organizationId: number,
  files: readonly File[],
  { uploadQuotaMib }: Pick<Config, 'uploadQuotaMib'>,
): Promise<readonly File[]> {
  if (uploadQuotaMib === null) return files;
  const used = await takeSpace(db, organizationId, 0);
  const { rows } = await sql<{ key: string | null; bytes: number }>`
    SELECT CASE WHEN key = ANY (${files.map(({ key }) => key)}::text[]) THEN key END AS key, sum(size)::bigint AS bytes
      FROM resumable_uploads WHERE organization_id = ${organizationId} GROUP BY 1`.execute(db);
  const reserved = new Map(rows.map(({ key, bytes }) => [key, bytes]));
  let taken = rows.reduce((sum, { bytes }) => sum + bytes, used);
  return files.filter(({ key, size }) => {
    const after = taken - (reserved.get(key) ?? 0) + size;
    if (after > uploadQuotaMib * MIB_BYTES) return false;
    taken = after;
    return true;
  });
}

/**
 * Checks that a resumable upload of this size fits into the quota. The lock on the organization's row excludes other
 * uploads until the end of the transaction.
 * @throws ApiError `REALM_UPLOAD_QUOTA`
 */
export async function checkSpaceFor(
  db: DbTransaction,
  organizationId: number,
  bytes: number,
  { uploadQuotaMib }: Pick<Config, 'uploadQuotaMib'>,
): Promise<void> {
  if (uploadQuotaMib === null) return;
  const taken = (await takeSpace(db, organizationId, 0)) + (await spaceReserved(db, organizationId));
  if (taken + Math.max(bytes, 1) > uploadQuotaMib * MIB_BYTES) throw uploadQuotaExceeded();
}

/**
 * Adds to the used space, and returns the bytes of all files. Other transactions that add or remove files wait until
 * the commit.
 */
export async function takeSpace(db: DbTransaction, organizationId: number, bytes: number): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    INSERT INTO upload_space AS space (organization_id, bytes) VALUES (${organizationId}, ${bytes})
    ON CONFLICT (organization_id) DO UPDATE SET bytes = space.bytes + ${bytes}::bigint
    RETURNING bytes`.execute(db);
  return rows[0]?.bytes ?? 0;
}
