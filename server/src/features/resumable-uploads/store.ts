/** The store of unfinished uploads that the protocol's library requires: rows of `resumable_uploads`, and pieces in the storage. */

import type { Readable } from 'node:stream';
import { badRequest } from '@heddle/api/errors.ts';
import { DataStore, ERRORS, Upload } from '@tus/server';
import { sql } from 'kysely';
import { inRepeatedTransaction } from '../../db/transaction.ts';
import { lockUsers } from '../../db/user-locks.ts';
import { checkSpaceFor } from '../../domain/uploads/space.ts';
import type { AppContext } from '../../extension/app-context.ts';
import { dropKeys, expectKeys } from '../../storage/leftovers.ts';
import type { UploadLocks } from './locks.ts';
import { EXTENSIONS } from './protocol.ts';

/** Unfinished uploads per user. They are deleted after a day without progress (storage/leftovers.ts). */
const MAX_UNFINISHED_UPLOADS_PER_USER = 20;

/** The owner of uploads. */
export interface Uploader {
  readonly organizationId: number;
  readonly userId: number;
}

interface Row {
  size: number;
  metadata: Record<string, string | null>;
  created_at: Date;
}

type StoreContext = Pick<AppContext, 'config' | 'db' | 'pool' | 'piecewise'>;

export class ResumableStore extends DataStore {
  readonly #app: StoreContext;
  readonly #locks: UploadLocks;
  readonly #uploader: () => Uploader;

  /** @param uploader the current user, who finds only their own uploads */
  constructor(app: StoreContext, locks: UploadLocks, uploader: () => Uploader) {
    super();
    this.#app = app;
    this.#locks = locks;
    this.#uploader = uploader;
    this.extensions = [...EXTENSIONS];
  }

  /** @throws ApiError `REALM_UPLOAD_QUOTA` */
  override async create(upload: Upload): Promise<Upload> {
    const { pool, piecewise } = this.#app;
    const { organizationId, userId } = this.#uploader();
    const { id: key, size = 0, metadata = {} } = upload;
    // No column of the database accepts it.
    if (Object.values(metadata).some((value) => value?.includes('\0'))) throw ERRORS.INVALID_METADATA;
    await inRepeatedTransaction(pool, async (transaction) => {
      await lockUsers(transaction, organizationId, [userId]);
      const { rows } = await sql<{ count: number }>`
        SELECT count(*)::integer AS count FROM resumable_uploads
         WHERE organization_id = ${organizationId} AND user_id = ${userId}`.execute(transaction);
      if ((rows[0]?.count ?? 0) >= MAX_UNFINISHED_UPLOADS_PER_USER) throw badRequest('Too many unfinished uploads');
      await checkSpaceFor(transaction, organizationId, size, this.#app.config);
      await expectKeys(transaction, [key]);
      await sql`
        INSERT INTO resumable_uploads (organization_id, user_id, key, size, metadata)
        VALUES (${organizationId}, ${userId}, ${key}, ${size}, ${JSON.stringify(metadata)}::jsonb)`.execute(
        transaction,
      );
    });
    await piecewise.begin(key, size);
    return upload;
  }

  /** @throws the library's error if the user has no such upload */
  async checkIsTheirs(id: string): Promise<void> {
    await this.#find(id);
  }

  override async getUpload(id: string): Promise<Upload> {
    const row = await this.#find(id);
    const offset = await this.#app.piecewise.lengthOf(id);
    return new Upload({
      id,
      size: row.size,
      offset,
      metadata: row.metadata,
      creation_date: row.created_at.toISOString(),
    });
  }

  override async write(content: Readable, id: string, offset: number): Promise<number> {
    await this.#find(id);
    return this.#app.piecewise.append(id, offset, content, () => this.#locks.check(id));
  }

  override async remove(id: string): Promise<void> {
    await this.#find(id);
    const { pool } = this.#app;
    const { organizationId } = this.#uploader();
    await inRepeatedTransaction(pool, async (transaction) => {
      await sql`DELETE FROM resumable_uploads WHERE organization_id = ${organizationId} AND key = ${id}`.execute(
        transaction,
      );
      await dropKeys(transaction, [id]);
    });
  }

  /** @throws the library's error if the user has no such upload */
  async #find(id: string): Promise<Row> {
    const { organizationId, userId } = this.#uploader();
    const { rows } = await sql<Row>`
      SELECT size, metadata, created_at FROM resumable_uploads
       WHERE key = ${id} AND organization_id = ${organizationId} AND user_id = ${userId}`.execute(this.#app.db);
    const [row] = rows;
    if (row === undefined) throw ERRORS.FILE_NOT_FOUND;
    return row;
  }
}
