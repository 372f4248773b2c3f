/** Reads what a service sent: JSON, or a form with JSON in its field `payload`. */
import { badRequest } from '@heddle/api/errors.ts';
import { turn } from '../../http/limits/turns.ts';
import { jsonCost, MAX_JSON_COST_MICROSECONDS } from '../../http/parameters/json-cost.ts';
import type { ProtocolRequest } from '../../http/requests/route.ts';
import { Payload } from './payload.ts';

/** Services send up to some hundred kilobytes, for example about a push with many commits. */
export const WEBHOOK_BODY = { maximumBytes: 2 * 1024 * 1024, withinSeconds: 20 };
/** Larger bodies, in bytes, wait for a turn before they are decoded. */
const LARGE_BODY_BYTES = 64 * 1024;
const MAX_FORM_FIELDS = 1000;

/** @throws ApiError as `http/bodies/request-bodies.ts` says */
export async function bytesOf({ content }: Pick<ProtocolRequest, 'content'>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** @throws ApiError `BAD_REQUEST` */
export async function payloadOf(body: Buffer, contentType = ''): Promise<Payload> {
  if (body.length > LARGE_BODY_BYTES) await turn();
  const text = body.toString();
  // Some programs send JSON with another type.
  const isForm = contentType.startsWith('application/x-www-form-urlencoded') && !/^\s*[[{]/.test(text);
  return new Payload(isForm ? ofForm(text) : parsed(text));
}

function ofForm(text: string): unknown {
  if (text.split('&', MAX_FORM_FIELDS + 1).length > MAX_FORM_FIELDS)
    throw badRequest('Malformed payload: too many fields');
  const fields = new URLSearchParams(text);
  const payload = fields.get('payload');
  return payload === null ? Object.fromEntries(fields) : parsed(payload);
}

function parsed(text: string): unknown {
  if (jsonCost(text) > MAX_JSON_COST_MICROSECONDS) {
    throw badRequest('Malformed payload: it has too many different values, or is nested too deeply');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest('Malformed payload: the body is not JSON');
  }
}
