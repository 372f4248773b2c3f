/** Checks that a name or an address is free. */
import { badRequest } from '@heddle/api/errors.ts';
import { standInUserId } from '../../../access/addresses.ts';
import { organizationSetting } from '../../../access/organization-settings.ts';
import type { Directory } from '../../../directory/directory.ts';
import { msg } from '../../../languages/language.ts';
import { checkedEmail, checkedFullName } from './names.ts';

/**
 * The full name as it is stored. If names must be unique, two names that look alike conflict.
 * @param own the account that gets the name; undefined for a new account
 * @throws ApiError `BAD_REQUEST`
 */
export function freeFullName(directory: Directory, text: string, own?: number): string {
  const fullName = checkedFullName(text);
  if (!organizationSetting(directory, 'require_unique_names')) return fullName;
  const key = uniqueKey(fullName);
  for (const others of [directory.users, directory.systemBots]) {
    for (const { id, fullName: theirs } of others.values()) {
      if (id !== own && uniqueKey(theirs) === key) throw badRequest(msg('Unique names required in this organization.'));
    }
  }
  return fullName;
}

/**
 * Whether an active account has the name of a bot, or one of the server's own bots. Such a bot could not be told from it.
 * @param own the bot that has the name or gets it; undefined for a new one
 */
export function isBotNameTaken(directory: Directory, name: string, own?: number): boolean {
  return directory.correspondentsByName(name).some(({ id, isActive }) => isActive && id !== own);
}

function uniqueKey(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

/**
 * The address as it is stored. It must belong to no other account, and must not have the form of a placeholder address.
 * @param own the account that gets the address; undefined for a new account
 * @throws ApiError `BAD_REQUEST`
 */
export function freeEmail(directory: Directory, text: string, own?: number): string {
  const email = checkedEmail(text);
  const taken = directory.correspondentByEmail(email);
  if (taken !== undefined && taken.id !== own) throw badRequest(`Email '${email}' already in use`);
  if (standInUserId(email, directory.host) !== undefined) throw badRequest('Enter a valid email address.');
  return email;
}
