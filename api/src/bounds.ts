/**
 * Every list and every text that a request can carry has a bound, checked before anything looks at what is in it: what one client
 * sends must not keep the others waiting. No client that does its work meets one of them.
 */
import Type, { type TArray, type TArrayOptions, type TSchema, type TString, type TStringOptions } from 'typebox';

/** Characters of a text of which nothing else is said. */
export const LONGEST_TEXT = 10_000;
/** Characters of a message before it is cut: far more than are kept, since programs rely on the cutting. */
export const LONGEST_CONTENT = 1_000_000;
/** Characters of what the welcome bot says besides (interface document, "Limits"). */
export const LONGEST_WELCOME_TEXT = 8000;
/** Users that one request can name to do something with all of them. */
export const MOST_USERS = 50_000;
/** Users in a direct conversation, as a request names them. */
export const MOST_RECIPIENTS = 500;
/** Channels that one request can name. */
export const MOST_CHANNELS = 500;
/** Groups that one request can name. */
export const MOST_GROUPS = 1000;
/** Terms of a narrow. */
export const MOST_TERMS = 100;

/** A text parameter, or a text in one. */
export function text(options: TStringOptions = {}): TString {
  return Type.String({ maxLength: LONGEST_TEXT, ...options });
}

/** A list parameter, or a list in one, of at most `maxItems`. */
export function list<Item extends TSchema>(items: Item, maxItems: number, options: TArrayOptions = {}): TArray<Item> {
  return Type.Array(items, { ...options, maxItems });
}
