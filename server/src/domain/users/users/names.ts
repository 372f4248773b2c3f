import { badRequest } from '@heddle/api/errors.ts';
import { msg } from '../../../languages/language.ts';

/** Characters with a meaning in mentions and Markdown. */
const RESERVED = /[*`\\>"@]/;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;
/** These join letters of some scripts, and parts of emoji. */
const JOINERS = /[\u200c\u200d]/g;
const MAXIMUM_NAME_LENGTH = 100;
const MAXIMUM_EMAIL_LENGTH = 254;

/**
 * The full name as it is stored.
 * @throws ApiError `BAD_REQUEST`
 */
export function checkedFullName(text: string): string {
  const name = text.trim().normalize('NFC');
  if (name === '') throw badRequest(msg('Name too short!'));
  if ([...name].length > MAXIMUM_NAME_LENGTH) throw badRequest(msg('Name too long!'));
  if (RESERVED.test(name) || INVISIBLE.test(name.replace(JOINERS, '')))
    throw badRequest(msg('Invalid characters in name!'));
  // `@**name|12**` mentions user 12, so such a name could not be mentioned.
  if (/\|\d+$/.test(name)) throw badRequest(msg('Invalid format!'));
  return name;
}

/**
 * The email address as it is stored. The check is loose, since only a mail shows whether an address works. Colons are
 * refused, because the address is the user name of Basic authentication.
 * @throws ApiError `BAD_REQUEST`
 */
export function checkedEmail(text: string): string {
  const email = text.trim();
  const isValid = /^[^\s@:]+@[^\s@:]+$/.test(email) && email.length <= MAXIMUM_EMAIL_LENGTH && !INVISIBLE.test(email);
  if (!isValid) throw badRequest(msg('Enter a valid email address.'));
  return email;
}
