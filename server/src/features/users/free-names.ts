/** Names and addresses that an account may have, beside those of all others. */
import { badRequest } from '@heddle/api/errors.ts';
import { standInAddress } from '../../access/addresses.ts';
import { organizationSetting } from '../../access/organization-settings.ts';
import type { Directory } from '../../directory/directory.ts';
import { checkedEmail, checkedFullName } from './names.ts';

/**
 * The full name as it is stored. Where names must be unique, those that look alike are the same.
 * @param own the account that is to have it; undefined for a new one
 * @throws ApiError `BAD_REQUEST`
 */
export function freeFullName(directory: Directory, text: string, own?: number): string {
  const fullName = checkedFullName(text);
  if (!organizationSetting(directory, 'require_unique_names')) return fullName;
  const key = uniqueKey(fullName);
  for (const others of [directory.users, directory.systemBots]) {
    for (const { id, fullName: theirs } of others.values()) {
      if (id !== own && uniqueKey(theirs) === key) throw badRequest('Unique names required in this organization.');
    }
  }
  return fullName;
}

function uniqueKey(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

/**
 * The address as it is stored: nobody else's, and none that stands for somebody's.
 * @param own the account that is to have it; undefined for a new one
 * @throws ApiError `BAD_REQUEST`
 */
export function freeEmail(directory: Directory, text: string, own?: number): string {
  const email = checkedEmail(text);
  const taken = directory.correspondentByEmail(email);
  if (taken !== undefined && taken.id !== own) throw badRequest(`Email '${email}' already in use`);
  const [, id] = /^user(\d{1,10})@/i.exec(email) ?? [];
  if (id !== undefined && email.toLowerCase() === standInAddress(Number(id), directory.host)) {
    throw badRequest('Enter a valid email address.');
  }
  return email;
}
