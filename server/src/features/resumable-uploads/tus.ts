/** The protocol tus 1.0, for uploads that continue after an interruption. Its own library implements it. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { apiPrefix } from '@heddle/api/contract.ts';
import { ARCHIVE_PURPOSE } from '@heddle/api/endpoints/organization-import.ts';
import { ApiError, fileTooLarge } from '@heddle/api/errors.ts';
import type { Server, Upload } from '@tus/server';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { checkArchive, keepArchive } from '../../domain/joining/organization-imports/archives.ts';
import { fileUrl } from '../../domain/uploads/present.ts';
import { Uploads } from '../../domain/uploads/uploading.ts';
import type { AppContext } from '../../extension/app-context.ts';
import { ProtocolAnswer } from '../../http/answers/answers.ts';
import type { ProtocolRequest } from '../../http/requests/route.ts';
import { newKey } from '../../storage/storage.ts';
import { UploadHeldError, UploadLocks } from './locks.ts';
import { TUS_VERSION } from './protocol.ts';

const PATH = `${apiPrefix}/tus`;
const MIB_BYTES = 1024 * 1024;
/** After this time, in milliseconds, a request releases an upload that another request waits for. */
const RELEASE_TIMEOUT_MS = 500;

interface Asker {
  readonly organization: Organization;
  readonly caller: UserRecord;
}

interface Asking extends Asker {
  readonly origin: string;
}

/** The library is loaded with the first request. */
export class ResumableUploads {
  readonly #app: AppContext;
  readonly #uploads: Uploads;
  readonly #locks: UploadLocks;
  readonly #asking = new AsyncLocalStorage<Asking>();
  #server: Promise<Server> | undefined;

  constructor(app: AppContext) {
    this.#app = app;
    this.#uploads = Uploads.of(app);
    this.#locks = new UploadLocks(app, () => this.#now().organization.id);
  }

  /**
   * Responds to a request of the protocol.
   * @param uploadId undefined for a new upload
   */
  async answer(asker: Asker, uploadId: string | undefined, request: ProtocolRequest): Promise<ProtocolAnswer> {
    if (request.headers['tus-resumable'] !== TUS_VERSION) return wrongVersion();
    const server = await this.#open();
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers)) {
      if (value !== undefined) headers.set(name, typeof value === 'string' ? value : value.join(', '));
    }
    const { method } = request;
    const hasBody = method === 'POST' || method === 'PATCH';
    // Addresses in responses contain the client's origin (below), so any host works here.
    const web = new Request(`http://localhost${PATH}/${encodeURIComponent(uploadId ?? '')}`, {
      method,
      headers,
      ...(hasBody && { body: Readable.toWeb(request.content) as ReadableStream, duplex: 'half' }),
    });
    return this.#asking.run({ ...asker, origin: this.#originOf(asker, request) }, async () => {
      const response = await server.handleWeb(web);
      return new ProtocolAnswer(response.status, ownHeaders(response.headers), await response.text());
    });
  }

  /**
   * The beginning of an upload's address. The address is absolute, as in the reference, because some clients require that. It has the
   * origin that the client used. If that is the organization's own host, it has the scheme of the organization's address: only a proxy may
   * know of TLS.
   */
  #originOf({ organization }: Asker, { origin }: ProtocolRequest): string {
    const own = this.#app.address.of(organization.directory.organization.subdomain);
    return URL.parse(origin)?.host === new URL(own).host ? own : origin;
  }

  #open(): Promise<Server> {
    this.#server ??= Promise.all([import('@tus/server'), import('./store.ts')]).then(
      ([library, { ResumableStore }]) => {
        const datastore = new ResumableStore(this.#app, this.#locks, () => {
          const { organization, caller } = this.#now();
          return { organizationId: organization.id, userId: caller.id };
        });
        const { maxFileUploadSizeMib, maxImportSizeMib } = this.#app.config;
        return new library.Server({
          path: PATH,
          generateUrl: (_, { path, id }) => `${this.#now().origin}${path}/${id}`,
          datastore,
          // Before this request takes the upload from its holder.
          onIncomingRequest: async ({ method }, id) => {
            if (method !== 'POST') await datastore.checkIsTheirs(id);
          },
          locker: this.#locks,
          lockDrainTimeout: RELEASE_TIMEOUT_MS,
          namingFunction: newKey,
          // The size is checked when an upload begins.
          maxSize: Math.max(maxFileUploadSizeMib, maxImportSizeMib) * MIB_BYTES,
          onUploadCreate: async (_, upload) => {
            await this.#check(upload);
            return {};
          },
          onUploadFinish: (_, upload) => this.#finish(upload),
          onResponseError: (_, error) => this.#refusal(error),
        });
      },
    );
    return this.#server;
  }

  async #check(upload: Upload): Promise<void> {
    const { organization, caller } = this.#now();
    const { size = 0 } = upload;
    if (isArchive(upload)) return await checkArchive(this.#app, organization, caller, size);
    const { maxFileUploadSizeMib } = this.#app.config;
    if (size > maxFileUploadSizeMib * MIB_BYTES) throw new TooLargeError(maxFileUploadSizeMib);
  }

  async #finish(upload: Upload) {
    const { organization, caller } = this.#now();
    const { id: key, size = 0, metadata } = upload;
    await this.#app.piecewise.finish(key);
    if (isArchive(upload)) {
      const filename = metadata?.filename ?? '';
      await keepArchive(this.#app, organization, caller, { key, size, filename });
      return jsonResponse(200, { url: '', filename });
    }
    const { pathId, name } = await this.#uploads.keep(organization, caller, {
      key,
      size,
      name: metadata?.filename ?? '',
      declaredType: metadata?.filetype ?? undefined,
    });
    return jsonResponse(200, { url: fileUrl(pathId), filename: name });
  }

  #now(): Asking {
    const asking = this.#asking.getStore();
    if (asking === undefined) throw new Error('nobody asks');
    return asking;
  }

  /** As JSON, which clients show. The status prevents retries that make no sense. */
  #refusal(error: Error | { readonly status_code: number; readonly body: string }) {
    if ('status_code' in error) {
      if (error.status_code !== 413) return undefined;
      return messageResponse(413, fileTooLarge(this.#app.config.maxFileUploadSizeMib).message);
    }
    if (error instanceof TooLargeError) return messageResponse(413, error.message);
    if (error instanceof ApiError)
      return messageResponse(error.code === 'REALM_UPLOAD_QUOTA' ? 413 : error.status, error.message);
    if (error instanceof UploadHeldError) return messageResponse(423, 'Another request works on this upload');
    this.#app.log.warn({ err: error }, 'a resumable upload failed');
    return messageResponse(500, 'Internal server error');
  }
}

/** A server must not process a request of another protocol version. It must name its own. */
function wrongVersion(): ProtocolAnswer {
  const { status_code: status, body } = messageResponse(412, `The header Tus-Resumable must be ${TUS_VERSION}`);
  const headers = {
    'content-type': 'application/json',
    'tus-resumable': TUS_VERSION,
    'tus-version': TUS_VERSION,
    'access-control-expose-headers': 'Tus-Resumable, Tus-Version',
  };
  return new ProtocolAnswer(status, headers, body);
}

/** The archive of an import instead of a file of the organization. */
function isArchive({ metadata }: Upload): boolean {
  return metadata?.purpose === ARCHIVE_PURPOSE;
}

class TooLargeError extends Error {
  override readonly name = 'TooLargeError';

  constructor(limitMib: number) {
    super(fileTooLarge(limitMib).message);
  }
}

function jsonResponse(status: number, body: object) {
  return { status_code: status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}

function messageResponse(status: number, message: string) {
  return { status_code: status, body: JSON.stringify({ message }) };
}

/** Without the headers that the server adds to every response, and without the length. */
function ownHeaders(headers: Headers): Record<string, string> {
  const own = Object.fromEntries(headers);
  for (const name of ['access-control-allow-origin', 'content-length', 'connection']) delete own[name];
  return own;
}
