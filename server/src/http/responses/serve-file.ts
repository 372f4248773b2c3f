/** Responds with a file: whole, a part, or a note that the client has it already (RFC 9110, sections 13 and 14). */
import { Readable } from 'node:stream';
import { type ApiError, rangeNotSatisfiable } from '@heddle/api/errors.ts';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fresh from 'fresh';
import { timeoutOf } from '../../config/timeout-factor.ts';
import { preferredCoding } from '../answers/accept-encoding.ts';
import type { ByteRange, CodedFile, FileAnswer, FileSource } from '../answers/answers.ts';
import { appFileHeaders, fileHeaders } from './security-headers.ts';

/** A client that reads nothing for this time is disconnected, in milliseconds. */
const MAX_STALL_MS = timeoutOf(60_000);

/** Headers about a file, which are wrong for an error that replaces it. */
const headersOfContent = [
  'etag',
  'last-modified',
  'accept-ranges',
  'content-disposition',
  'content-encoding',
  'content-length',
  'content-security-policy',
  'referrer-policy',
];

/** Removes the headers of a file that cannot be sent. If a part does not exist, `Content-Range` says how much does. */
export function forgetFile(reply: FastifyReply, fault: ApiError): void {
  for (const name of headersOfContent) reply.removeHeader(name);
  if (fault.code !== 'RANGE_NOT_SATISFIABLE') reply.removeHeader('content-range');
}

/**
 * Resolves when sending has started. Sending takes as long as the client reads.
 * @throws ApiError `RANGE_NOT_SATISFIABLE`, and what opening the source throws
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { source, options }: FileAnswer,
): Promise<void> {
  const coded = codedFor(request, source);
  const etag = `"${source.version}${coded === undefined ? '' : `-${coded.coding}`}"`;
  const lastModified = source.modifiedAt?.toUTCString();
  const validators = { etag, ...(lastModified === undefined ? {} : { 'last-modified': lastModified }) };
  const security = options.isOfApp ? appFileHeaders() : fileHeaders(source.contentType);
  reply.headers({ ...security, ...validators, 'accept-ranges': 'bytes' });
  if (source.coded !== undefined) reply.header('vary', 'Accept-Encoding');
  if (options.cacheControl !== undefined) reply.header('cache-control', options.cacheControl);
  if (fresh(request.headers, validators)) {
    reply.code(304).send();
    return;
  }

  const { disposition = 'attachment', name } = options;
  const range = partAskedFor(request, source, etag);
  if (range === 'none') {
    reply.header('content-range', `bytes */${source.size}`);
    throw rangeNotSatisfiable();
  }
  const part = range ?? { start: 0, end: source.size - 1 };
  if (range !== undefined) {
    reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${source.size}`);
  }
  reply
    .header('content-type', source.contentType)
    .header('content-disposition', contentDisposition(name, { type: disposition }))
    .header('content-length', coded?.size ?? part.end - part.start + 1);
  if (coded !== undefined) reply.header('content-encoding', coded.coding);
  if (request.method === 'HEAD') {
    reply.send('');
    return;
  }
  const bytes = coded?.open() ?? (source.size === 0 ? Readable.from([]) : await source.open(part));
  reply.raw.setTimeout(MAX_STALL_MS, () => reply.raw.destroy());
  reply.send(bytes);
}

/** The compressed content that the client prefers; undefined for the content as it is. */
function codedFor({ headers }: FastifyRequest, { coded }: FileSource): CodedFile | undefined {
  if (coded === undefined || headers.range !== undefined) return undefined;
  const header = headers['accept-encoding'];
  const available = coded.map(({ coding }) => coding);
  const coding = preferredCoding(Array.isArray(header) ? header.join() : header, available);
  return coded.find((one) => one.coding === coding);
}

/** Undefined for the whole file, also if several parts are requested: a server need not split a response. */
function partAskedFor(request: FastifyRequest, source: FileSource, etag: string): ByteRange | 'none' | undefined {
  const { range } = request.headers;
  if (range === undefined || request.method !== 'GET' || !isStillMeant(request, source, etag)) return undefined;
  const [, first, last] = /^bytes=\s*(\d*)-(\d*)\s*$/.exec(range) ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  const end = source.size - 1;
  const part =
    first === ''
      ? { start: Math.max(0, source.size - Number(last)), end }
      : { start: Number(first), end: last === '' ? end : Math.min(end, Number(last)) };
  if (first !== '' && last !== '' && Number(first) > Number(last)) return undefined;
  return part.start > part.end ? 'none' : part;
}

/** `If-Range`: the client wants a part only of the content whose rest it has. */
function isStillMeant(request: FastifyRequest, { modifiedAt }: FileSource, etag: string): boolean {
  const condition = request.headers['if-range'];
  if (condition === undefined) return true;
  const sent = Array.isArray(condition) ? condition.join() : condition;
  return sent === etag || (modifiedAt !== undefined && sent === modifiedAt.toUTCString());
}
