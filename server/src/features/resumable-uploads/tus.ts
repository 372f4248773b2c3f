/** The protocol tus 1.0 by its own library: uploads that go on where they were broken off. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { apiPrefix } from '@heddle/api/contract.ts';
import { ApiError, fileTooLarge } from '@heddle/api/errors.ts';
import type { Server, Upload } from '@tus/server';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { ProtocolAnswer } from '../../http/answers.ts';
import type { ProtocolRequest } from '../../http/route.ts';
import { newKey } from '../../storage/storage.ts';
import type { Rooms } from '../rooms.ts';
import { fileUrl, Uploads } from '../uploads/actions.ts';
import { UploadHeldError, UploadLocks } from './locks.ts';

const PATH = `${apiPrefix}/tus`;
const MIB = 1024 * 1024;
/** After so many milliseconds a request lets go of an upload that another one waits for. */
const DRAINED_WITHIN = 500;

interface Asker {
  readonly organization: Organization;
  readonly caller: UserRecord;
}

interface Asking extends Asker {
  readonly origin: string;
}

/** The library is loaded with the first request. */
export class ResumableUploads {
  readonly #rooms: Rooms;
  readonly #uploads: Uploads;
  readonly #locks: UploadLocks;
  readonly #asking = new AsyncLocalStorage<Asking>();
  #server: Promise<Server> | undefined;

  constructor(rooms: Rooms) {
    this.#rooms = rooms;
    this.#uploads = Uploads.of(rooms);
    this.#locks = new UploadLocks(rooms);
  }

  /**
   * Answers a request of the protocol, for an account.
   * @param uploadId undefined where an upload is begun
   */
  async answer(asker: Asker, uploadId: string | undefined, request: ProtocolRequest): Promise<ProtocolAnswer> {
    const server = await this.#open();
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers)) {
      if (value !== undefined) headers.set(name, typeof value === 'string' ? value : value.join(', '));
    }
    const { method } = request;
    const hasBody = method === 'POST' || method === 'PATCH';
    // Addresses are made with the origin that was asked at (below), so any host will do.
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
   * What the address of an upload begins with, which is whole as the reference's is: there are clients that ask nothing else. It is where
   * the client asks; by the scheme that the organization's own address has, where it asks at that, as only a proxy may know of TLS.
   */
  #originOf({ organization }: Asker, { origin }: ProtocolRequest): string {
    const own = this.#rooms.address.of(organization.directory.organization.subdomain);
    return URL.parse(origin)?.host === new URL(own).host ? own : origin;
  }

  #open(): Promise<Server> {
    this.#server ??= Promise.all([import('@tus/server'), import('./store.ts')]).then(
      ([library, { ResumableStore }]) => {
        const datastore = new ResumableStore(this.#rooms, this.#locks, () => {
          const { organization, caller } = this.#now();
          return { organizationId: organization.id, userId: caller.id };
        });
        return new library.Server({
          path: PATH,
          generateUrl: (_, { path, id }) => `${this.#now().origin}${path}/${id}`,
          datastore,
          // Before the upload is taken from whoever works on it.
          onIncomingRequest: async ({ method }, id) => {
            if (method !== 'POST') await datastore.checkIsTheirs(id);
          },
          locker: this.#locks,
          lockDrainTimeout: DRAINED_WITHIN,
          namingFunction: newKey,
          maxSize: this.#rooms.config.maxFileUploadSizeMib * MIB,
          onUploadFinish: (_, upload) => this.#finish(upload),
          onResponseError: (_, error) => this.#refusal(error),
        });
      },
    );
    return this.#server;
  }

  async #finish(upload: Upload) {
    const { organization, caller } = this.#now();
    const { id: key, size = 0, metadata } = upload;
    await this.#rooms.piecewise.finish(key);
    const { pathId, name } = await this.#uploads.keep(organization, caller, {
      key,
      size,
      name: metadata?.filename ?? '',
      said: metadata?.filetype ?? undefined,
    });
    return {
      status_code: 200,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ url: fileUrl(pathId), filename: name }),
    };
  }

  #now(): Asking {
    const asking = this.#asking.getStore();
    if (asking === undefined) throw new Error('nobody asks');
    return asking;
  }

  /** As JSON, which clients show; with a status that none of them tries again, where that has no sense. */
  #refusal(error: Error | { readonly status_code: number; readonly body: string }) {
    if ('status_code' in error) {
      if (error.status_code !== 413) return undefined;
      return said(413, fileTooLarge(this.#rooms.config.maxFileUploadSizeMib).message);
    }
    if (error instanceof ApiError) return said(error.code === 'REALM_UPLOAD_QUOTA' ? 413 : error.status, error.message);
    if (error instanceof UploadHeldError) return said(423, 'Another request works on this upload');
    this.#rooms.log.warn({ err: error }, 'a resumable upload failed');
    return said(500, 'Internal server error');
  }
}

function said(status: number, message: string) {
  return { status_code: status, body: JSON.stringify({ message }) };
}

/** But those that the server says of every answer, and its length. */
function ownHeaders(headers: Headers): Record<string, string> {
  const own = Object.fromEntries(headers);
  for (const name of ['access-control-allow-origin', 'content-length', 'connection']) delete own[name];
  return own;
}
