import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { type PresenceContext, presencesOf } from './queries.ts';

/**
 * The user shows or hides the own presence. It is announced at once (public reference: the setting `presence_enabled`).
 */
export async function showPresence(
  app: PresenceContext,
  organization: Organization,
  userId: number,
  isShown: boolean,
): Promise<void> {
  const presences = presencesOf(app, organization);
  await presences.ready();
  presences.show(userId, isShown, Math.floor(Date.now() / 1000));
}

/** Notes that the user is active, without an announcement. */
export function noteActivity(app: PresenceContext, organization: Organization, { id, isBot }: UserRecord): void {
  if (!isBot) presencesOf(app, organization).see(id, Math.floor(Date.now() / 1000));
}
