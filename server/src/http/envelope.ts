/** The envelopes that every body wears. */
import type { ApiError } from '@heddle/api/errors.ts';
import { RawJson } from './route.ts';

/**
 * The body of a success.
 * @param answer the endpoint's return values, or the complete body as `RawJson`
 * @param ignored parameters that the endpoint does not know
 */
export function successBody(answer: unknown, ignored: readonly string[] | undefined): string | Buffer {
  if (answer instanceof RawJson) return ignored ? withIgnored(answer.body, ignored) : answer.body;
  const values = JSON.stringify(answer);
  const body = values === '{}' ? '{"result":"success","msg":""}' : `{"result":"success","msg":"",${values.slice(1)}`;
  return ignored ? withIgnored(body, ignored) : body;
}

/** Puts the field before the last brace, which in a complete body is the last character. */
function withIgnored(body: string | Buffer, ignored: readonly string[]): string | Buffer {
  const field = `,"ignored_parameters_unsupported":${JSON.stringify(ignored)}}`;
  if (typeof body === 'string') return body.slice(0, -1) + field;
  return Buffer.concat([body.subarray(0, -1), Buffer.from(field)]);
}

export function errorBody(error: ApiError): string {
  return JSON.stringify({ result: 'error', msg: error.message, ...error.extra, code: error.code });
}
