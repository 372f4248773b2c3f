import { thoseWhoKnow } from '../../access/people.ts';
import type { OrdinaryChange } from '../../directory/organization.ts';

/** Notifies older clients, which read the setting `presence_enabled` as the status "away". */
export function announceAway(
  { directory, append }: Pick<OrdinaryChange, 'append' | 'directory'>,
  userId: number,
  isAway: boolean,
): void {
  const audience = thoseWhoKnow(directory, { id: userId, isBot: false });
  append({ type: 'user_status', audience, body: { userId, isAway } });
}
