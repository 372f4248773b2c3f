import { type ApiError, badRequest } from '@heddle/api/errors.ts';
import type { Directory } from '../../directory/directory.ts';

const MAXIMUM_NAME_LENGTH = 100;
const MAXIMUM_DESCRIPTION_LENGTH = 1024;
/** Prefixes of system group names and of other mentions. */
const RESERVED = ['@', 'role:', 'user:', 'stream:', 'channel:'];

/** As for channels: control characters, lone surrogates and unassigned characters. */
const INVALID = /[\p{Cc}\p{Cs}\p{Cn}]/u;

/**
 * Returns the name as it is stored.
 * @param groupId the group that gets the name; absent for a new one
 * @throws ApiError `BAD_REQUEST`: the name is invalid, or another group has it, even a deactivated one
 */
export function checkedGroupName(directory: Directory, text: string, groupId?: number): string {
  const name = checkedGroupText(text);
  const holder = directory.groups.byName(name);
  if (holder !== undefined && holder.id !== groupId) throw groupNameTaken(name);
  return name;
}

/**
 * A name that another group may have.
 * @throws ApiError `BAD_REQUEST`
 */
export function checkedGroupText(text: string): string {
  const name = text.trim().normalize('NFC');
  if (name === '') throw badRequest("User group name can't be empty!");
  if ([...name].length > MAXIMUM_NAME_LENGTH) {
    throw badRequest(`User group name cannot exceed ${MAXIMUM_NAME_LENGTH} characters.`);
  }
  const position = [...name].findIndex((character) => INVALID.test(character));
  if (position >= 0) throw badRequest(`Invalid character in user group name, at position ${position + 1}.`);
  const prefix = RESERVED.find((start) => name.startsWith(start));
  if (prefix !== undefined) throw badRequest(`User group name cannot start with '${prefix}'.`);
  return name;
}

export function groupNameTaken(name: string): ApiError {
  return badRequest(`User group '${name}' already exists.`);
}

/** @throws ApiError `BAD_REQUEST`: it is too long */
export function checkedGroupDescription(text: string): string {
  if ([...text].length > MAXIMUM_DESCRIPTION_LENGTH) {
    throw badRequest(`description is too long (limit: ${MAXIMUM_DESCRIPTION_LENGTH} characters)`);
  }
  return text;
}
