import { usersWithAccessTo } from '../../access/people.ts';
import type { OptimisticChange } from '../../directory/organization.ts';

/** Notifies older clients, which read the setting `presence_enabled` as the status "away". */
export function announceAway(
  { directory, append }: Pick<OptimisticChange, 'append' | 'directory'>,
  userId: number,
  isAway: boolean,
): void {
  const audience = usersWithAccessTo(directory, { id: userId, isBot: false });
  append({ type: 'user_status', audience, body: { userId, isAway } });
}
