import type { Change } from '../../../directory/organization.ts';
import type { NewEvent } from '../../../log/event.ts';

/** Resets the queues of these users, because too many users became accessible or inaccessible to announce each. */
export function resetQueues({ append }: Pick<Change, 'append'>, userIds: readonly number[]): void {
  for (const event of queueResets(userIds)) append(event);
}

/** The events that reset the queues; none without users. */
export function queueResets(userIds: readonly number[]): readonly NewEvent[] {
  if (userIds.length === 0) return [];
  const deltas = [{ delta: 'queues_reset', userIds: [...userIds].sort((a, b) => a - b) }];
  return [{ type: 'realm_user', audience: { to: 'nobody' }, body: null, deltas }];
}
