/** The envelopes that every body wears. */
import { type ApiError, wireCodeOf } from '@heddle/api/errors.ts';
import { RawJson } from './route.ts';

/**
 * The body of a success.
 * @param answer the endpoint's return values, any of which may be `RawJson`, or the complete body as `RawJson`
 * @param ignored parameters that the endpoint does not know
 */
export function successBody(answer: unknown, ignored: readonly string[] | undefined): string | Buffer {
  if (answer instanceof RawJson) return ignored ? withIgnored(answer.body, ignored) : answer.body;
  const values = Object.values(answer as object).some((value) => value instanceof RawJson)
    ? joined(answer as object)
    : JSON.stringify(answer);
  if (typeof values !== 'string') return ignored ? withIgnored(values, ignored) : values;
  const body = values === '{}' ? '{"result":"success","msg":""}' : `{"result":"success","msg":"",${values.slice(1)}`;
  return ignored ? withIgnored(body, ignored) : body;
}

/** A body some of whose fields are serialized already; those are copied, not parsed. */
function joined(answer: object): Buffer {
  const pieces: Buffer[] = [Buffer.from('{"result":"success","msg":""')];
  for (const [name, value] of Object.entries(answer)) {
    if (value === undefined) continue;
    pieces.push(Buffer.from(`,${JSON.stringify(name)}:`));
    const body = value instanceof RawJson ? value.body : JSON.stringify(value);
    pieces.push(typeof body === 'string' ? Buffer.from(body) : body);
  }
  pieces.push(Buffer.from('}'));
  return Buffer.concat(pieces);
}

/** Puts the field before the last brace, which in a complete body is the last character. */
function withIgnored(body: string | Buffer, ignored: readonly string[]): string | Buffer {
  const field = `,"ignored_parameters_unsupported":${JSON.stringify(ignored)}}`;
  if (typeof body === 'string') return body.slice(0, -1) + field;
  return Buffer.concat([body.subarray(0, -1), Buffer.from(field)]);
}

export function errorBody(error: ApiError): string {
  return JSON.stringify({ result: 'error', msg: error.message, ...error.extra, code: wireCodeOf(error.code) });
}
