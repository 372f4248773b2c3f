import { badRequest } from '@heddle/api/errors.ts';
import { MAX_ORGANIZATION_NAME_LENGTH } from '@heddle/api/objects/realm.ts';

/**
 * The name as it is stored.
 * @throws ApiError `BAD_REQUEST`
 */
export function checkedOrganizationName(text: string): string {
  const name = text.trim().normalize('NFC');
  if (name === '') throw badRequest('Organization name cannot be blank.');
  if ([...name].length > MAX_ORGANIZATION_NAME_LENGTH) {
    throw badRequest(`Organization name is too long: it can have up to ${MAX_ORGANIZATION_NAME_LENGTH} characters`);
  }
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) throw badRequest('Organization name has invalid characters.');
  return name;
}
