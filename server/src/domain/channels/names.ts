import { badRequest } from '@heddle/api/errors.ts';
import { MAX_CHANNEL_DESCRIPTION_LENGTH, MAX_CHANNEL_NAME_LENGTH } from '@heddle/api/objects/channel.ts';

/** Control characters, lone surrogates and characters that Unicode has not assigned. */
const INVALID = /[\p{Cc}\p{Cs}\p{Cn}]/u;

/**
 * The channel's name as it is stored.
 * @throws ApiError `BAD_REQUEST`
 */
export function checkedChannelName(text: string): string {
  const name = text.trim();
  const characters = [...name];
  if (name === '') throw badRequest("Channel name can't be empty.");
  if (characters.length > MAX_CHANNEL_NAME_LENGTH) {
    throw badRequest(`Channel name too long (limit: ${MAX_CHANNEL_NAME_LENGTH} characters).`);
  }
  const position = characters.findIndex((character) => INVALID.test(character));
  if (position >= 0) throw badRequest(`Invalid character in channel name, at position ${position + 1}.`);
  return name;
}

/** All characters that readers, or the markup parser, treat as a line break. */
const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;

/**
 * Returns the channel's description as it is stored, on one line. The notification bot quotes it, and a second line
 * could end the quote.
 * @throws ApiError `BAD_REQUEST`
 */
export function checkedChannelDescription(text: string): string {
  const description = text.trim().replace(LINE_BREAK, ' ');
  if ([...description].length > MAX_CHANNEL_DESCRIPTION_LENGTH) {
    throw badRequest(`description is too long (limit: ${MAX_CHANNEL_DESCRIPTION_LENGTH} characters)`);
  }
  return description;
}
