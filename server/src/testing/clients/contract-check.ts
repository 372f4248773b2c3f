/**
 * Checks responses against the contract: an extra, a missing or an ill-typed field is an error. Every test server gets
 * `checkAnswer` as its `onAnswer`, so a response that the contract does not describe fails the test that caused it.
 */
import { type Endpoint, errorCodesOf, otherResponseOf, responseSchemaOf } from '@heddle/api/contract.ts';
import { type ErrorCode, errorDefinitions, wireCodeOf } from '@heddle/api/errors.ts';
import { type JsonSchema, jsonSchemaOf, mapSchema } from '@heddle/api/json-schema.ts';
import Type, { type TProperties, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

interface StrictValidator {
  Check(value: unknown): boolean;
  Errors(value: unknown): readonly { readonly instancePath: string; readonly message: string }[];
}

/**
 * Closes every object of the schema that does not say otherwise. The parts of an intersection stay open, and the
 * intersection is closed as a whole. The branches of unions in it are closed only together.
 */
export function strict(schema: TSchema): JsonSchema {
  return mapSchema(jsonSchemaOf(schema), (inner) => {
    if (inner.allOf) {
      const allOf = inner.allOf.map(reopened);
      return { ...inner, allOf, unevaluatedProperties: inner.unevaluatedProperties ?? false };
    }
    if (inner.type === 'object' && inner.properties && inner.additionalProperties === undefined) {
      return { ...inner, additionalProperties: false };
    }
    return inner;
  });
}

/** A closed part would refuse the fields of the other parts. */
function reopened(part: JsonSchema): JsonSchema {
  const { additionalProperties, unevaluatedProperties, ...open } = part;
  if (part.anyOf) return { ...open, anyOf: part.anyOf.map(reopened) };
  return additionalProperties === false || unevaluatedProperties === false ? open : part;
}

const answerValidators = new WeakMap<Endpoint, StrictValidator>();
const NO_FIELDS: TProperties = {};
/** By the fields that the endpoint adds, and the code. */
const errorValidators = new WeakMap<TProperties, Map<ErrorCode, StrictValidator>>();
const WIRE_CODES = new Set((Object.keys(errorDefinitions) as ErrorCode[]).map(wireCodeOf));

/**
 * Throws an error if a response of the endpoint violates the contract.
 * @param body the body as sent
 */
export function checkAnswer(endpoint: Endpoint, status: number, body: string | Buffer): void {
  const what = `${endpoint.method} ${endpoint.path} answered ${status}`;
  // Pages may have any status. Errors before them are JSON.
  if (otherResponseOf(endpoint) !== undefined && (status < 400 || !body.toString().startsWith('{'))) return;
  // Refusals of another protocol have its own format, earlier ones have the usual format.
  if (otherResponseOf(endpoint)?.kind === 'protocol' && !body.toString().startsWith('{"result"')) return;
  const value = parse(body.toString(), what);
  if (status === 200) conform(answerValidator(endpoint), withoutEnvelope(value, what), what);
  else checkError(endpoint, status, value, what);
}

function answerValidator(endpoint: Endpoint): StrictValidator {
  let validator = answerValidators.get(endpoint);
  if (!validator) {
    validator = Compile(strict(responseSchemaOf(endpoint) ?? Type.Never()));
    answerValidators.set(endpoint, validator);
  }
  return validator;
}

/** The return values without the envelope. */
function withoutEnvelope(body: unknown, what: string): object {
  if (typeof body !== 'object' || body === null) throw new Error(`${what} with no object`);
  const { result, msg, ignored_parameters_unsupported: ignored, ...values }: { [field: string]: unknown } = { ...body };
  if (result !== 'success' || msg !== '') throw new Error(`${what} without the envelope of a success`);
  const isList = Array.isArray(ignored) && ignored.length > 0 && ignored.every((name) => typeof name === 'string');
  if (ignored !== undefined && !isList) throw new Error(`${what}: ignored_parameters_unsupported lists no names`);
  return values;
}

function checkError(endpoint: Endpoint, status: number, value: unknown, what: string): void {
  const wireCode = wireCodeIn(value, what);
  const known = errorCodesOf(endpoint).filter((one) => wireCodeOf(one) === wireCode);
  if (known.length === 0) throw new Error(`${what} with ${wireCode}, which the contract does not name`);
  const code = meantBy(
    known.filter((one) => errorDefinitions[one].status === status),
    value,
  );
  if (code === undefined) {
    const statuses = known.map((one) => errorDefinitions[one].status);
    throw new Error(`${what} with ${wireCode}, whose status is ${statuses.join(' or ')}`);
  }
  const { errorFields = NO_FIELDS } = endpoint;
  const validators = errorValidators.get(errorFields) ?? new Map<ErrorCode, StrictValidator>();
  errorValidators.set(errorFields, validators);
  let validator = validators.get(code);
  if (!validator) {
    const envelope = {
      result: Type.Literal('error'),
      msg: Type.String({ minLength: 1 }),
      code: Type.Literal(wireCode),
    };
    validator = Compile(strict(Type.Object({ ...envelope, ...errorFields, ...errorDefinitions[code].extra })));
    validators.set(code, validator);
  }
  conform(validator, value, what);
}

/** Among errors with the same status and code, returns the one with the most extra fields in the body. */
function meantBy(codes: readonly ErrorCode[], value: unknown): ErrorCode | undefined {
  const fields = (code: ErrorCode) => Object.keys(errorDefinitions[code].extra);
  const fitting = codes.filter((code) => fields(code).every((name) => Object.hasOwn(Object(value), name)));
  return fitting.toSorted((a, b) => fields(b).length - fields(a).length)[0] ?? codes[0];
}

function wireCodeIn(value: unknown, what: string): string {
  const code = typeof value === 'object' && value !== null && 'code' in value ? value.code : undefined;
  if (typeof code === 'string' && WIRE_CODES.has(code)) return code;
  throw new Error(`${what} with the unknown code ${JSON.stringify(code)}`);
}

function parse(body: string, what: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new Error(`${what} with what is not JSON: ${body.slice(0, 200)}`);
  }
}

function conform(validator: StrictValidator, value: unknown, what: string): void {
  if (validator.Check(value)) return;
  const errors = validator.Errors(value).map(({ instancePath, message }) => `${instancePath || 'the body'} ${message}`);
  const [first = 'it does not fit', ...others] = new Set(errors);
  const more = others.length > 0 ? ` (and ${others.slice(0, 4).join('; ')})` : '';
  throw new Error(`${what} against the contract: ${first}${more}\n${JSON.stringify(value).slice(0, 2000)}`);
}
