/** Reads parameters out of query strings and bodies. */
import { parse, unescape as percentDecoded } from 'node:querystring';
import { type ApiError, badRequest, unsupportedEncoding } from '@heddle/api/errors.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Fields } from './fields.ts';
import { FormDecoder } from './form-decoder.ts';
import { MultipartDecoder } from './multipart-decoder.ts';
import { readBody } from './request-bodies.ts';
import { turn } from './turns.ts';

/** More names than any client sends in one query or form. It also bounds the time to read them. */
const maximumFields = 1000;

/** Larger bodies, in bytes, are decoded while they arrive, one turn per piece. */
const largeBody = 64 * 1024;

const noFields: Fields = Object.freeze(Object.create(null));

/** Percent-encodings that are malformed or not UTF-8 are read as far as possible. They are never an error. */
export function fieldsOf(text: string): Fields {
  const fields = parse(text, '&', '=', { maxKeys: maximumFields + 1, decodeURIComponent: decoded });
  // A name and its separator are at least two characters.
  if (text.length < 2 * maximumFields) return fields;
  let count = 0;
  for (const _ in fields) count += 1;
  if (count > maximumFields) throw tooManyFields();
  return fields;
}

/** Node's own function. Its parser would otherwise search each character for something to decode. */
function decoded(text: string): string {
  return text.includes('%') ? percentDecoded(text) : text;
}

const PLUS = 0x2b;
const SPACE = 0x20;

/**
 * The fields of a URL-encoded body. The `+` become spaces in the bytes: the parser takes half a second for four million of them. In UTF-8
 * this byte is always a `+`.
 */
export function fieldsOfBody(body: Buffer): Fields {
  for (let at = body.indexOf(PLUS); at >= 0 && at < body.length; at++) if (body[at] === PLUS) body[at] = SPACE;
  return fieldsOf(body.toString());
}

/** The parameters in the query of a URL. */
export function queryOf(url: string): Fields {
  const mark = url.indexOf('?');
  return mark < 0 ? noFields : fieldsOf(url.slice(mark + 1));
}

/**
 * Makes the server read URL-encoded and multipart forms (zulip-js sends those). Files in such forms are no parameters. It refuses any other
 * body unless it is empty: some clients name JSON as the type of a body that they do not send.
 */
export function readForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/x-www-form-urlencoded', (request: FastifyRequest) =>
    fieldsAsTheyArrive(request, () => new FormDecoder(maximumFields, tooManyFields), fieldsOfBody),
  );
  app.addContentTypeParser('multipart/form-data', (request: FastifyRequest) => {
    const decoder = () => new MultipartDecoder(request.headers['content-type'] ?? '', maximumFields, tooManyFields);
    return fieldsAsTheyArrive(request, decoder, (body) => {
      if (body.length === 0) return noFields;
      const form = decoder();
      form.write(body);
      return form.end();
    });
  });
  app.addContentTypeParser('*', { parseAs: 'string' }, async (request: FastifyRequest, body: string) => {
    return fieldsOfNoForm(request, body);
  });
}

type Decoder = Pick<FormDecoder, 'write' | 'end'>;

/**
 * @param newDecoder for a large body
 * @param fieldsOfWhole reads a small body
 */
async function fieldsAsTheyArrive(
  request: FastifyRequest,
  newDecoder: () => Decoder,
  fieldsOfWhole: (body: Buffer) => Fields,
): Promise<Fields> {
  const pieces: Buffer[] = [];
  let decoder: Decoder | undefined;
  let size = 0;
  const decode = async (form: Decoder, ...parts: readonly Buffer[]): Promise<void> => {
    await turn();
    for (const part of parts) form.write(part);
  };
  await readBody(request, (piece) => {
    size += piece.length;
    if (decoder !== undefined) return decode(decoder, piece);
    pieces.push(piece);
    if (size <= largeBody) return undefined;
    decoder = newDecoder();
    return decode(decoder, ...pieces.splice(0));
  });
  if (decoder === undefined) return fieldsOfWhole(Buffer.concat(pieces, size));
  await turn();
  return decoder.end();
}

/** @throws ApiError `BAD_REQUEST` if the body is not empty */
export function fieldsOfNoForm({ headers }: FastifyRequest, body: string): Fields {
  if (body.trim() === '' || body.trim() === '{}') return noFields;
  const type = headers['content-type'] ?? 'no content type';
  throw badRequest(`Parameters must be sent as application/x-www-form-urlencoded or multipart/form-data, not ${type}`);
}

/** The error for a body with a content coding; null for all others. */
export function encodingRefusal({ headers }: FastifyRequest): ApiError | null {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  return encoding === '' || encoding === 'identity' ? null : unsupportedEncoding(encoding.slice(0, 40));
}

/** Leaves bodies of all types unread, for handlers that read them as they arrive. */
export function leaveBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _body, done) => done(null, undefined));
}

function tooManyFields(): Error {
  return badRequest(`A request has at most ${maximumFields} parameters`);
}
