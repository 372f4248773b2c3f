import type { Change } from '../../directory/organization.ts';
import type { NewEvent } from '../../log/event.ts';

/** The users' clients begin anew: whom they may know has changed by more than is told one by one. */
export function beginAnew({ append }: Pick<Change, 'append'>, userIds: readonly number[]): void {
  for (const event of beganAnew(userIds)) append(event);
}

/** What says so; nothing where it is nobody. */
export function beganAnew(userIds: readonly number[]): readonly NewEvent[] {
  if (userIds.length === 0) return [];
  const facts = [{ fact: 'anew', userIds: [...userIds].sort((a, b) => a - b) }];
  return [{ type: 'realm_user', audience: { to: 'nobody' }, body: null, facts }];
}
