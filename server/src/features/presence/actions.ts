import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { type PresenceRooms, presencesOf } from './queries.ts';

/** The user has decided to be seen, or not to be: everybody is told at once (public reference: the setting `presence_enabled`). */
export async function showPresence(
  rooms: PresenceRooms,
  organization: Organization,
  userId: number,
  isShown: boolean,
): Promise<void> {
  const presences = presencesOf(rooms, organization);
  await presences.ready();
  presences.show(userId, isShown, Math.floor(Date.now() / 1000));
}

/** The user does something by which they are active lately, without being told of. */
export function noteActivity(rooms: PresenceRooms, organization: Organization, { id, isBot }: UserRecord): void {
  if (!isBot) presencesOf(rooms, organization).see(id, Math.floor(Date.now() / 1000));
}
