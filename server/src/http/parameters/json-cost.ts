/** How long it takes to parse JSON, known before. `JSON.parse` cannot be interrupted, and everybody waits for it. */
import { randomInt } from 'node:crypto';

/** The most that one request may cost. A push of 2,048 commits costs half as much. */
export const MAX_JSON_COST_MICROSECONDS = 40_000;
/** No program needs deeper lists, and each level costs several times as much as a neighbor. */
export const MAX_JSON_DEPTH_LEVELS = 500;

/** A name of a field that the text has not used before. Objects with other names share nothing with earlier ones. */
const MAX_NEW_NAME_MICROSECONDS = 1.5;
const MAX_STRING_MICROSECONDS = 0.5;
/** An opening bracket, or a field with a known name. */
const MAX_PIECE_MICROSECONDS = 0.15;
const MAX_ITEM_MICROSECONDS = 0.1;

const QUOTE_CODE = 34;
const COMMA_CODE = 44;
const COLON_CODE = 58;
const BACKSLASH_CODE = 92;

/** Which names the text has used, by a hash: one bit for each. */
const MAX_NAME_HASHES = 2 ** 18;
/** A sender cannot know which names have the same hash. */
const HASH_SEED = randomInt(2 ** 31);
const HASH_FACTOR = 0x0100_0193 + 2 * randomInt(2 ** 12);

/**
 * An upper estimate of the time to parse the text, in microseconds of a slow machine. Infinity if it is nested too deeply. It stops at
 * `enough`. For 2 MB it takes some milliseconds. The text need not be JSON.
 */
export function jsonCost(text: string, enough = MAX_JSON_COST_MICROSECONDS): number {
  const known = new Uint32Array(MAX_NAME_HASHES / 32);
  /** The names of the object so far, by depth. */
  const names = new Int32Array(MAX_JSON_DEPTH_LEVELS + 1);
  let cost = 0;
  let depth = 0;
  /** Of the last string. */
  let hash = 0;
  for (let at = 0; at < text.length && cost <= enough; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE_CODE:
        hash = HASH_SEED;
        for (at++; at < text.length; at++) {
          const code = text.charCodeAt(at);
          if (code === QUOTE_CODE) break;
          hash = Math.imul(hash ^ code, HASH_FACTOR);
          if (code === BACKSLASH_CODE) hash = Math.imul(hash ^ text.charCodeAt(++at), HASH_FACTOR);
        }
        cost += MAX_STRING_MICROSECONDS;
        break;
      case COLON_CODE: {
        // The same names in another order are another kind of object.
        hash = Math.imul((names[depth] ?? 0) ^ hash, HASH_FACTOR);
        names[depth] = hash;
        const bit = (hash ^ (hash >>> 15)) & (MAX_NAME_HASHES - 1);
        const word = known[bit >>> 5] ?? 0;
        const isKnown = (word & (1 << (bit & 31))) !== 0;
        known[bit >>> 5] = word | (1 << (bit & 31));
        // The string was the name of a field.
        cost += (isKnown ? MAX_PIECE_MICROSECONDS : MAX_NEW_NAME_MICROSECONDS) - MAX_STRING_MICROSECONDS;
        break;
      }
      case COMMA_CODE:
        cost += MAX_ITEM_MICROSECONDS;
        break;
      case 91: // [
      case 123: // {
        if (++depth > MAX_JSON_DEPTH_LEVELS) return Number.POSITIVE_INFINITY;
        names[depth] = 0;
        cost += MAX_PIECE_MICROSECONDS;
        break;
      case 93: // ]
      case 125: // }
        depth--;
        break;
    }
  }
  return cost;
}
