/** How much JSON a parameter may contain, by its schema. Parsing takes time for each list, object and field, and cannot be interrupted. */
import { invalidParameter } from '@heddle/api/errors.ts';
import { isSchemaList, type JsonSchema } from '@heddle/api/json-schema.ts';
import { jsonCost, MAX_JSON_COST_MICROSECONDS, MAX_JSON_DEPTH_LEVELS } from './json-cost.ts';

/** Throws for JSON that contains more than its schema could use. Accepted text need not be JSON. */
export type CheckPieces = (text: string, name: string) => void;

/** What a value can contain. Lists, objects and their fields take ten times as long to parse as the items between commas. */
interface Pieces {
  /** Opening brackets and colons. */
  readonly marks: number;
  readonly commas: number;
}

const NONE: Pieces = { marks: 0, commas: 0 };
/** For a schema that sets no limit. */
const ANYTHING: Pieces = { marks: 10_000, commas: 100_000 };
/** The allowance besides twice what the schema names, for fields of later clients and servers. */
const MAX_UNKNOWN_PIECES = 1000;
/** Shorter texts are parsed at once. */
const MAX_UNCHECKED_LENGTH = 500;
/** Shorter texts take less than a millisecond. */
const MAX_CHEAP_LENGTH = 2000;

const QUOTE_CODE = 34;
const BACKSLASH_CODE = 92;

/** What all parameters of one request may cost together. */
export class JsonBudget {
  #left = MAX_JSON_COST_MICROSECONDS;

  /** The next request begins. A request is decoded without waiting, so a decoder needs one budget. */
  begin(): void {
    this.#left = MAX_JSON_COST_MICROSECONDS;
  }

  /** Returns whether the text may be parsed. */
  spend(text: string): boolean {
    this.#left -= jsonCost(text, this.#left);
    return this.#left >= 0;
  }
}

/** A check before a text is parsed. For the 4 MB of a form it takes some milliseconds, while parsing takes a second. */
export function compilePieces(schema: JsonSchema, budget: JsonBudget): CheckPieces {
  const named = piecesOf(schema);
  const limit = {
    marks: MAX_UNKNOWN_PIECES + 2 * Math.min(named.marks, ANYTHING.marks),
    commas: MAX_UNKNOWN_PIECES + 2 * Math.min(named.commas, ANYTHING.commas),
  };
  return (text, name) => {
    if (text.length > MAX_UNCHECKED_LENGTH) check(text, name, limit);
    if (text.length > MAX_CHEAP_LENGTH && !budget.spend(text)) {
      throw invalidParameter(name, 'is too long: it has too many different values in it');
    }
  };
}

/** The contents of the longest value that fits. */
function piecesOf(schema: JsonSchema): Pieces {
  const branches = schema.anyOf ?? schema.allOf;
  if (branches !== undefined) return most(branches.map(piecesOf));
  switch (schema.type) {
    case 'array':
      return plus({ marks: 1, commas: 0 }, times(schema.maxItems, plus({ marks: 0, commas: 1 }, piecesOfItem(schema))));
    case 'object':
      return plus({ marks: 1, commas: 0 }, piecesOfFields(schema));
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
    case 'null':
      return NONE;
    default:
      return schema.const === undefined && schema.enum === undefined ? ANYTHING : NONE;
  }
}

function piecesOfItem({ items }: JsonSchema): Pieces {
  if (isSchemaList(items)) return most(items.map(piecesOf));
  return typeof items === 'object' ? piecesOf(items) : ANYTHING;
}

const FIELD: Pieces = { marks: 1, commas: 1 };

function piecesOfFields({
  properties = {},
  patternProperties = {},
  additionalProperties,
  maxProperties,
}: JsonSchema): Pieces {
  const named = Object.values(properties).reduce((sum, property) => plus(sum, plus(FIELD, piecesOf(property))), NONE);
  const others = Object.values(patternProperties);
  if (typeof additionalProperties === 'object') others.push(additionalProperties);
  return others.length === 0 ? named : plus(named, times(maxProperties, plus(FIELD, most(others.map(piecesOf)))));
}

function plus(one: Pieces, other: Pieces): Pieces {
  return { marks: one.marks + other.marks, commas: one.commas + other.commas };
}

/** @param count undefined: no bound */
function times(count: number | undefined, { marks, commas }: Pieces): Pieces {
  if (count === undefined) return ANYTHING;
  return { marks: count * marks, commas: count * commas };
}

function most(pieces: readonly Pieces[]): Pieces {
  return {
    marks: Math.max(0, ...pieces.map(({ marks }) => marks)),
    commas: Math.max(0, ...pieces.map(({ commas }) => commas)),
  };
}

function check(text: string, name: string, limit: Pieces): void {
  let marks = 0;
  let commas = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE_CODE:
        at = endOfString(text, at);
        break;
      case 91: // [
      case 123: // {
        if (++depth > MAX_JSON_DEPTH_LEVELS) throw invalidParameter(name, 'is nested too deeply');
        if (++marks > limit.marks) throw invalidParameter(name, 'is too long: it has too many lists and objects in it');
        break;
      case 93: // ]
      case 125: // }
        depth--;
        break;
      case 58: // :
        if (++marks > limit.marks) throw invalidParameter(name, 'is too long: it has too many fields in it');
        break;
      case 44: // ,
        if (++commas > limit.commas) throw invalidParameter(name, 'is too long: it has too many items in it');
        break;
    }
  }
}

/** Where the string that begins at `start` ends. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH_CODE) at++;
    else if (code === QUOTE_CODE) break;
  }
  return at;
}
