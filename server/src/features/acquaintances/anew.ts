import type { Change } from '../../directory/organization.ts';

/** The users' clients begin anew: whom they may know has changed by more than is told one by one. */
export function beginAnew({ append }: Pick<Change, 'append'>, userIds: readonly number[]): void {
  if (userIds.length === 0) return;
  const facts = [{ fact: 'anew', userIds: [...userIds].sort((a, b) => a - b) }];
  append({ type: 'realm_user', audience: { to: 'nobody' }, body: null, facts });
}
