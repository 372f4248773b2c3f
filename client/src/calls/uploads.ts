/**
 * Uploads of files that continue after a lost connection, by the protocol tus 1.0 (https://tus.io). A file is sent in
 * chunks. After a failure, the client asks the server how much it has, and continues there.
 */
import { Backoff } from './backoff.ts';
import { type Connection, failureOf, parse, type RawAnswer } from './connection.ts';
import { ApiError, isTemporary, NetworkError, UnexpectedAnswerError } from './errors.ts';
import type { NamedBlob } from './operation.ts';
import { getAttachments, getImport } from './operations.ts';

export interface UploadedFile {
  /** The path of the file, for a link in a message: `[filename](url)`. */
  readonly url: string;
  /** The name, for the text of the link. */
  readonly filename: string;
}

export interface UploadProgress {
  /** Bytes that the server has. It can become smaller if the server lost the upload. */
  readonly sent: number;
  /** Bytes of the file. */
  readonly total: number;
}

/** An unfinished upload. It is plain JSON, so that it can be stored. The server keeps an unfinished upload for a day. */
export interface UploadRecord {
  /** The path of the upload on the server. */
  readonly path: string;
  readonly name: string;
  readonly size: number;
  /** When the server created it, by the server's clock, in milliseconds since the epoch. Undefined if unknown. */
  readonly created?: number;
}

export interface UploadOptions {
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
  /** Ends the upload. It can be continued with its record. */
  readonly signal?: AbortSignal | undefined;
  /** The record of an interrupted upload of the same file, which then continues. */
  readonly record?: UploadRecord | undefined;
  /** Receives a record as soon as the upload can be continued by another call. Small files have none. */
  readonly onRecord?: ((record: UploadRecord) => void) | undefined;
  /** What the file is for, if it is no file of a message. `import`: an archive to import (`startImport`). The result then has no URL. */
  readonly purpose?: 'import' | undefined;
  /** Milliseconds without progress after which a call throws instead of trying again. Default: ten minutes. */
  readonly patience?: number | undefined;
}

/**
 * The server refused the file. `too-large`: the server does not accept files of this size. `quota`: the organization has
 * no space left. `refused`: any other reason, which the message contains.
 */
export class UploadError extends Error {
  override readonly name = 'UploadError';
  readonly reason: 'too-large' | 'quota' | 'refused';
  readonly status: number;
  /** Only for `too-large`: the largest size that the server accepts, in bytes. */
  readonly maxSize: number | undefined;

  constructor(reason: UploadError['reason'], status: number, message: string, maxSize?: number) {
    super(message);
    this.reason = reason;
    this.status = status;
    this.maxSize = maxSize;
  }
}

const PATH = '/api/v1/tus';
const PROTOCOL = { 'tus-resumable': '1.0.0' };
const CONTENT_TYPE = 'application/offset+octet-stream';
/** A smaller file is sent with the request that creates the upload. If the connection fails, it starts again. */
const SMALL_FILE_BYTES = 256 * 1024;
/** Proxies often accept no larger bodies than 1 MB without a setting. */
const FIRST_CHUNK_BYTES = 512 * 1024;
const MIN_CHUNK_BYTES = 64 * 1024;
const MAX_CHUNK_BYTES = 8 * 1024 * 1024;
/** Progress is visible after each chunk, so a chunk should take about this time. */
const CHUNK_TIME_MS = 1000;
const CHUNK_TIMEOUT_MS = 60_000;
const DEFAULT_PATIENCE_MS = 10 * 60_000;

/**
 * Uploads a file. It waits and continues after a lost connection and after temporary failures of the server.
 *
 * @throws UploadError if the server refuses the file
 * @throws ApiError for other refusals, such as `UNAUTHORIZED`
 * @throws NetworkError, UnexpectedAnswerError, ApiError if a failure lasts longer than `patience`
 * @throws the reason of an aborted signal
 * @example
 * const { url, filename } = await uploadFile(connection, new File(['Monday: pizza'], 'menu.txt'));
 * const content = `[${filename}](${url})`;
 * await sendMessage(connection, { type: 'channel', to: 'general', topic: 'lunch', content });
 */
export function uploadFile(
  connection: Connection,
  file: NamedBlob,
  options: UploadOptions = {},
): Promise<UploadedFile> {
  return new Upload(connection, file, options).run();
}

/** Deletes an unfinished upload from the server, for example if the user cancels it. */
export async function discardUpload(connection: Connection, record: UploadRecord, signal?: AbortSignal): Promise<void> {
  const answer = await connection.send(record.path, { method: 'DELETE', headers: PROTOCOL, signal });
  const { status } = answer.response;
  if (status !== 204 && status !== 404 && status !== 410) throw await refusalOf(connection, 0, 'DELETE', answer);
}

/** One call of `uploadFile`. */
class Upload {
  readonly #connection: Connection;
  readonly #file: NamedBlob;
  readonly #options: UploadOptions;
  readonly #backoff: Backoff;
  #record: UploadRecord | undefined;
  /** How much the server has, if it is known. */
  #offset: number | undefined;
  /** The most that the server ever had. Only more than that is progress. */
  #most = 0;
  #chunk = FIRST_CHUNK_BYTES;
  #maxChunk = MAX_CHUNK_BYTES;

  constructor(connection: Connection, file: NamedBlob, options: UploadOptions) {
    this.#connection = connection;
    this.#file = file;
    this.#options = options;
    this.#backoff = new Backoff(options.patience ?? DEFAULT_PATIENCE_MS);
    const { record } = options;
    if (record?.size === file.size && record.name === this.#name) this.#record = record;
  }

  get #name(): string {
    return this.#file.name ?? 'file';
  }

  async run(): Promise<UploadedFile> {
    for (;;) {
      try {
        const most = this.#most;
        const finished = await this.#step();
        if (finished !== undefined) return finished;
        if (this.#most > most) this.#backoff.progressed();
      } catch (error) {
        if (!this.#canContinueAfter(error)) throw error;
        await this.#backoff.wait(error, this.#options.signal);
      }
    }
  }

  /** Sends one request. Returns the file when it is complete. */
  #step(): Promise<UploadedFile | undefined> {
    if (this.#record === undefined) return this.#create();
    return this.#offset === undefined ? this.#find(this.#record) : this.#continue(this.#record, this.#offset);
  }

  async #create(): Promise<UploadedFile | undefined> {
    const { size, type } = this.#file;
    const isSmall = size <= SMALL_FILE_BYTES;
    this.#report(0);
    const answer = await this.#send('POST', PATH, isSmall && size > 0 ? this.#file : undefined, {
      'upload-length': String(size),
      'upload-metadata': [
        `filename ${base64(this.#name)}`,
        `filetype ${base64(type || 'application/octet-stream')}`,
        ...(this.#options.purpose === undefined ? [] : [`purpose ${base64(this.#options.purpose)}`]),
      ].join(','),
    });
    const { status, headers } = answer.response;
    if (status === 200) return this.#finish(answer);
    const location = headers.get('location');
    if (status !== 201 || location === null) throw await refusalOf(this.#connection, size, 'POST', answer);
    const created = Date.parse(headers.get('date') ?? '');
    const path = new URL(location, this.#connection.url).pathname;
    this.#record = { path, name: this.#name, size, ...(!Number.isNaN(created) && { created }) };
    this.#offset = isSmall ? Number(headers.get('upload-offset') ?? 0) : 0;
    this.#options.onRecord?.(this.#record);
    return undefined;
  }

  /** Learns how much the server has. */
  async #find(record: UploadRecord): Promise<UploadedFile | undefined> {
    const answer = await this.#send('HEAD', record.path, undefined, {});
    const { status, headers } = answer.response;
    if (status === 404 || status === 410) {
      // The server deletes an upload when it is finished, and after a day without progress.
      const finished = await this.#findFinished(record);
      this.#record = undefined;
      return finished;
    }
    if (status !== 200) throw await refusalOf(this.#connection, record.size, 'HEAD', answer);
    this.#offset = Number(headers.get('upload-offset'));
    this.#report(this.#offset);
    return undefined;
  }

  async #continue(record: UploadRecord, offset: number): Promise<UploadedFile | undefined> {
    const end = Math.min(record.size, offset + Math.min(this.#chunk, this.#maxChunk));
    const begun = performance.now();
    // If this request fails, the server has to say how much of it arrived.
    this.#offset = undefined;
    const answer = await this.#send('PATCH', record.path, this.#file.slice(offset, end), {
      'upload-offset': String(offset),
    });
    const { status, headers } = answer.response;
    if (status === 200) return this.#finish(answer);
    if (status !== 204) throw await refusalOf(this.#connection, record.size, 'PATCH', answer);
    this.#offset = Number(headers.get('upload-offset'));
    this.#report(this.#offset);
    const speed = (end - offset) / Math.max(1, performance.now() - begun);
    this.#chunk = Math.min(MAX_CHUNK_BYTES, Math.max(MIN_CHUNK_BYTES, Math.round(speed * CHUNK_TIME_MS)));
    return undefined;
  }

  #send(method: string, path: string, body: Blob | undefined, headers: Readonly<Record<string, string>>) {
    const { signal } = this.#options;
    const contentType: Readonly<Record<string, string>> = body === undefined ? {} : { 'content-type': CONTENT_TYPE };
    return this.#connection.send(path, {
      method,
      headers: { ...PROTOCOL, ...contentType, ...headers },
      // A type of the blob would replace the header.
      body: body === undefined ? undefined : new Blob([body], { type: CONTENT_TYPE }),
      signal,
      timeout: CHUNK_TIMEOUT_MS,
    });
  }

  #finish({ text }: RawAnswer): UploadedFile {
    const { url, filename } = parse(text) ?? {};
    this.#report(this.#file.size);
    return { url: String(url), filename: String(filename) };
  }

  /** The file, if only the response to the last chunk was lost. Otherwise the file would exist twice. */
  async #findFinished({ name, size, created }: UploadRecord): Promise<UploadedFile | undefined> {
    if (this.#options.purpose === 'import') return await this.#findArchive(name, size);
    if (created === undefined) return undefined;
    const { attachments } = await getAttachments(this.#connection, {}, { signal: this.#options.signal });
    // The date of the creation has no milliseconds.
    const found = attachments.find((one) => one.name === name && one.size === size && one.create_time >= created);
    if (found === undefined) return undefined;
    this.#report(size);
    return { url: `/user_uploads/${found.path_id}`, filename: name };
  }

  async #findArchive(name: string, size: number): Promise<UploadedFile | undefined> {
    const { import: found } = await getImport(this.#connection, { signal: this.#options.signal });
    if (found?.state !== 'uploaded' || found.filename !== name || found.size !== size) return undefined;
    this.#report(size);
    return { url: '', filename: name };
  }

  #report(sent: number): void {
    this.#most = Math.max(this.#most, sent);
    this.#options.onProgress?.({ sent, total: this.#file.size });
  }

  /** Whether a later attempt can succeed. Prepares a smaller one if a proxy refuses the size of the chunk. */
  #canContinueAfter(error: unknown): boolean {
    if (error instanceof UnexpectedAnswerError && error.status === 413 && this.#record !== undefined) {
      if (this.#maxChunk <= MIN_CHUNK_BYTES) return false;
      this.#maxChunk = Math.max(MIN_CHUNK_BYTES, Math.min(this.#chunk, this.#maxChunk) / 2);
      return true;
    }
    const isRefusal = error instanceof UploadError || error instanceof UnexpectedAnswerError;
    const isOfUpload = isRefusal && this.#record !== undefined;
    return isTemporary(error) || (isOfUpload && RECOVERABLE_STATUSES.has(error.status));
  }
}

/**
 * The server has another offset (409), has no such upload (404, 410), or another request still works on the upload, for
 * example one whose connection broke (423). `#find` learns which.
 */
const RECOVERABLE_STATUSES: ReadonlySet<number> = new Set([404, 409, 410, 423]);

/** The error of a response that the protocol does not expect. */
async function refusalOf(
  connection: Connection,
  size: number,
  method: string,
  { response, text }: RawAnswer,
): Promise<Error> {
  const request = { method, path: '/tus' };
  const message = parse(text)?.message;
  if (typeof message !== 'string') return failureOf(request, response, text);
  const { status } = response;
  if (status >= 500) return new UnexpectedAnswerError(request, response, text);
  if (status !== 413) return new UploadError('refused', status, message);
  const maxSize = await maxSizeOf(connection);
  return maxSize !== undefined && size > maxSize
    ? new UploadError('too-large', status, message, maxSize)
    : new UploadError('quota', status, message);
}

/** The largest size of a file that the server accepts, in bytes. */
async function maxSizeOf(connection: Connection): Promise<number | undefined> {
  try {
    const { response } = await connection.send(PATH, { method: 'OPTIONS', headers: PROTOCOL });
    const size = response.headers.get('tus-max-size');
    return size === null ? undefined : Number(size);
  } catch (error) {
    if (error instanceof NetworkError || error instanceof ApiError) return undefined;
    throw error;
  }
}

/** The base64 of the UTF-8 of a text. */
function base64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
}
