import { badRequest } from '@heddle/api/errors.ts';
import type { Directory } from '../../directory/directory.ts';
import type { UserRecord } from '../../directory/records.ts';
import { settingOf } from '../../domain/users/user-settings/queries.ts';
import type { Audience } from '../../log/event.ts';

/** Larger channels show no typing notifications. */
export const MAX_CHANNEL_SUBSCRIBERS = 100;

const TELLING = {
  channel: ['send_stream_typing_notifications', 'User has disabled typing notifications for channel messages'],
  direct: ['send_private_typing_notifications', 'User has disabled typing notifications for direct messages'],
} as const;

/** @throws ApiError `BAD_REQUEST`: the user does not share their typing there */
export function checkTells(user: UserRecord, where: keyof typeof TELLING): void {
  const [setting, refusal] = TELLING[where];
  if (!settingOf(user, setting)) throw badRequest(refusal);
}

export function wantsToSee(user: UserRecord | undefined): boolean {
  return user !== undefined && settingOf(user, 'receives_typing_notifications');
}

/** The audience without those of `among` who do not want typing notifications. */
export function withoutUninterested(directory: Directory, audience: Audience, among: readonly number[]): Audience {
  const uninterested = among.filter((userId) => !wantsToSee(directory.user(userId)));
  if (uninterested.length === 0) return audience;
  return { to: 'any', of: [audience], except: { to: 'users', users: uninterested } };
}
