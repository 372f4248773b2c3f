/**
 * Bounds of all lists and texts in requests. The server checks them before it processes a request, so that one client cannot delay the
 * others. Ordinary clients never reach a bound.
 */
import Type, { type TArray, type TArrayOptions, type TSchema, type TString, type TStringOptions } from 'typebox';

/** Default maximum length of a text, in characters. */
const MAX_TEXT_LENGTH = 10_000;
/** Maximum length of message content in a request, in characters. It exceeds `max_message_length`, because clients rely on truncation. */
export const MAX_CONTENT_LENGTH = 1_000_000;
/** Maximum length of the custom welcome message, in characters (interface document, "Limits"). */
export const MAX_WELCOME_TEXT_LENGTH = 8000;
/** Maximum number of users in one request. */
export const MAX_USERS_PER_REQUEST = 50_000;
/** Maximum number of recipients of a direct message. */
export const MAX_RECIPIENTS = 500;
/** Maximum number of channels in one request. */
export const MAX_CHANNELS_PER_REQUEST = 500;
/** Maximum number of groups in one request. */
export const MAX_GROUPS_PER_REQUEST = 1000;
/** Maximum number of terms in a narrow. */
export const MAX_NARROW_TERMS = 100;

/** A string with a maximum length, `MAX_TEXT_LENGTH` by default. */
export function text(options: TStringOptions = {}): TString {
  return Type.String({ maxLength: MAX_TEXT_LENGTH, ...options });
}

/** An array of at most `maxItems` items. */
export function list<Item extends TSchema>(items: Item, maxItems: number, options: TArrayOptions = {}): TArray<Item> {
  return Type.Array(items, { ...options, maxItems });
}
