/** Reads parameters out of query strings and bodies. */
import { parse } from 'node:querystring';
import { type ApiError, badRequest, unsupportedEncoding } from '@heddle/api/errors.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Fields } from './parameters.ts';

/** More names in one query or form than any client sends; what they cost to read is bounded with it. */
const maximumFields = 1000;

const noFields: Fields = Object.freeze(Object.create(null));

/** Percent-encodings that are malformed or not UTF-8 are read as far as they can be; they are never an error. */
export function fieldsOf(text: string): Fields {
  const fields = parse(text, '&', '=', { maxKeys: maximumFields + 1 });
  // A name and what divides it from the next are two characters at least.
  if (text.length < 2 * maximumFields) return fields;
  let count = 0;
  for (const _ in fields) count += 1;
  if (count > maximumFields) throw tooManyFields();
  return fields;
}

/** The parameters in the query of a URL. */
export function queryOf(url: string): Fields {
  const mark = url.indexOf('?');
  return mark < 0 ? noFields : fieldsOf(url.slice(mark + 1));
}

/**
 * Makes the server read forms: URL-encoded ones, and multipart ones (zulip-js posts those), whose files are no parameters.
 * Any other kind of body is refused, except an empty one: some clients name JSON as the type of a body that they do not send.
 */
export function readForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_: unknown, body: string) => fieldsOf(body),
  );
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer<ArrayBuffer>) =>
      multipartFields(request.headers['content-type'] ?? '', body),
  );
  app.addContentTypeParser('*', { parseAs: 'string' }, async (request: FastifyRequest, body: string) => {
    if (body.trim() === '' || body.trim() === '{}') return noFields;
    const type = request.headers['content-type'] ?? 'no content type';
    throw badRequest(
      `Parameters must be sent as application/x-www-form-urlencoded or multipart/form-data, not ${type}`,
    );
  });
}

/** Why a body that is not sent as it is cannot be read; null for all others. */
export function encodingRefusal({ headers }: FastifyRequest): ApiError | null {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  return encoding === '' || encoding === 'identity' ? null : unsupportedEncoding(encoding.slice(0, 40));
}

/** Leaves bodies of whatever type unread, for handlers that read them as they arrive. */
export function leaveBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _body, done) => done(null, undefined));
}

async function multipartFields(contentType: string, body: Buffer<ArrayBuffer>): Promise<Fields> {
  if (body.length === 0) return noFields;
  let form: FormData;
  try {
    form = await new Response(body, { headers: { 'content-type': contentType } }).formData();
  } catch {
    throw badRequest('Malformed multipart/form-data');
  }
  const fields: Fields = Object.create(null);
  let count = 0;
  for (const [name, value] of form) {
    if (typeof value !== 'string') continue;
    count += 1;
    if (count > maximumFields) throw tooManyFields();
    fields[name] = value;
  }
  return fields;
}

function tooManyFields(): Error {
  return badRequest(`A request has at most ${maximumFields} parameters`);
}
