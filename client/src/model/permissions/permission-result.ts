import type { GroupSettingValue } from '../../calls/types.ts';

/**
 * Why the user may not do something:
 * - `spectator`: needs an account;
 * - `bot`: bots cannot;
 * - `guest`: guests cannot, whatever groups they are in;
 * - `owner`, `administrator`: needs this role;
 * - `permission`: a setting allows it only to others (`allowedTo`);
 * - `waiting period`: the same, and the user will be a full member after the waiting period of the organization;
 * - `archived`: the channel is archived;
 * - `hidden`: the channel, group or user does not exist, or the user cannot know it;
 * - `not subscribed`: only subscribers can;
 * - `deactivated`: the user or group is deactivated;
 * - `system group`: it follows from roles, so no user can change it;
 * - `disabled`: the organization or the server turned it off;
 * - `not own`: only the author can;
 * - `time limit`: it was possible for a time (`limitSeconds`);
 * - `topic required`, `topic forbidden`: the channel does not allow this topic.
 */
export type RefusalReason =
  | 'spectator'
  | 'bot'
  | 'guest'
  | 'owner'
  | 'administrator'
  | 'permission'
  | 'waiting period'
  | 'archived'
  | 'hidden'
  | 'not subscribed'
  | 'deactivated'
  | 'system group'
  | 'disabled'
  | 'not own'
  | 'time limit'
  | 'topic required'
  | 'topic forbidden';

export interface Refusal {
  readonly allowed: false;
  readonly reason: RefusalReason;
  /** For `permission` and `waiting period`: who may. */
  readonly allowedTo?: GroupSettingValue;
  /** For `time limit`: the limit in seconds after the message was sent. */
  readonly limitSeconds?: number;
}

/** Whether the user may do something, and the reason if not. */
export type PermissionResult = { readonly allowed: true } | Refusal;

export const ALLOWED: PermissionResult = { allowed: true };

export function refused(reason: RefusalReason, more: Pick<Refusal, 'allowedTo' | 'limitSeconds'> = {}): Refusal {
  return { allowed: false, reason, ...more };
}

/** The first refusal, or else permission. Later checks run only if the earlier ones allow. */
export function all(...checks: readonly (() => PermissionResult)[]): PermissionResult {
  for (const check of checks) {
    const result = check();
    if (!result.allowed) return result;
  }
  return ALLOWED;
}

/** Allowed if one of the checks allows it, or else the last refusal. Later checks run only if needed. */
export function any(...checks: readonly (() => PermissionResult)[]): PermissionResult {
  let result: PermissionResult = ALLOWED;
  for (const check of checks) {
    result = check();
    if (result.allowed) return result;
  }
  return result;
}
