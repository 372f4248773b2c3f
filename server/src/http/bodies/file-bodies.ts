/** Forms that contain a file, which is read as it arrives. */
import { type Readable, Transform } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import type { ApiError } from '@heddle/api/errors.ts';
import { badRequest, payloadTooLarge } from '@heddle/api/errors.ts';
import type { FastifyRequest } from 'fastify';
import { fieldsOfNoForm } from './bodies.ts';
import { withoutTurns } from './directions.ts';
import { malformed } from './multipart.ts';
import { type BodyLimits, type OpenBody, openBody } from './request-bodies.ts';
import { type Fields, fieldsOf } from './url-encoded.ts';

export interface FileBodyLimits extends BodyLimits {
  /** The maximum of fields besides the file. */
  readonly maximumFields: number;
  /** The error text for a form without a file or with two, if the reference has its own. */
  readonly unlessOne?: string;
}

/** A file that is arriving. */
export interface UploadedFile {
  /** The name that the client gives, without directories and control characters. It is for people and never part of a path. */
  readonly name: string;
  /** The type that the client gives. It may be wrong. */
  readonly contentType: string;
  /**
   * Its bytes, to be read once. It ends only after the whole form was well-formed and within its limits, and fails otherwise. So content
   * that has ended is complete.
   */
  readonly content: Readable;
  /** The bytes so far: all of them when the content has ended. */
  readonly size: () => number;
}

export interface FileForm {
  /** The fields before the file. */
  readonly fields: Fields;
  readonly file: UploadedFile;
  /** The names of the fields after the file, once it was read. They came too late to use. */
  readonly fieldsTooLate: () => readonly string[];
  close(): void;
}

/** For a file that is optional. */
export interface OptionalFileForm extends Omit<FileForm, 'file'> {
  readonly file: UploadedFile | undefined;
}

/** The limit of a form without a file, in bytes. */
const MAX_FORM_BYTES = 128 * 1024;
const MAX_FIELD_NAME_BYTES = 100;
const MAX_FIELD_VALUE_BYTES = 64 * 1024;
const MAX_FILE_NAME_BYTES = 255;

/**
 * Reads the form up to its file.
 * @throws ApiError `BAD_REQUEST` if there is no file or no form, `PAYLOAD_TOO_LARGE`, `REQUEST_TIMEOUT`
 */
export async function openFileForm(request: FastifyRequest, limits: FileBodyLimits): Promise<FileForm> {
  const { file, ...form } = await openForm(request, limits);
  if (file !== undefined) return { file, ...form };
  form.close();
  throw noFile(limits);
}

/** The same for an optional file. Without one, the whole form was read. URL-encoded forms have none. */
export async function openOptionalFileForm(request: FastifyRequest, limits: FileBodyLimits): Promise<OptionalFileForm> {
  const type = request.headers['content-type'] ?? '';
  if (/^multipart\//i.test(type)) return openForm(request, limits);
  const body = openBody(request, { ...limits, maximumBytes: Math.min(limits.maximumBytes, MAX_FORM_BYTES) });
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of body.content) chunks.push(chunk as Buffer);
  } catch (error) {
    body.close();
    throw error;
  }
  const content = Buffer.concat(chunks).toString();
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(type);
  const fields = isForm ? fieldsOf(content) : fieldsOfNoForm(request, content);
  return { file: undefined, fields, fieldsTooLate: () => [], close: () => body.close() };
}

async function openForm(request: FastifyRequest, limits: FileBodyLimits): Promise<OptionalFileForm> {
  const parser = parserFor(request, limits);
  const body = openBody(request, limits);
  const reader = new FormReader(parser, body, limits);
  try {
    const { file, fields } = await reader.started;
    return { file, fields, fieldsTooLate: () => reader.fieldsTooLate, close: () => reader.close() };
  } catch (error) {
    reader.close();
    throw error;
  }
}

function noFile({ unlessOne = 'You must specify a file to upload' }: FileBodyLimits): ApiError {
  return badRequest(unlessOne);
}

function parserFor(request: FastifyRequest, limits: FileBodyLimits): BusboyInstance {
  const { maximumFields, maximumBytes } = limits;
  const type = request.headers['content-type'];
  if (type === undefined || /^application\/x-www-form-urlencoded\b/i.test(type)) throw noFile(limits);
  if (!/^multipart\/form-data\b/i.test(type)) {
    throw badRequest(`A file must be sent as multipart/form-data, not ${type}`);
  }
  try {
    return new Busboy({
      headers: { 'content-type': type },
      limits: {
        files: 1,
        fields: maximumFields,
        parts: maximumFields + 1,
        fieldNameSize: MAX_FIELD_NAME_BYTES,
        fieldSize: MAX_FIELD_VALUE_BYTES,
        fileSize: maximumBytes,
        headerPairs: 20,
        headerSize: 8 * 1024,
      },
    });
  } catch {
    throw malformed();
  }
}

type Started = Pick<OptionalFileForm, 'fields' | 'file'>;

class FormReader {
  /** The form up to its file, or to its end without one. */
  readonly started: Promise<Started>;
  readonly fieldsTooLate: string[] = [];
  readonly #parser: BusboyInstance;
  readonly #body: OpenBody;
  readonly #started = Promise.withResolvers<Started>();
  readonly #whole = Promise.withResolvers<void>();
  readonly #fields: Fields = Object.create(null);
  #part: BusboyFileStream | undefined;
  #content: Transform | undefined;
  #failure: ApiError | undefined;

  constructor(parser: BusboyInstance, body: OpenBody, limits: FileBodyLimits) {
    const { unlessOne = 'You may only upload one file at a time' } = limits;
    this.#parser = parser;
    this.#body = body;
    this.started = this.#started.promise;
    // The reader of the file gets this error. Without a reader it must not crash the process.
    this.#whole.promise.catch(() => undefined);
    parser.on('field', (name, value, isNameCut, isValueCut) => this.#onField(name, value, isNameCut || isValueCut));
    parser.on('file', (_name, part, fileName, _encoding, contentType) => this.#onFile(part, fileName, contentType));
    parser.on('fieldsLimit', () => this.#fail(badRequest('The form has too many fields')));
    parser.on('partsLimit', () => this.#fail(badRequest('The form has too many fields')));
    parser.on('filesLimit', () => this.#fail(badRequest(unlessOne)));
    parser.on('error', () => this.#fail(malformed()));
    parser.on('finish', () => this.#onFinish());
    body.content.on('error', (error) => this.#fail(error as ApiError));
    body.content.pipe(parser);
  }

  close(): void {
    this.#body.close();
    this.#content?.destroy();
    this.#part?.destroy();
    this.#parser.destroy();
  }

  #onField(name: string, value: string, isCut: boolean): void {
    if (isCut)
      this.#fail(badRequest(`A field of the form is longer than ${MAX_FIELD_VALUE_BYTES} bytes, or its name too long`));
    else if (this.#part === undefined) this.#fields[name] = value;
    else this.fieldsTooLate.push(name);
  }

  #onFile(part: BusboyFileStream, fileName: string | undefined, contentType: string): void {
    // Browsers send such a part if no file was selected.
    if (!fileName) {
      part.on('error', () => this.#fail(malformed())).resume();
      return;
    }
    this.#part = part;
    part.on('error', () => this.#fail(malformed()));
    if (this.#failure !== undefined) {
      part.destroy();
      return;
    }
    let size = 0;
    const content = part.pipe(
      new Transform({
        transform(chunk: Buffer, _encoding, done) {
          size += chunk.length;
          done(null, chunk);
        },
        flush: (done) => {
          if (part.truncated) done(payloadTooLarge(part.bytesRead));
          else this.#whole.promise.then(() => done(), done);
        },
      }),
    );
    content.on('error', () => undefined);
    this.#content = content;
    const file = {
      name: cleanFileName(unescaped(fileName)),
      contentType: contentType || 'application/octet-stream',
      content,
      size: () => size,
    };
    this.#started.resolve({ fields: this.#fields, file });
  }

  #onFinish(): void {
    if (this.#part === undefined) this.#started.resolve({ fields: this.#fields, file: undefined });
    else this.#whole.resolve();
  }

  #fail(failure: ApiError): void {
    if (this.#failure !== undefined) return;
    this.#failure = failure;
    this.#started.reject(failure);
    this.#whole.reject(failure);
    this.#content?.destroy(failure);
    this.#part?.destroy();
  }
}

/** Browsers escape three characters of a name, and no percent sign. */
function unescaped(fileName: string): string {
  return fileName.replaceAll(/%22|%0D|%0A/gi, decodeURIComponent);
}

/** The last part of the path that was sent, in characters that a name can contain; `unnamed` if none remain. */
export function cleanFileName(sent: string): string {
  const last = sent.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const clean = withoutTurns(last.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '')).trim();
  const name = /^\.*$/.test(clean) ? 'unnamed' : clean;
  return shortened(name);
}

/** Keeps the end, which shows the type of the file. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= MAX_FILE_NAME_BYTES) return name;
  const characters = Array.from(name);
  const dot = characters.lastIndexOf('.');
  const ending = dot > 0 && characters.length - dot <= 16 ? characters.slice(dot).join('') : '';
  let kept = '';
  for (const character of characters) {
    if (Buffer.byteLength(kept + character + ending) > MAX_FILE_NAME_BYTES) break;
    kept += character;
  }
  return kept + ending;
}
