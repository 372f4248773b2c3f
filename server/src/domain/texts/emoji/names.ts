import { badRequest } from '@heddle/api/errors.ts';

const MAX_NAME_LENGTH = 100;

/**
 * Returns the stored name, with underscores for spaces (public reference: "Upload custom emoji").
 * @throws ApiError `BAD_REQUEST`
 */
export function checkedEmojiName(given: string): string {
  const name = given.trim().replaceAll(' ', '_');
  if (name === '') throw badRequest('Emoji name is missing');
  if (!/^[0-9a-z_-]+$/.test(name)) {
    throw badRequest(
      'Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.',
    );
  }
  if (/[_-]$/.test(name)) throw badRequest('Emoji names must end with either a letter or digit.');
  if (name.length > MAX_NAME_LENGTH) throw badRequest(`Emoji names can have up to ${MAX_NAME_LENGTH} characters.`);
  return name;
}
