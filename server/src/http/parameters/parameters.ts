import type { Endpoint, Parameter } from '@heddle/api/contract.ts';
import {
  type ApiError,
  badRequest,
  confusingParameters,
  invalidChoice,
  invalidParameter,
  invalidValue,
  missingParameter,
} from '@heddle/api/errors.ts';
import { type JsonSchema, jsonSchemaOf, mapSchema, stringChoices, takesStrings } from '@heddle/api/json-schema.ts';
import { Compile } from 'typebox/compile';
import type { Fields } from '../bodies/url-encoded.ts';
import { CSRF_FIELD } from '../requests/csrf.ts';
import { compileBounds } from './bounds.ts';
import { compilePieces, JsonBudget } from './json-pieces.ts';
import { NOT_LISTED, problemWith } from './parameter-problems.ts';

export interface DecodedParameters {
  /** Every parameter of the endpoint, in its order; `undefined` if an optional one is absent. */
  readonly values: { readonly [name: string]: unknown };
  /** The names that the endpoint does not know, if any, in alphabetical order: for `ignored_parameters_unsupported`. */
  readonly ignored: readonly string[] | undefined;
}

export type DecodeParameters = (path: Fields, query: Fields, form: Fields | undefined) => DecodedParameters;

/** Turns a text into a value, or throws what is wrong with it. */
type Read = (text: string) => unknown;

/** Parameters that every endpoint takes: the client's name (see `../requests/user-agent.ts`), and the token of forms. */
const universalNames = ['client', CSRF_FIELD];

/**
 * The decoder of an endpoint's parameters. A field of the form takes precedence over one of the query, and the last of several over the
 * others, as clients of this API expect.
 *
 * The decoder throws `REQUEST_VARIABLE_MISSING`, `BAD_REQUEST` and `REQUEST_CONFUSING_VAR` for the first wrong parameter in the endpoint's
 * order.
 */
export function compileParameters(endpoint: Endpoint): DecodeParameters {
  const budget = new JsonBudget();
  const parameters = Object.entries(endpoint.parameters).map(([name, parameter]) => ({
    name,
    inPath: parameter.presence === 'path',
    required: parameter.presence === 'required' || parameter.presence === 'path',
    fallback: parameter.default,
    aliases: parameter.aliases,
    read: readerOf(name, parameter, budget),
  }));
  const known = new Set(universalNames);
  for (const { name, inPath, aliases } of parameters) {
    if (!inPath) for (const spelling of [name, ...aliases]) known.add(spelling);
  }

  return (path, query, form) => {
    budget.begin();
    const values: { [name: string]: unknown } = {};
    for (const { name, inPath, required, fallback, aliases, read } of parameters) {
      let text = inPath ? path[name] : (form?.[name] ?? query[name]);
      if (aliases.length > 0) {
        let spelling = text === undefined ? undefined : name;
        for (const alias of aliases) {
          const other = form?.[alias] ?? query[alias];
          if (other === undefined) continue;
          if (spelling !== undefined) throw confusingParameters(spelling, alias);
          spelling = alias;
          text = other;
        }
      }
      if (text === undefined) {
        if (required) throw missingParameter(name);
        values[name] = fallback;
      } else {
        values[name] = read(typeof text === 'string' ? text : (text.at(-1) ?? ''));
      }
    }
    let ignored: string[] | undefined;
    for (const name in query) if (!known.has(name)) ignored = append(ignored, name);
    if (form)
      for (const name in form) if (!known.has(name) && query[name] === undefined) ignored = append(ignored, name);
    return { values, ignored: ignored?.sort() };
  };
}

const decoders = new WeakMap<Endpoint, DecodeParameters>();

/** The endpoint's decoder. It is compiled at the first request, because compiling all of them takes half the time of a start. */
export function decoderOf(endpoint: Endpoint): DecodeParameters {
  let decode = decoders.get(endpoint);
  if (decode === undefined) {
    decode = compileParameters(endpoint);
    decoders.set(endpoint, decode);
  }
  return decode;
}

function append(names: string[] | undefined, name: string): string[] {
  if (!names) return [name];
  names.push(name);
  return names;
}

function readerOf(name: string, parameter: Parameter, budget: JsonBudget): Read {
  const schema = mapSchema(jsonSchemaOf(parameter.schema), withSafeIntegers);
  const read = readerOfSchema(name, schema, budget, parameter.saysWhy);
  const omissible = parameter.presence === 'optional' || parameter.presence === 'defaulted';
  if (!omissible || takesStrings(schema) || Compile(schema).Check(null)) return read;
  // zulip-js sends `event_types=null` if its caller gave none. So null is no value, unless the schema accepts null.
  return (text) => (text === 'null' ? parameter.default : read(text));
}

/** Integers beyond 2^53 would be rounded, and so change their meaning. */
function withSafeIntegers(schema: JsonSchema): JsonSchema {
  if (schema.type !== 'integer') return schema;
  return { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, ...schema };
}

function readerOfSchema(name: string, schema: JsonSchema, budget: JsonBudget, saysWhy?: boolean): Read {
  const choices = stringChoices(schema);
  if (choices) return choiceReader(name, choices, saysWhy);
  switch (schema.type) {
    case 'string':
      return stringReader(name, schema);
    case 'integer':
      return integerReader(name, schema);
    case 'boolean':
      return (text) => {
        if (text === 'true') return true;
        if (text === 'false') return false;
        throw plainProblem(name, text, 'is not a boolean');
      };
    default:
      return takesStrings(schema) ? looseReader(name, schema, budget) : jsonReader(name, schema, budget);
  }
}

/** A string out of a few. Clients also send quoted ones, which can mean nothing else. `saysWhy`: see `Parameter`. */
function choiceReader(name: string, choices: readonly string[], saysWhy = false): Read {
  const known = new Set(choices);
  return (text) => {
    if (known.has(text)) return text;
    const quoted = text.startsWith('"') ? parseJson(text) : undefined;
    if (typeof quoted === 'string' && known.has(quoted)) return quoted;
    throw saysWhy ? invalidValue(name, NOT_LISTED) : invalidChoice(name);
  };
}

/** A bare string: quotes are part of it. */
function stringReader(name: string, schema: JsonSchema): Read {
  const isPlain = Object.keys(schema).every((keyword) => keyword === 'type' || keyword === 'description');
  const validator = Compile(schema);
  const checkBounds = compileBounds(schema);
  return (text) => {
    checkBounds(text, name);
    refuseNull(text, name);
    if (!isPlain && !validator.Check(text)) throw problemWith(schema, text, name);
    return text;
  };
}

const integerPattern = /^\s*-?(?:0|[1-9]\d*)\s*$/;

function integerReader(name: string, schema: JsonSchema): Read {
  const validator = Compile(schema);
  return (text) => {
    if (!integerPattern.test(text)) throw plainProblem(name, text, 'is not an integer');
    const value = Number(text);
    if (!validator.Check(value)) throw problemWith(schema, value, name);
    return value;
  };
}

/** Characters. Parsing more only for the text of an error would be a waste. */
const MAX_PARSED_FOR_ERROR_LENGTH = 1000;

/**
 * The error for a text that is no integer or boolean. These are JSON too, so the reference distinguishes a text that is not JSON (`x`, or
 * Python's `True`) from JSON of another type (`"5"`).
 */
function plainProblem(name: string, text: string, problem: string): ApiError {
  const isJson = text.length > MAX_PARSED_FOR_ERROR_LENGTH || parseJson(text) !== undefined;
  return invalidParameter(name, isJson ? problem : 'is not valid JSON');
}

/** A list, an object, a number, or a union without strings: JSON. */
function jsonReader(name: string, schema: JsonSchema, budget: JsonBudget): Read {
  const validator = Compile(schema);
  const checkPieces = compilePieces(schema, budget);
  const checkBounds = compileBounds(schema);
  return (text) => {
    checkPieces(text, name);
    const value = parseJson(text);
    if (value === undefined) throw invalidParameter(name, 'is not valid JSON');
    checkBounds(value, name);
    refuseUnstorable(text, value, name);
    if (!fits(validator, value, name)) throw problemWith(schema, value, name);
    return value;
  };
}

/**
 * A union of strings and other types: the JSON value, if the text is JSON that fits (`5`, `[5]`, `"a name"`), or else the bare text. A list
 * or an object that does not fit is an error, never a strange name.
 */
function looseReader(name: string, schema: JsonSchema, budget: JsonBudget): Read {
  const validator = Compile(schema);
  const checkPieces = compilePieces(schema, budget);
  const checkBounds = compileBounds(schema);
  const isComposite = takesComposites(schema);
  return (text) => {
    const isJson = couldBeJson.test(text);
    if (isJson && /^\s*[[{]/.test(text)) checkPieces(text, name);
    const value = isJson ? parseJson(text) : undefined;
    if (value !== undefined) {
      checkBounds(value, name);
      refuseUnstorable(text, value, name);
      if (fits(validator, value, name)) return value;
      if (isComposite && typeof value === 'object' && value !== null) throw problemWith(schema, value, name);
    }
    checkBounds(text, name);
    refuseNull(text, name);
    if (!validator.Check(text)) throw problemWith(schema, text, name);
    return text;
  };
}

/** A quick test for bare names: failing to parse costs much more. */
const couldBeJson = /^\s*(?:[[{"\-\d]|(?:true|false|null)\s*$)/;

function takesComposites(schema: JsonSchema): boolean {
  return schema.anyOf?.some((branch) => branch.type === 'array' || branch.type === 'object') ?? false;
}

/** `undefined` for text that is not JSON. JSON cannot express it. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Validator {
  Check(value: unknown): boolean;
}

function fits(validator: Validator, value: unknown, name: string): boolean {
  try {
    return validator.Check(value);
  } catch (error) {
    // A recursive schema is checked recursively, and the client chose the depth.
    if (error instanceof RangeError) throw invalidParameter(name, 'is nested too deeply');
    throw error;
  }
}

/** PostgreSQL's text accepts every character but this one. */
function refuseNull(text: string, name: string): void {
  if (!text.includes('\0')) return;
  // The reference has texts of its own for messages and topics.
  if (name === 'content') throw badRequest('Message must not contain null bytes');
  if (name === 'topic') throw badRequest(`Invalid character in topic, at position ${placeOfNull(text)}!`);
  throw nullByte(name);
}

/** Counts characters from 1, without white space at the beginning, which topics lose. */
function placeOfNull(text: string): number {
  return [...text.slice(0, text.indexOf('\0')).trimStart()].length + 1;
}

function nullByte(name: string): ApiError {
  return invalidParameter(name, 'contains a null byte');
}

const suspiciousEscape = /\\u(?:0000|d[89a-f])/i;

/** Refuses strings that JSON can express and the database cannot store: null bytes and lone surrogates. */
function refuseUnstorable(text: string, value: unknown, name: string): void {
  if (!suspiciousEscape.test(text)) return;
  // Not recursive, because the client chose the depth.
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === 'string') {
      if (next.includes('\0')) throw nullByte(name);
      if (!next.isWellFormed()) throw invalidParameter(name, 'is not valid Unicode');
    } else if (typeof next === 'object' && next !== null) {
      // Values that the schema does not know have no bounds and may be long. So lists are not turned into pairs.
      if (!Array.isArray(next)) for (const key of Object.keys(next)) pending.push(key);
      for (const content of Object.values(next)) pending.push(content);
    }
  }
}
