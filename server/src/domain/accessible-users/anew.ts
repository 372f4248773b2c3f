import type { Change } from '../../directory/organization.ts';
import type { NewEvent } from '../../log/event.ts';

/** Resets the queues of these users, because too many users became accessible or inaccessible to announce each. */
export function beginAnew({ append }: Pick<Change, 'append'>, userIds: readonly number[]): void {
  for (const event of beganAnew(userIds)) append(event);
}

/** The events that reset the queues; none without users. */
export function beganAnew(userIds: readonly number[]): readonly NewEvent[] {
  if (userIds.length === 0) return [];
  const deltas = [{ delta: 'anew', userIds: [...userIds].sort((a, b) => a - b) }];
  return [{ type: 'realm_user', audience: { to: 'nobody' }, body: null, deltas }];
}
