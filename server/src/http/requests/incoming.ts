/** What a request contains besides its query: the fields of its path and of its form, and its file or bytes. */
import { payloadTooLarge } from '@heddle/api/errors.ts';
import type { FastifyRequest } from 'fastify';
import { type OptionalFileForm, openFileForm, openOptionalFileForm, type UploadedFile } from '../bodies/file-bodies.ts';
import { type BodyLimits, openBody } from '../bodies/request-bodies.ts';
import type { Fields } from '../bodies/url-encoded.ts';
import type { IncomingBytes, ProtocolRequest, RouteBody } from './route.ts';

/** The size limit of forms that need no credentials, in bytes. */
export const MAX_ANONYMOUS_BODY_BYTES = 64 * 1024;

export interface Incoming {
  readonly fields: Fields | undefined;
  /** For the handler. */
  readonly body: UploadedFile | IncomingBytes | ProtocolRequest | undefined;
  /** The names of fields that came too late to use. They are known when the handler is done. */
  ignored?(): readonly string[];
  close?(): void;
}

/** A route lets accounts send more. A form without credentials must declare its size, and the size must be small. */
export function refuseLargeForm(request: FastifyRequest): void {
  if (weightOf(request) > MAX_ANONYMOUS_BODY_BYTES) throw payloadTooLarge(MAX_ANONYMOUS_BODY_BYTES);
}

/** The size of a form in bytes. A form without a declared size counts as the largest that its route accepts. */
export function weightOf({ headers, routeOptions }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) return routeOptions.bodyLimit ?? 0;
  return Number(headers['content-length'] ?? 0);
}

export function openerOf(body: RouteBody): (request: FastifyRequest) => Promise<Incoming> | Incoming {
  switch (body.takes) {
    case 'form':
      return formOf;
    case 'file':
      return (request) => opened(openFileForm(request, body.limits));
    case 'optional-file':
      return (request) => opened(openOptionalFileForm(request, body.limits));
    case 'bytes':
    case 'protocol':
      return (request) => openBytes(request, body.limits);
  }
}

function formOf(request: FastifyRequest): Incoming {
  return { fields: (request.body ?? undefined) as Fields | undefined, body: undefined };
}

async function opened(opening: Promise<OptionalFileForm>): Promise<Incoming> {
  const form = await opening;
  return { fields: form.fields, body: form.file, ignored: form.fieldsTooLate, close: form.close };
}

function openBytes(request: FastifyRequest, limits: BodyLimits): Incoming {
  const { content, close } = openBody(request, limits);
  const { method, headers } = request;
  const origin = URL.parse(`${request.protocol}://${request.host}`)?.origin ?? '';
  const { url = '' } = request.raw;
  const { 'content-type': contentType, 'content-length': lengthText } = headers;
  const length = lengthText === undefined ? undefined : Number(lengthText);
  return { fields: undefined, body: { contentType, length, content, method, origin, url, headers }, close };
}

export function pathFields(request: FastifyRequest, restName: string | undefined): Fields {
  const fields = request.params as Fields;
  return restName === undefined ? fields : { ...fields, [restName]: fields['*'] };
}
