import { badRequest } from '@heddle/api/errors.ts';
import { correspondentAt } from '../../../access/addresses.ts';
import { canAccess } from '../../../access/people.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { UserRecord } from '../../../directory/records.ts';

/** `to` of `POST /messages` in any of its spellings, decoded. */
export type To = number | string | readonly number[] | readonly string[];

/** The decoded recipient of a request, before the directory is consulted. */
export type Address =
  | { readonly kind: 'channel'; readonly channel: number | string; readonly topic: string }
  | { readonly kind: 'direct'; readonly users: readonly (number | string)[] };

/**
 * Decodes `type`, `to` and `topic` together (interface document, POST /messages).
 * @throws ApiError if they do not name one channel with a topic, or at least one user
 */
export function addressOf(
  type: 'direct' | 'channel' | 'stream' | 'private',
  to: To,
  topic: string | undefined,
): Address {
  if (type === 'channel' || type === 'stream') {
    const [channel, ...others] = Array.isArray(to) ? to : [to];
    if (channel === undefined || others.length > 0) throw badRequest('Expected exactly one channel');
    if (topic === undefined) throw badRequest('Missing topic');
    return { kind: 'channel', channel: typeof channel === 'string' ? channel.trim() : channel, topic };
  }
  const users = (typeof to === 'string' ? to.split(',') : Array.isArray(to) ? to : [to])
    .map((user) => (typeof user === 'string' ? user.trim() : user))
    .filter((user) => user !== '');
  if (users.length === 0) throw badRequest('Message must have recipients');
  return { kind: 'direct', users };
}

/**
 * Finds the users that a direct message names by id or address. The caller need not be among them.
 * @throws ApiError for a user who does not exist, is deactivated, or is inaccessible for the caller
 */
export function findRecipients(
  directory: Directory,
  caller: UserRecord,
  named: readonly (number | string)[],
): readonly UserRecord[] {
  const users = named.map((name) => {
    const user = typeof name === 'number' ? directory.correspondent(name) : correspondentAt(directory, caller, name);
    if (user === undefined)
      throw badRequest(typeof name === 'number' ? `Invalid user ID ${name}` : `Invalid email '${name}'`);
    return user;
  });
  checkCanAccessAll(directory, caller, users);
  for (const user of users) {
    if (!user.isActive) throw badRequest(`'${user.email}' is no longer using Zulip.`);
  }
  return users;
}

/** @throws ApiError `BAD_REQUEST`: one of them is inaccessible for the caller */
export function checkCanAccessAll(directory: Directory, caller: UserRecord, users: readonly UserRecord[]): void {
  if (users.every((user) => canAccess(directory, caller, user))) return;
  throw badRequest('You do not have permission to access some of the recipients.');
}
