/** Reads parameters out of query strings and bodies. */
import { type ApiError, badRequest, unsupportedEncoding } from '@heddle/api/errors.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { turn } from '../limits/turns.ts';
import { fieldsOfMultipart } from './multipart.ts';
import { type Fields, fieldsOf, fieldsOfLarge } from './url-encoded.ts';

/** Larger bodies, in bytes, wait for a turn before they are decoded. */
const LARGE_BODY_BYTES = 64 * 1024;

const noFields: Fields = Object.freeze(Object.create(null));

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
  const parseAs = 'buffer';
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs }, (_request, body: Buffer, done) => {
    if (body.length <= LARGE_BODY_BYTES) done(null, fieldsOf(body.toString()));
    else return fieldsOfLarge(body);
  });
  app.addContentTypeParser('multipart/form-data', { parseAs }, async ({ headers }: FastifyRequest, body: Buffer) => {
    if (body.length === 0) return noFields;
    if (body.length > LARGE_BODY_BYTES) await turn();
    return fieldsOfMultipart(body, headers['content-type'] ?? '');
  });
  app.addContentTypeParser('*', { parseAs: 'string' }, async (request: FastifyRequest, body: string) => {
    return fieldsOfNoForm(request, body);
  });
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
