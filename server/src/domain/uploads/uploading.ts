/** Receives a file: counts and stores the bytes, and then inserts the file. */
import { ApiError, fileTooLarge, serviceUnavailable, uploadQuotaExceeded } from '@heddle/api/errors.ts';
import { ConcurrencyLimiter } from '../../concurrency-limiter.ts';
import { changedNothing } from '../../db/failures.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { type AppContext, oncePerApp } from '../../extension/app-context.ts';
import { cleanFileName, type UploadedFile } from '../../http/bodies/file-bodies.ts';
import { dropKeys, ExpectedKeys } from '../../storage/leftovers.ts';
import { attachmentAdditions } from './adding.ts';
import { readPicture } from './drawing.ts';
import { contentTypeOf, newPathId } from './names.ts';
import { spaceReserved, spaceUsed } from './queries.ts';

const MIB_BYTES = 1024 * 1024;
/** Parallel uploads per account. Further ones wait; beyond `MAX_WAITING_UPLOADS_PER_ACCOUNT`, they are refused. */
const MAX_UPLOADS_PER_ACCOUNT = 4;
const MAX_WAITING_UPLOADS_PER_ACCOUNT = 20;

export interface Uploaded {
  readonly pathId: string;
  readonly name: string;
}

type UploadContext = Pick<AppContext, 'config' | 'db' | 'storage' | 'jobs' | 'log'>;

export class Uploads {
  /** One per process. */
  static readonly of = oncePerApp((app: AppContext) => new Uploads(app));

  readonly #app: UploadContext;
  readonly #keys: ExpectedKeys;
  readonly #additions: ReturnType<typeof attachmentAdditions>;
  readonly #accounts = new ConcurrencyLimiter({
    atOnce: MAX_UPLOADS_PER_ACCOUNT,
    maxWaiting: MAX_WAITING_UPLOADS_PER_ACCOUNT,
    refusal: () => serviceUnavailable('Too many uploads at once; please try again'),
  });

  private constructor(app: UploadContext) {
    this.#app = app;
    this.#keys = new ExpectedKeys(app.db);
    this.#additions = attachmentAdditions(app.config);
  }

  /**
   * Receives and keeps an uploaded file.
   * @throws ApiError `BAD_REQUEST`: too large, or an error of the body; `REALM_UPLOAD_QUOTA`; 503 if the account has
   * too many uploads at once, or the storage is full
   */
  take(organization: Organization, caller: UserRecord, file: UploadedFile): Promise<Uploaded> {
    return this.#accounts.run(`${organization.id} ${caller.id}`, () => this.#take(organization, caller, file));
  }

  async #take(organization: Organization, caller: UserRecord, file: UploadedFile): Promise<Uploaded> {
    const { config, db, storage } = this.#app;
    await this.#checkSpace(organization.id);
    const key = await this.#keys.next();
    // After a failure from here on, it may be unknown whether the file was stored or committed. The job `collect-files`
    // then decides within a day.
    let isPut = false;
    try {
      await storage.put(key, file.content);
      isPut = true;
      const size = file.size();
      if (size > config.maxFileUploadSizeMib * MIB_BYTES) throw fileTooLarge(config.maxFileUploadSizeMib);
      return await this.keep(organization, caller, { key, size, name: file.name, declaredType: file.contentType });
    } catch (error) {
      if (!(error instanceof ApiError)) this.#keys.forget();
      if (isPut && !(error instanceof ApiError) && !changedNothing(error)) throw error;
      // If this fails too, `collect-files` removes it within a day.
      await dropKeys(db, [key]).catch((failure) => this.#app.log.warn({ err: failure }, 'a file is left behind'));
      throw error;
    }
  }

  /**
   * Inserts a stored file for the caller.
   * @param declaredType the content type from the client
   * @throws ApiError `REALM_UPLOAD_QUOTA`, `USER_DEACTIVATED`
   */
  async keep(
    organization: Organization,
    caller: UserRecord,
    stored: {
      readonly key: string;
      readonly size: number;
      readonly name: string;
      readonly declaredType: string | undefined;
    },
  ): Promise<Uploaded> {
    const { storage, jobs } = this.#app;
    const { key, size } = stored;
    const name = cleanFileName(stored.name);
    const contentType = contentTypeOf(stored.declaredType, name);
    const picture = await readPicture(storage, { key, size, contentType });
    const pathId = newPathId(organization.id, name);
    const file = { ownerId: caller.id, key, pathId, name, contentType, size, picture };
    await organization.inGroup(this.#additions, file);
    if (picture !== null) jobs.wake();
    return { pathId, name };
  }

  /**
   * Checks for free space before a body is read.
   * @throws ApiError `REALM_UPLOAD_QUOTA`
   */
  async #checkSpace(organizationId: number): Promise<void> {
    const { config, db } = this.#app;
    if (config.uploadQuotaMib === null) return;
    const taken = (await spaceUsed(db, organizationId)) + (await spaceReserved(db, organizationId));
    if (taken >= config.uploadQuotaMib * MIB_BYTES) throw uploadQuotaExceeded();
  }
}
