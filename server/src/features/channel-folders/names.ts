import { badRequest } from '@heddle/api/errors.ts';
import { MAX_FOLDER_DESCRIPTION_LENGTH, MAX_FOLDER_NAME_LENGTH } from '@heddle/api/objects/channel-folder.ts';

/** As in channel names: control characters, lone surrogates and characters that Unicode has not assigned. */
const INVALID = /[\p{Cc}\p{Cs}\p{Cn}]/u;

/**
 * The folder's name as it is stored.
 * @throws ApiError `BAD_REQUEST`
 */
export function checkedFolderName(text: string): string {
  const name = text.trim();
  const characters = [...name];
  if (name === '') throw badRequest("Channel folder name can't be empty.");
  if (characters.length > MAX_FOLDER_NAME_LENGTH) {
    throw badRequest(`name is too long (limit: ${MAX_FOLDER_NAME_LENGTH} characters)`);
  }
  const position = characters.findIndex((character) => INVALID.test(character));
  if (position >= 0) throw badRequest(`Invalid character in channel folder name, at position ${position + 1}.`);
  return name;
}

/** @throws ApiError `BAD_REQUEST` */
export function checkedFolderDescription(text: string): string {
  if ([...text].length > MAX_FOLDER_DESCRIPTION_LENGTH) {
    throw badRequest(`description is too long (limit: ${MAX_FOLDER_DESCRIPTION_LENGTH} characters)`);
  }
  if (/[\0\p{Cs}]/u.test(text)) throw badRequest('description has an invalid character');
  return text;
}
