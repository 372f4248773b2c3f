/** The envelopes of all bodies. */
import { type ApiError, wireCodeOf } from '@heddle/api/errors.ts';
import { RawFields, RawJson, type SerializedJson } from './raw-json.ts';

/**
 * The body of a success.
 * @param answer the endpoint's return values, any of which may be `RawJson`, or the complete body as `RawJson`
 * @param ignored parameters that the endpoint does not know
 */
export function successBody(answer: unknown, ignored: readonly string[] | undefined): SerializedJson {
  const body = answer instanceof RawJson ? answer.body : enveloped(answer as object);
  return ignored ? withIgnored(body, ignored) : body;
}

function enveloped(answer: object): SerializedJson {
  for (const value of Object.values(answer)) if (value instanceof RawJson) return joined(answer);
  const values = JSON.stringify(answer);
  return values === '{}' ? '{"result":"success","msg":""}' : `{"result":"success","msg":"",${values.slice(1)}`;
}

/** A body with fields that are serialized already. They are neither parsed nor copied. */
function joined(answer: object): SerializedJson {
  const pieces: Buffer[] = [];
  let text = '{"result":"success","msg":""';
  for (const name of Object.keys(answer)) {
    const value: unknown = Reflect.get(answer, name);
    if (value === undefined) continue;
    text += value instanceof RawFields ? ',' : `,${JSON.stringify(name)}:`;
    const body: SerializedJson = value instanceof RawJson ? value.body : JSON.stringify(value);
    if (typeof body === 'string') {
      text += body;
      continue;
    }
    pieces.push(Buffer.from(text));
    text = '';
    if (Buffer.isBuffer(body)) pieces.push(body);
    else for (const piece of body) pieces.push(piece);
  }
  text += '}';
  return pieces.length === 0 ? text : [...pieces, Buffer.from(text)];
}

/** Inserts the field before the last brace, which is the last character of a complete body. */
function withIgnored(body: SerializedJson, ignored: readonly string[]): SerializedJson {
  const field = `,"ignored_parameters_unsupported":${JSON.stringify(ignored)}}`;
  if (typeof body === 'string') return body.slice(0, -1) + field;
  const pieces = Buffer.isBuffer(body) ? [body] : body;
  return [...pieces.slice(0, -1), ...pieces.slice(-1).map((last) => last.subarray(0, -1)), Buffer.from(field)];
}

export function errorBody(error: ApiError): string {
  return JSON.stringify({ result: 'error', msg: error.message, ...error.extra, code: wireCodeOf(error.code) });
}
