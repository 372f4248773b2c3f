import { badRequest } from '@heddle/api/errors.ts';

/** Characters that mentions and Markdown need for themselves. */
const RESERVED = /[*`\\>"@]/;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;
/** Joins the letters of some scripts and of emoji. */
const JOINERS = /[\u200c\u200d]/g;
const MAXIMUM_NAME_LENGTH = 100;
const MAXIMUM_EMAIL_LENGTH = 254;

/**
 * The full name as it is stored.
 * @throws ApiError `BAD_REQUEST`
 */
export function checkedFullName(text: string): string {
  const name = text.trim().normalize('NFC');
  if (name === '') throw badRequest('Name too short!');
  if ([...name].length > MAXIMUM_NAME_LENGTH) throw badRequest('Name too long!');
  if (RESERVED.test(name) || INVISIBLE.test(name.replace(JOINERS, ''))) throw badRequest('Invalid characters in name!');
  // A mention of it would read as one of another user by id.
  if (/\|\d+$/.test(name)) throw badRequest('Invalid format!');
  return name;
}

/**
 * The email address as it is stored. Loose: whether mail arrives there only mail can tell. No colons, since the address is the user
 * name of Basic authentication.
 * @throws ApiError `BAD_REQUEST`
 */
export function checkedEmail(text: string): string {
  const email = text.trim();
  const isValid = /^[^\s@:]+@[^\s@:]+$/.test(email) && email.length <= MAXIMUM_EMAIL_LENGTH && !INVISIBLE.test(email);
  if (!isValid) throw badRequest('Enter a valid email address.');
  return email;
}
